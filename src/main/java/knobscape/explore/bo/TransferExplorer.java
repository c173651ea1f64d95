package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluation;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.LevelText;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.bo.Pool.Part;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;
import knobscape.surrogate.ensemble.XgBoost;

/// A search that begins with what an [Experience] says and trusts it as far as it proves true. One arm models the
/// residual of a prior trained on the whole experience, the other is [BoExplorer], which knows nothing of it; both see
/// all measurements. Of the first eight each picks four; then the shares follow the evidence: how well each model
/// predicts every measurement from all others (leave-one-out log density). Each arm keeps a quarter of the picks until
/// 64 measurements; a history is dropped as soon as the evidence is clearly against it, and at 64 where it is at all.
///
/// Without experience it is the search without history.
public final class TransferExplorer implements Explorer {
    private static final int START = 8;
    private static final int DECIDED_AT = 64;
    private static final double LEAST_SHARE = 0.25;
    private static final int EARLIEST_VERDICT = 12;
    /// The evidence in favour of the history before anything is known, how much a unit of it counts, and at
    /// which it is dropped.
    private static final double BENEFIT = 0.5;
    private static final double WEIGHT = 0.5;
    private static final double DROPPED_BELOW = -3;
    private static final long STREAM = 1L << 42;
    private static final int NAMED = 3;

    private final String name;
    private final Target target;
    private final BoSettings settings;
    private final Model.Trainer trainer;
    private final BoExplorer own;
    private final Pool pool;
    private Optional<Informed> informed = Optional.empty();
    /// The picks of the arm with history until it was decided about.
    private List<Configuration> byHistory = new ArrayList<>();
    private Verdict verdict = Verdict.OPEN;
    private double share = 0.5;
    private List<String> remarks = List.of();

    /// The trust that the history has earned.
    private enum Verdict {
        OPEN,
        KEPT,
        DROPPED
    }

    /// The arm with history.
    private final class Informed {
        private final Prior prior;
        private final Arm arm;
        private final Part top;

        Informed() {
            prior = new PooledPrior(target.experience(), trainer, target.seed());
            arm = new Arm(target, settings, Optional.of(prior));
            top = new Part(PriorOptima.of(target, prior, pool::neighbours));
        }

        Optional<Configuration> first(Set<Configuration> asked) {
            return top.members().stream()
                    .filter(c -> !asked.contains(c))
                    .filter(target.canRun())
                    .findFirst();
        }
    }

    /// With boosted trees as prior.
    ///
    /// @param target what is searched for, with its experience
    /// @param settings of both arms
    public TransferExplorer(Target target, BoSettings settings) {
        this("transfer", target, settings, XgBoost.trainer(PooledPrior.TREES));
    }

    /// @param name as on the command line
    /// @param trainer of the prior
    public TransferExplorer(String name, Target target, BoSettings settings, Model.Trainer trainer) {
        this.name = name;
        this.target = target;
        this.settings = settings;
        this.trainer = trainer;
        this.own = new BoExplorer(target, settings);
        this.pool = new Pool(
                target.space(),
                target.seed(),
                settings.pool().uniform() / 3,
                settings.pool().renewed(),
                settings.pool().neighbours() / 2);
    }

    @Override
    public String name() {
        return name;
    }

    private boolean trusts() {
        return verdict != Verdict.DROPPED && !target.experience().isEmpty();
    }

    private Informed informed() {
        if (informed.isEmpty()) {
            informed = Optional.of(new Informed());
        }
        return informed.get();
    }

    /// The best by the history and one at random; without a history the designs of the search without.
    @Override
    public List<Proposal> initial() {
        if (!trusts()) {
            return own.initial();
        }
        remarks = List.of(start(target.experience()));
        byHistory = new ArrayList<>();
        var all = new ArrayList<Proposal>();
        informed().first(Set.of()).ifPresent(c -> {
            byHistory.add(c);
            all.add(target.proposal(c, Double.NaN, "the best, with history"));
        });
        Set<Configuration> taken = new HashSet<>(byHistory);
        BoExplorer.draws(target, taken, 1, StepRandom.of(target.seed(), 0))
                .forEach(c -> all.add(target.proposal(c, Double.NaN, "initial design")));
        return List.copyOf(all);
    }

    private static String start(Experience e) {
        String names = e.origins().stream()
                .limit(NAMED)
                .map(o -> o.subject() + " on " + o.device())
                .collect(Collectors.joining("; "));
        int more = e.origins().size() - NAMED;
        return "The search begins with " + e.size() + " measurements of " + names
                + (more > 0 ? " and " + more + " more" : "") + ".";
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        remarks = List.of();
        var proposals = new ArrayList<Proposal>();
        var chosen = new ArrayList<Configuration>();
        List<Evaluation> known = Losses.relevant(history, target);
        Losses all = Losses.of(known, target);
        SplittableRandom random = StepRandom.of(target.seed() ^ STREAM, history.asks() + 1L);
        if (trusts()) {
            Set<Configuration> pending = history.inFlight();
            Set<Configuration> asked = new HashSet<>(all.configurations());
            asked.addAll(pending);
            weigh(known, all);
            List<Part> parts = parts(history, all, random);
            if (all.hasSignal()) {
                pending.forEach(informed().arm::believe);
            }
            int first = known.size() + pending.size();
            for (int i = 0; i < count && trusts(); i++) {
                boolean turn = first + i < START ? byHistory.size() <= (first + i) / 2 : random.nextDouble() < share;
                Optional<Proposal> next = turn ? byHistory(all, parts, asked) : Optional.empty();
                if (next.isPresent() && first + i < DECIDED_AT) {
                    byHistory.add(next.get().configuration());
                }
                Optional<Proposal> pick = next.or(() -> first + chosen.size() < START
                        ? BoExplorer.draws(target, asked, 1, random).stream()
                                .findFirst()
                                .map(c -> target.proposal(c, Double.NaN, "without history, at random"))
                        : own.ask(history, 1, chosen).stream().findFirst());
                if (pick.isEmpty()) {
                    break;
                }
                proposals.add(pick.get());
                chosen.add(pick.get().configuration());
                asked.add(pick.get().configuration());
                if (all.hasSignal()) {
                    informed().arm.believe(pick.get().configuration());
                }
            }
            informed().arm.settle();
        }
        if (proposals.size() < count && !trusts()) {
            proposals.addAll(own.ask(history, count - proposals.size(), chosen));
        }
        return List.copyOf(proposals);
    }

    /// Lets the arm with history learn, and sets the shares.
    private void weigh(List<Evaluation> known, Losses all) {
        if (!all.hasSignal()) {
            return;
        }
        Arm arm = informed().arm;
        arm.learn(known, all);
        if (known.size() < START || verdict != Verdict.OPEN) {
            return;
        }
        own.learn(known, all);
        double evidence = BENEFIT + WEIGHT * (arm.evidence() - own.evidence());
        share = Math.clamp(1 / (1 + Math.exp(-evidence)), LEAST_SHARE, 1 - LEAST_SHARE);
        if ((known.size() >= EARLIEST_VERDICT && evidence < DROPPED_BELOW)
                || (known.size() >= DECIDED_AT && evidence < 0)) {
            verdict = Verdict.DROPPED;
            remarks = List.of("After " + known.size()
                    + " measurements the history is no longer followed: they are predicted better without it.");
        } else if (known.size() >= DECIDED_AT) {
            verdict = Verdict.KEPT;
        }
    }

    private List<Part> parts(History history, Losses all, SplittableRandom random) {
        List<Configuration> best = Losses.order(all.losses()).stream()
                .filter(i -> !all.failed()[i])
                .limit(8)
                .map(all.configurations()::get)
                .toList();
        var parts = new ArrayList<>(pool.random(BoExplorer.renewals(history, settings)));
        parts.add(informed().top);
        parts.addAll(pool.around(best.stream().limit(3).toList()));
        parts.add(pool.descendants(best, settings.pool().descendants(), random));
        return parts;
    }

    private Optional<Proposal> byHistory(Losses all, List<Part> parts, Set<Configuration> asked) {
        return !all.hasSignal()
                ? informed().first(asked).map(c -> target.proposal(c, Double.NaN, "the best, with history"))
                : informed()
                        .arm
                        .best(parts, c -> !asked.contains(c))
                        .map(p -> target.proposal(p, "expected improvement, with history"));
    }

    @Override
    public String state() {
        return verdict + "|" + share + "|" + LevelText.write(byHistory) + "|"
                + informed.map(i -> i.arm.state()).orElse("") + "|" + own.state();
    }

    @Override
    public void restore(String state) {
        String[] parts = state.split("\\|", -1);
        // Earlier versions kept one number more.
        int from = parts.length - 4;
        if (from == 1 || from == 2) {
            verdict = Verdict.valueOf(parts[0]);
            share = Double.parseDouble(parts[from]);
            byHistory = new ArrayList<>(LevelText.read(target.space().knobs(), parts[from + 1]));
            if (trusts()) {
                informed().arm.restore(parts[from + 2]);
            }
            own.restore(parts[from + 3]);
        }
    }

    @Override
    public List<String> remarks() {
        return remarks;
    }

    /// The search's own, and which share of the picks the history has.
    @Override
    public Map<String, double[]> diagnostics() {
        return Map.of("share of the history", new double[] {trusts() ? share : 0});
    }
}
