package knobscape.explore.bayes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.Explorer;
import knobscape.explore.Objectives;
import knobscape.explore.RandomExplorer;
import knobscape.explore.SyntheticFlow;
import knobscape.explore.TestRun;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;

/// Run by hand: prints ADRS, hypervolume and where the budget went, CGP variants against random search at equal
/// tool hours, on the synthetic flow and, where a folder of measured designs is named, on those.
///
/// Arguments: `seeds variants [files...]`, variants by comma.
final class CgpTrial {
    private static final double[] BUDGETS = {8, 12, 16, 24, 32};

    private record Problem(String name, Evaluator flow, DesignSpace space, Encoder encoder, Objectives objectives) {}

    private static BayesSettings variant(String name) {
        BayesSettings s = BayesSettings.DEFAULT;
        for (String part : name.split("\\+")) {
            s = switch (part) {
                case "own" -> s.with(BayesSettings.FidelityRule.OWN_FRONT);
                case "top" -> s.with(BayesSettings.FidelityRule.TOP_FRONT);
                case "only" -> s.with(BayesSettings.FidelityRule.TOP_ONLY);
                case "norm" -> s.with(BayesSettings.Volume.NORMALISED);
                case "default" -> s;
                case "indep" -> s.with(BayesSettings.ObjectiveModel.INDEPENDENT);
                case "all8" -> s.withInitialDesigns(8, 8);
                case "six" -> s.withInitialDesigns(8, 6);
                case "linear" -> s.with(BayesSettings.OutputScale.LINEAR);
                default -> throw new IllegalArgumentException(part);
            };
        }
        return s;
    }

    public static void main(String[] args) {
        int seeds = Integer.parseInt(args[0]);
        List<Problem> problems = new ArrayList<>();
        if (args.length == 2) {
            for (boolean power : new boolean[] {true, false}) {
                var flow = new SyntheticFlow(power);
                problems.add(new Problem(
                        "synthetic" + (power ? "" : "-nopower"),
                        flow,
                        SyntheticFlow.SPACE,
                        SyntheticFlow.SPACE.encoder(),
                        flow.objectives()));
            }
        }
        for (int f = 2; f < args.length; f++) {
            ReplaySet set = ReplaySet.open(Path.of(args[f]));
            Evaluator e = set.evaluator();
            var all = set.all().flatMap(List::stream).toList();
            Objectives o = Objectives.calibrate(
                    e.info().objectives().stream().map(e.info()::metric).toList(), all);
            problems.add(new Problem(
                    Path.of(args[f]).getFileName().toString().replace(".csv", ""),
                    e,
                    set.space(),
                    new FeatureEncoder(set.space().knobs()),
                    o));
        }
        Map<String, List<double[]>> totals = new LinkedHashMap<>();
        for (Problem p : problems) {
            double[][] front = TestRun.trueFront(p.flow, p.space, p.objectives);
            double full = p.flow.info().typicalSeconds().values().stream()
                    .mapToDouble(x -> x)
                    .sum();
            for (String v : args[1].split(",")) {
                double[][] adrs = new double[BUDGETS.length + 1][seeds];
                double[] hours = new double[seeds];
                double[] seconds = new double[seeds];
                String[] where = new String[seeds];
                java.util.stream.IntStream.range(0, seeds).parallel().forEach(seed -> {
                    Explorer explorer = v.equals("random")
                            ? new RandomExplorer(p.space, p.flow.info().top(), 8, seed)
                            : new CgpExplorer(p.space, p.encoder, p.flow.info(), variant(v), seed);
                    var run = new TestRun(p.flow, explorer).start();
                    long t = System.nanoTime();
                    run.steps(40, 1, 1e9);
                    seconds[seed] = (System.nanoTime() - t) * 1e-9 / 40;
                    adrs[BUDGETS.length][seed] = run.adrs(front, p.objectives);
                    hours[seed] = run.history().toolSeconds() / full;
                    where[seed] = run.proposals().stream()
                                    .skip(8)
                                    .map(x -> x.upTo().name().substring(0, 1)
                                            + (x.reason().startsWith("PEIPV") ? "" : "*"))
                                    .collect(Collectors.joining())
                            + " " + run.found(p.objectives).length;
                    run.steps(400, 1, BUDGETS[BUDGETS.length - 1] * full);
                    for (int b = 0; b < BUDGETS.length; b++) {
                        adrs[b][seed] = run.adrs(front, p.objectives, BUDGETS[b] * full);
                    }
                });
                System.out.printf("%-16s %-12s", p.name, v);
                for (int b = 0; b <= BUDGETS.length; b++) {
                    System.out.printf(" %.3f", mean(adrs[b]));
                }
                System.out.printf(
                        "  40 steps cost %.1f full runs, %.3f s a step, %s%n", mean(hours), mean(seconds), where[0]);
                totals.computeIfAbsent(v, x -> new ArrayList<>())
                        .add(Arrays.stream(adrs).mapToDouble(CgpTrial::mean).toArray());
            }
        }
        List<double[]> base = totals.values().iterator().next();
        totals.forEach((v, r) -> {
            System.out.printf("%-12s to the first variant, geometric mean:", v);
            for (int b = 0; b <= BUDGETS.length; b++) {
                double sum = 0;
                for (int i = 0; i < r.size(); i++) {
                    sum += Math.log(Math.max(1e-3, r.get(i)[b]) / Math.max(1e-3, base.get(i)[b])) / r.size();
                }
                System.out.printf(" %.3f", Math.exp(sum));
            }
            System.out.println();
        });
    }

    private static double mean(double[] v) {
        return Arrays.stream(v).average().orElse(Double.NaN);
    }
}
