package knobscape.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;

/// Everything a run has learned so far, in the order it arrived. An explorer decides from this and its seed
/// alone, so a run resumed from stored evaluations continues exactly as if it had never stopped. A proposal
/// enters with all its stages when the last one is back; stages that an earlier proposal had run enter again
/// with it, so that designs that were taken further weigh as if they had been run from the lowest stage. Not
/// thread-safe: one loop owns it.
public final class History {
    private static final Evaluation[] NONE = {};

    private final List<Evaluation> evaluations = new ArrayList<>();
    /// The newest of each fidelity, few and lowest first: a map each would take ten times the memory.
    private final Map<Configuration, Evaluation[]> byConfiguration = new HashMap<>();
    private final List<Proposal> pending = new ArrayList<>();
    private Optional<Objectives> objectives = Optional.empty();
    private int asks;

    /// Adds one arrived evaluation; a later one of the same configuration and fidelity replaces the earlier in
    /// look-ups.
    public void add(Evaluation evaluation) {
        evaluations.add(evaluation);
        byConfiguration.merge(
                evaluation.configuration(), new Evaluation[] {evaluation}, (old, fresh) -> with(old, fresh[0]));
    }

    private static Evaluation[] with(Evaluation[] stages, Evaluation fresh) {
        return Stream.concat(Arrays.stream(stages).filter(e -> rank(e) != rank(fresh)), Stream.of(fresh))
                .sorted(Comparator.comparingInt(History::rank))
                .toArray(Evaluation[]::new);
    }

    private static int rank(Evaluation e) {
        return e.fidelity().rank();
    }

    private Evaluation[] stages(Configuration configuration) {
        return byConfiguration.getOrDefault(configuration, NONE);
    }

    /// All evaluations in order of arrival: a view that grows with the run and cannot be changed.
    public List<Evaluation> evaluations() {
        return Collections.unmodifiableList(evaluations);
    }

    /// Evaluations at exactly this fidelity, in order of arrival, the newest of each configuration only.
    public List<Evaluation> at(Fidelity fidelity) {
        return evaluations.stream()
                .filter(e -> e.fidelity().rank() == fidelity.rank())
                .filter(e -> find(e.configuration(), fidelity).orElseThrow() == e)
                .toList();
    }

    /// The evaluation of a configuration at a fidelity, if it was run.
    public Optional<Evaluation> find(Configuration configuration, Fidelity fidelity) {
        for (Evaluation e : stages(configuration)) {
            if (rank(e) == fidelity.rank()) {
                return Optional.of(e);
            }
        }
        return Optional.empty();
    }

    /// How often a configuration was run at a fidelity.
    public int count(Configuration configuration, Fidelity fidelity) {
        return find(configuration, fidelity).isEmpty()
                ? 0
                : Math.toIntExact(evaluations.stream()
                        .filter(e ->
                                rank(e) == fidelity.rank() && e.configuration().equals(configuration))
                        .count());
    }

    /// Highest rank at which `configuration` was run, or -1.
    public int highestRank(Configuration configuration) {
        Evaluation[] stages = stages(configuration);
        return stages.length == 0 ? -1 : rank(stages[stages.length - 1]);
    }

    /// Proposals sent out and not yet answered.
    public List<Proposal> pending() {
        return List.copyOf(pending);
    }

    /// Their configurations.
    public Set<Configuration> inFlight() {
        return pending.stream().map(Proposal::configuration).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// Marks a proposal as sent out.
    public void markPending(Proposal proposal) {
        pending.add(proposal);
    }

    /// Marks a proposal as answered.
    public void clearPending(Proposal proposal) {
        pending.remove(proposal);
    }

    /// Objectives with scales and reference point, once the initial designs fixed them.
    public Optional<Objectives> objectives() {
        return objectives;
    }

    /// Fixes the objectives; done once by the loop after the initial designs.
    public void fixObjectives(Objectives fixed) {
        if (objectives.isPresent()) {
            throw new IllegalStateException("objectives are fixed once in a run");
        }
        objectives = Optional.of(fixed);
    }

    /// How often the explorer was asked before, initial designs not counted: where its random streams stand.
    /// With several designs in flight more was asked than is answered.
    public int asks() {
        return asks;
    }

    /// Counts one question to the explorer, once it has answered it.
    public void countAsk() {
        asks++;
    }
}
