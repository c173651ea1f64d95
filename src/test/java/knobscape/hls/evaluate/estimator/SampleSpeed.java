package knobscape.hls.evaluate.estimator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;

/// Not a test: prints what the estimator makes of each sample project, and how fast. Start it with the folder
/// of the samples.
public final class SampleSpeed {
    private SampleSpeed() {}

    /// @param arguments folder of the sample projects, number of configurations to draw, `verbose` for the
    /// baseline's report
    public static void main(String[] arguments) throws Exception {
        int draws = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3000;
        boolean verbose = arguments.length > 2;
        List<Path> folders;
        try (var list = Files.list(Path.of(arguments[0]))) {
            folders = list.filter(p -> Files.isRegularFile(p.resolve(p.getFileName() + ".cpp")))
                    .sorted()
                    .toList();
        }
        for (Path folder : folders.isEmpty() ? List.of(Path.of(arguments[0])) : folders) {
            sample(folder.resolve(folder.getFileName() + ".cpp"), draws, verbose);
        }
    }

    private static void sample(Path file, int draws, boolean verbose) {
        Kernel kernel = Kernels.read(file);
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
        try (var evaluator = new EstimatorEvaluator(space, EstimatorSettings.defaults())) {
            System.out.printf(
                    Locale.ROOT,
                    "== %s: space %s of %s, stages %s%n",
                    kernel.top(),
                    space.space().size(),
                    space.space().fullSize(),
                    evaluator.info().typicalSeconds());
            if (verbose) {
                print(evaluator.explain(space.baseline()));
            }
            var random = new Random(1);
            List<Configuration> drawn =
                    random.ints(draws).mapToObj(i -> space.space().draw(random)).toList();
            for (int round = 0; round < 2; round++) {
                try (var fresh = new EstimatorEvaluator(space, EstimatorSettings.defaults())) {
                    measure(fresh, drawn);
                }
            }
        }
    }

    private static void measure(EstimatorEvaluator evaluator, List<Configuration> drawn) {
        var cpu = java.lang.management.ManagementFactory.getThreadMXBean();
        long start = cpu.getCurrentThreadCpuTime();
        double[] low = new double[3];
        double[] high = new double[3];
        java.util.Arrays.fill(low, Double.MAX_VALUE);
        int invalid = 0;
        var reasons = new HashSet<String>();
        var distinct = new HashSet<Outcome>();
        for (Configuration c : drawn) {
            List<Evaluation> stages = evaluator.evaluate(c, EstimatorEvaluator.IMPL, new CancellationSignal());
            Evaluation last = stages.getLast();
            distinct.add(last.outcome());
            if (last.outcome() instanceof Outcome.Failure i) {
                invalid++;
                reasons.add(i.reason().replaceAll("[\\d,]{3,}", "N"));
                continue;
            }
            String[] names = {"latency", "clock", "lut"};
            for (int k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], last.value(names[k]).getAsDouble());
                high[k] = Math.max(high[k], last.value(names[k]).getAsDouble());
            }
        }
        double seconds = (cpu.getCurrentThreadCpuTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "   %d evaluations in %.2f s of one core: %.0f per s; %d distinct; %d invalid; latency %.0f..%.0f, clock %.2f..%.2f, LUT %.0f..%.0f%n",
                drawn.size(),
                seconds,
                drawn.size() / seconds,
                distinct.size(),
                invalid,
                low[0],
                high[0],
                low[1],
                high[1],
                low[2],
                high[2]);
        reasons.stream().limit(5).forEach(r -> System.out.println("   invalid: " + r));
    }

    private static void print(EstimateReport report) {
        report.loops().forEach(l -> System.out.println("   " + l));
        report.arrays().forEach(a -> System.out.println("   " + a));
        report.operators().forEach(o -> System.out.println("   " + o));
        report.stages().forEach(s -> System.out.println("   " + s));
    }
}
