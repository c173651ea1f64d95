package knobscape.lab.bench;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.space.DirectiveSpace;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.pareto.Adrs;
import knobscape.pareto.ParetoFront;
import knobscape.project.Project;
import knobscape.space.Configuration;
import smile.stat.distribution.HyperGeometricDistribution;

/// `src/lab/run space-sizes`: sizes of directive spaces before and after pruning over the samples (Fig. 3.13 of the
/// thesis), and, for measured designs whose source is at hand, how many of those known to be good pruning would
/// have kept.
public final class SpaceSizesBench implements Bench {
    private static final double LEAST_FRONT = 0.95;
    private static final double MOST_CHANCE = 0.05;
    /// Spaces of at least 10^8 configurations have to shrink by three orders of magnitude.
    private static final double LARGE = 8;

    private static final double LEAST_ORDERS = 3;
    private static final List<String> METHODS = List.of("pruning");

    @Override
    public String name() {
        return "space-sizes";
    }

    @Override
    public String description() {
        return "Thesis Fig. 3.13: sizes before and after pruning, and the share of good measured designs that pruning keeps.";
    }

    /// The effect of pruning on the designs of one measured set.
    ///
    /// @param front designs nothing else dominates
    /// @param frontKept how many of them are kept
    /// @param all designs with all objectives
    /// @param allKept how many of them are kept
    /// @param adrs distance of the best that is kept from the front, [Adrs.Distance#RELATIVE_WORST]
    private record PruningScore(int front, int frontKept, int all, int allKept, double adrs) {
        double frontShare() {
            return (double) frontKept / front;
        }

        double dominatedShare() {
            return all == front ? 0 : (double) (allKept - frontKept) / (all - front);
        }

        /// Probability that as many designs chosen at random hold as much of the front (hypergeometric).
        double chance() {
            return frontKept == 0 ? 1 : 1 - new HyperGeometricDistribution(all, front, allKept).cdf(frontKept - 1);
        }
    }

    /// The rest of a kernel's space after pruning.
    ///
    /// @param kind `sample` or `measured`
    /// @param kept of the designs that were measured, where any were
    private record Pruned(String kind, DirectiveSpace space, Optional<PruningScore> kept) {
        double log10Before() {
            return log10(space.space().fullSize());
        }

        double log10After() {
            return log10(space.space().size());
        }
    }

    /// A kernel whose space is pruned.
    private record PrunedKernel(String name, Supplier<Pruned> pruning) implements TrialSubject<Pruned> {
        /// Counting takes less than reading what was counted.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public Pruned run(String method, long seed, Map<String, Pruned> earlier) {
            return pruning.get();
        }

        @Override
        public String words(Pruned p) {
            return SpaceSizesBench.words(p.space.space().fullSize()) + " before pruning, "
                    + SpaceSizesBench.words(p.space.space().size()) + " after"
                    + p.kept.map(k -> "; " + k.frontKept() + " of " + k.front() + " designs on the front are kept, "
                                    + k.allKept() + " of all " + k.all())
                            .orElse("");
        }
    }

    @Override
    public BenchReport run(Job job) {
        var notes = new ArrayList<String>(List.of(
                "Before: every combination of the knobs' values; after: those that pruning keeps, counted exactly.",
                "A good measured design is one on the front of its set. Kept: pruning has it, or one that builds the same hardware.",
                "Chance: the probability that as many designs chosen at random would hold as much of the front."));
        var suite = new ArrayList<PrunedKernel>();
        SamplesBench.projects(job.requiredSamples()).forEach(folder -> suite.add(sample(job, folder)));
        measured(job, suite, notes);
        TrialRunner<Pruned> runner = TrialRunner.inTurn(job, "trials.jsonl", Pruned.class, 1);
        List<Trial<Pruned>> trials =
                suite.stream().flatMap(s -> runner.run(s, METHODS).stream()).toList();
        return new BenchReport(
                name(),
                "Configurations before and after pruning, and good measured designs kept.",
                Column.list(
                        "subject", "kernel",
                        "kind", "kind",
                        "before", "before pruning",
                        "after", "after",
                        "knobs", "knobs",
                        "log10Before", "log10 before",
                        "log10After", "log10 after",
                        "share", "share left",
                        "front", "on the front",
                        "frontKept", "of these kept",
                        "measured", "measured",
                        "measuredKept", "of these kept",
                        "adrs", "ADRS of the kept",
                        "chance", "chance"),
                trials.stream().map(SpaceSizesBench::row).toList(),
                trials.stream().flatMap(SpaceSizesBench::aims).toList(),
                notes);
    }

    private static PrunedKernel sample(Job job, Path folder) {
        try (Project project = Project.open(folder)) {
            return new PrunedKernel(project.name(), () -> {
                try (Project again = Project.open(folder)) {
                    return new Pruned(
                            "sample",
                            HlsWorkbench.open(again, again.file().both(), job.tools())
                                    .directives(),
                            Optional.empty());
                }
            });
        }
    }

    /// Adds the kernels of measured sets whose source is at hand, and says of the others why not.
    private static void measured(Job job, List<PrunedKernel> suite, List<String> notes) {
        if (job.data().isEmpty()) {
            notes.add("No measured designs were named (--data), so nothing is said about good designs.");
            return;
        }
        for (Path file : MeasuredFiles.in(job.data().get())) {
            job.cancel().throwIfCancelled();
            ReplaySet set = ReplaySet.open(file);
            String subject = MeasuredFiles.subject(set.name());
            Optional<MeasuredKernel> kernel;
            try {
                kernel = job.sources().flatMap(s -> MeasuredKernel.find(set, s, job.tools()));
            } catch (UserError e) {
                notes.add(subject + ": its measured knobs make no space here: " + e.getMessage());
                continue;
            }
            if (kernel.isEmpty()) {
                notes.add(subject + ": its source is not "
                        + (job.sources().isPresent() ? "in " + job.sources().get() : "at hand (--sources)")
                        + ", so pruning cannot be asked about its designs.");
                continue;
            }
            MeasuredKernel found = kernel.get();
            suite.add(new PrunedKernel(
                    subject, () -> new Pruned("measured", found.space(), Optional.of(kept(set, found)))));
            notes.add(subject + ": " + found.leftOut().size() + " of "
                    + set.space().knobs().size()
                    + " measured knobs have no counterpart and are left out of the question"
                    + (found.refused().isEmpty()
                            ? "."
                            : "; " + String.join(", ", found.refused())
                                    + " cannot be had here; the tool leaves a loop that it cannot pipeline as it is."));
        }
    }

    /// Pruning must keep the front, and less of what the front dominates than chance would; a large space must shrink.
    private static Stream<Aim> aims(Trial<Pruned> trial) {
        var aims = new ArrayList<Aim>();
        String subject = trial.subject();
        trial.figures().kept().ifPresent(kept -> {
            aims.add(Aim.atLeast(subject + ": share of the measured front kept", kept.frontShare(), LEAST_FRONT));
            aims.add(new Aim(
                    subject + ": share of dominated designs kept",
                    kept.dominatedShare(),
                    "below the front's, with a chance below " + MOST_CHANCE + " (it is "
                            + BenchReport.decimals(kept.chance(), 3) + ")",
                    kept.dominatedShare() < kept.frontShare() && kept.chance() < MOST_CHANCE));
        });
        double before = trial.figures().log10Before();
        if (before >= LARGE) {
            aims.add(Aim.atLeast(
                    subject + ": orders of magnitude pruned",
                    before - trial.figures().log10After(),
                    LEAST_ORDERS));
        }
        return aims.stream();
    }

    private static PruningScore kept(ReplaySet set, MeasuredKernel kernel) {
        List<Configuration> designs = set.space()
                .enumerate()
                .filter(c -> MeasuredKernel.vector(set, c).isPresent())
                .toList();
        double[][] y = designs.stream()
                .map(c -> MeasuredKernel.vector(set, c).orElseThrow())
                .toArray(double[][]::new);
        int[] front = ParetoFront.nonDominated(y);
        int[] kept = IntStream.range(0, y.length)
                .filter(i -> kernel.keeps(designs.get(i)))
                .toArray();
        int frontKept = (int)
                IntStream.of(front).filter(i -> kernel.keeps(designs.get(i))).count();
        double adrs = kept.length == 0 ? Double.NaN : Adrs.of(at(y, front), at(y, kept), Adrs.Distance.RELATIVE_WORST);
        return new PruningScore(front.length, frontKept, y.length, kept.length, adrs);
    }

    private static double[][] at(double[][] y, int[] rows) {
        return IntStream.of(rows).mapToObj(i -> y[i]).toArray(double[][]::new);
    }

    private static List<Cell> row(Trial<Pruned> trial) {
        Pruned p = trial.figures();
        BigInteger before = p.space().space().fullSize();
        BigInteger after = p.space().space().size();
        return BenchReport.row(
                List.of(trial.subject(), p.kind(), words(before), words(after)),
                p.space().space().knobs().size(),
                p.log10Before(),
                p.log10After(),
                new BigDecimal(after)
                        .divide(new BigDecimal(before), MathContext.DECIMAL64)
                        .doubleValue(),
                figure(p.kept(), PruningScore::front),
                figure(p.kept(), PruningScore::frontKept),
                figure(p.kept(), PruningScore::all),
                figure(p.kept(), PruningScore::allKept),
                figure(p.kept(), PruningScore::adrs),
                figure(p.kept(), PruningScore::chance));
    }

    private static double figure(Optional<PruningScore> kept, ToDoubleFunction<PruningScore> figure) {
        return kept.map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private static double log10(BigInteger n) {
        int shift = Math.max(0, n.bitLength() - 52);
        return Math.log10(n.shiftRight(shift).doubleValue()) + shift * Math.log10(2);
    }

    private static String words(BigInteger size) {
        return size.bitLength() < 50 ? size.toString() : String.format(Locale.ROOT, "%.3e", new BigDecimal(size));
    }
}
