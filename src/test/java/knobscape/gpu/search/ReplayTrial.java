package knobscape.gpu.search;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import knobscape.gpu.evaluate.replay.MeasuredSet;

/// By hand: methods on a measured set. Arguments: file, methods, seeds, trials, batch of bted+bao.
final class ReplayTrial {
    private ReplayTrial() {}

    public static void main(String[] arguments) {
        for (String file : arguments[0].split(",")) {
            MeasuredSet set = MeasuredSet.open(Path.of(file));
            int seeds = Integer.parseInt(arguments[2]);
            int trials = Integer.parseInt(arguments[3]);
            int[] marks = {64, 128, 256, 512, 1024};
            for (String name : arguments[1].split(",")) {
                var method = TuningMethod.standard().all().stream()
                        .filter(m -> m.name().equals(name))
                        .findFirst()
                        .orElseThrow();
                double[][] at = new double[marks.length][seeds];
                long start = System.nanoTime();
                for (int s = 0; s < seeds; s++) {
                    try (var evaluator = set.evaluator()) {
                        var problem = TuningProblem.ofKnobs(set.space(), evaluator.info(), 1 + s);
                        var search = new OneSearch(
                                problem,
                                method.factory().apply(problem),
                                evaluator,
                                name.equals("bted+bao") ? Integer.parseInt(arguments[4]) : method.batch(),
                                trials,
                                java.util.List.of());
                        search.run();
                        for (int m = 0; m < marks.length; m++) {
                            at[m][s] = search.curve().get(Math.min(marks[m], search.trials()) - 1) / set.bestSpeed();
                        }
                    }
                }
                System.out.printf(Locale.ROOT, "%-26s %-9s", set.name(), name);
                for (int m = 0; m < marks.length && marks[m] <= trials; m++) {
                    double mean = Arrays.stream(at[m]).average().orElse(0);
                    double var = Arrays.stream(at[m])
                                    .map(v -> (v - mean) * (v - mean))
                                    .sum()
                            / Math.max(1, seeds - 1);
                    System.out.printf(Locale.ROOT, "  %d: %.3f sd %.4f", marks[m], mean, Math.sqrt(var));
                }
                System.out.printf(Locale.ROOT, "  %.1f s/run%n", (System.nanoTime() - start) * 1e-9 / seeds);
            }
        }
    }
}
