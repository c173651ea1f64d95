package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.bo.Pool.Part;
import knobscape.space.Configuration;
import knobscape.surrogate.Average;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.ensemble.XgBoost;

/// Model-based search by expected improvement: a few random designs, then one measurement at a time, chosen by
/// a process whose length scales say which knobs matter, from 64 measurements on half by boosted trees. Of four
/// picks then one is taken among the neighbours of the best by two bootstrapped tree models, and, while nothing
/// is gained, one among those that differ from the best in half of the knobs or more, by its gain over the best
/// of those: so the search leaves a valley whose neighbours it cannot see beyond. Candidates are a changing
/// sample of the space, the neighbours of the best three, and descendants of the best.
///
/// The best is measured once again to find out whether a device's measurements differ; where they do, improvement
/// counts from what the process expects of the best, and the best is measured up to [BoSettings.Repeats#most()] times.
/// Models and replays give the same answer again and are not asked.
public final class BoExplorer implements Explorer {
    private static final int CENTRES = 3;
    private static final int PARENTS = 8;
    private static final int PROBE_FROM = 24;
    private static final int CLIMB_UNTIL = 160;
    private static final int CLIMB_ROUNDS = 2;
    private static final int DRAWS_PER_DESIGN = 16;

    private final Target target;
    private final BoSettings settings;
    private final Arm arm;
    private final Pool pool;
    private final KnobRows rows;
    private Optional<Model> bootstrap = Optional.empty();
    private int bootstrapAt = -1;

    /// @param target what is searched for
    /// @param settings how
    public BoExplorer(Target target, BoSettings settings) {
        this.target = target;
        this.settings = settings;
        this.arm = new Arm(target, settings, Optional.empty());
        this.pool = new Pool(
                target.space(),
                target.seed(),
                settings.pool().uniform(),
                settings.pool().renewed(),
                settings.pool().neighbours());
        this.rows = new KnobRows(target.space().knobs());
    }

    @Override
    public String name() {
        return "bo";
    }

    @Override
    public List<Proposal> initial() {
        return draws(target, Set.of(), settings.initial(), StepRandom.of(target.seed(), 0)).stream()
                .map(c -> target.proposal(c, Double.NaN, "initial design"))
                .toList();
    }

    /// Random members that can run; such that cannot only where there are too few others.
    static List<Configuration> draws(Target target, Set<Configuration> known, int count, SplittableRandom random) {
        var able = new ArrayList<Configuration>();
        var others = new ArrayList<Configuration>();
        Set<Configuration> taken = new HashSet<>(known);
        for (int i = 0; i < DRAWS_PER_DESIGN && able.size() < count; i++) {
            List<Configuration> drawn = Candidates.draw(target.space(), taken, count, random);
            taken.addAll(drawn);
            drawn.forEach(c -> (target.canRun().test(c) ? able : others).add(c));
        }
        return Stream.concat(able.stream(), others.stream()).limit(count).toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        return ask(history, count, List.of());
    }

    /// @param chosen configurations that are as good as in flight
    List<Proposal> ask(History history, int count, List<Configuration> chosen) {
        List<Evaluation> known = Losses.relevant(history, target);
        Losses all = Losses.of(known, target);
        SplittableRandom random = StepRandom.of(target.seed(), history.asks() + 1L);
        Set<Configuration> asked = new HashSet<>(all.configurations());
        List<Configuration> pending =
                Stream.concat(history.inFlight().stream(), chosen.stream()).toList();
        asked.addAll(pending);
        if (!all.hasSignal()) {
            return draws(target, asked, count, random).stream()
                    .map(c -> target.proposal(c, Double.NaN, "nothing valid yet"))
                    .toList();
        }
        arm.learn(known, all);
        pending.forEach(arm::believe);
        var proposals = new ArrayList<Proposal>();
        var picks = new Picks(all, asked, random, renewals(history, settings));
        int first = known.size() + pending.size();
        for (int i = 0; i < count; i++) {
            Optional<Proposal> next = picks.next(known, first + i);
            if (next.isEmpty()) {
                break;
            }
            proposals.add(next.get());
            asked.add(next.get().configuration());
            if (i + 1 < count) {
                arm.believe(next.get().configuration());
            }
        }
        arm.settle();
        return List.copyOf(proposals);
    }

    /// Takes what is known without being asked.
    void learn(List<Evaluation> known, Losses all) {
        arm.learn(known, all);
    }

    /// See [Arm#evidence].
    double evidence() {
        return arm.evidence();
    }

    static long renewals(History history, BoSettings settings) {
        return Math.max(0, history.asks() + 1 - settings.pool().renewFrom());
    }

    /// The picks of one question.
    private final class Picks {
        private final Losses all;
        private final Set<Configuration> asked;
        private final SplittableRandom random;
        private final List<Part> parts;
        private final List<Configuration> centres;
        private final double[] expected;
        private boolean isMeasuredAgain;

        Picks(Losses all, Set<Configuration> asked, SplittableRandom random, long renewals) {
            this.all = all;
            this.asked = asked;
            this.random = random;
            this.expected = all.isNoisy() ? arm.smoothed(all) : all.losses();
            List<Configuration> best = Losses.order(expected).stream()
                    .filter(i -> !all.failed()[i])
                    .limit(PARENTS)
                    .map(all.configurations()::get)
                    .toList();
            centres = best.stream().limit(CENTRES).toList();
            parts = new ArrayList<>(pool.random(renewals));
            parts.addAll(pool.around(centres));
            parts.add(pool.descendants(best, settings.pool().descendants(), random));
        }

        /// @param number measurements before it, those in flight included
        Optional<Proposal> next(List<Evaluation> known, int number) {
            return again(number)
                    .or(() -> far(number))
                    .or(() -> byTrees(known, number))
                    .or(this::improvement)
                    .or(() -> draws(target, asked, 1, random).stream()
                            .findFirst()
                            .map(c -> target.proposal(c, Double.NaN, "nothing else is left to consider")));
        }

        /// The best once more: one time to find out whether measurements differ, then while they do.
        private Optional<Proposal> again(int number) {
            if (isMeasuredAgain
                    || target.info().source() != Provenance.Source.MEASURED
                    || number < PROBE_FROM
                    || number % settings.repeats().again() != settings.repeats().again() - 1
                    || (!Double.isNaN(all.deviation()) && !all.isNoisy())) {
                return Optional.empty();
            }
            // The one whose measurements look best: if it was lucky, it must not stand as the result.
            int best = IntStream.range(0, all.size())
                    .filter(i -> !all.failed()[i])
                    .reduce((i, j) -> all.losses()[j] < all.losses()[i] ? j : i)
                    .orElseThrow();
            if (all.measurements()[best] >= settings.repeats().most()) {
                return Optional.empty();
            }
            isMeasuredAgain = true;
            return Optional.of(target.proposal(all.configurations().get(best), Double.NaN, "the best, measured again"));
        }

        private Optional<Proposal> far(int number) {
            if (all.sinceGain() < settings.stall() || number % 4 != 2) {
                return Optional.empty();
            }
            Configuration best = centres.getFirst();
            int knobs = target.space().knobs().size();
            return arm.bestWithin(parts, c -> !asked.contains(c), c -> 2 * distance(best, c) >= knobs)
                    .map(p -> target.proposal(p, "expected improvement, far"));
        }

        private static int distance(Configuration a, Configuration b) {
            int different = 0;
            for (int i = 0; i < a.knobs().size(); i++) {
                different += a.level(i) != b.level(i) ? 1 : 0;
            }
            return different;
        }

        private Optional<Proposal> byTrees(List<Evaluation> known, int number) {
            if (known.size() < settings.models().treesFrom() || number % 4 != 0) {
                return Optional.empty();
            }
            int at = known.size()
                    - known.size() % (known.size() < 2 * settings.models().treesFrom() ? 8 : 16);
            if (at != bootstrapAt) {
                Losses then = Losses.of(known.subList(0, at), target);
                bootstrap = Optional.of(Average.bagging(
                                XgBoost.trainer(settings.models().trees()), 2)
                        .fit(TrainingData.single(rows.all(then.configurations()), then.losses()), target.seed() + at));
                bootstrapAt = at;
            }
            List<Configuration> near = pool.around(centres).stream()
                    .flatMap(p -> p.members().stream())
                    .distinct()
                    .filter(c -> !asked.contains(c))
                    .toList();
            double[] scores = bootstrap.orElseThrow().score(rows.all(near));
            return Losses.order(scores).stream()
                    .map(near::get)
                    .filter(target.canRun())
                    .findFirst()
                    .map(c -> target.proposal(c, Double.NaN, "bootstrapped trees, neighbours"));
        }

        private Optional<Proposal> improvement() {
            Optional<Arm.Pick> pick = arm.best(parts, c -> !asked.contains(c));
            for (int i = 0; i < CLIMB_ROUNDS && pick.isPresent() && all.size() < CLIMB_UNTIL; i++) {
                Arm.Pick from = pick.get();
                Optional<Arm.Pick> better = arm.best(pool.neighbours(from.configuration()), asked)
                        .filter(p -> p.logImprovement() > from.logImprovement());
                if (better.isEmpty()) {
                    break;
                }
                pick = better;
            }
            return pick.map(p -> target.proposal(p, "expected improvement"));
        }
    }

    @Override
    public String state() {
        return arm.state();
    }

    @Override
    public void restore(String state) {
        arm.restore(state);
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return arm.diagnostics();
    }
}
