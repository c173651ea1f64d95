package knobscape.explore.bayes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.space.Configuration;
import knobscape.space.FeatureEncoder;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.LadderData;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.ProcessTrainer;

/// Run by hand: how well ladders predict held-out measured designs: negative log predictive density per value,
/// root mean squared error in units of the objective's deviation, share inside 90 % intervals. Arguments:
/// `seeds settings [files...]`.
final class CalibrationTrial {
    private static GpSettings settings(String text) {
        GpSettings d = GpSettings.DEFAULT;
        double[] v = {
            d.lengthCentre(),
            d.linkLengthCentre(),
            d.lengthDeviation(),
            d.lowerLengthCentre(),
            d.slopeCentre(),
            d.scaleDeviation(),
            d.errorScale(),
            d.noiseCentre(),
            d.noiseDeviation()
        };
        for (String part : text.split("/")) {
            if (part.contains("=")) {
                String[] kv = part.split("=");
                v[
                                List.of("len", "link", "lensd", "low", "slope", "scale", "err", "noise", "noisesd")
                                        .indexOf(kv[0])] =
                        Double.parseDouble(kv[1]);
            }
        }
        return new GpSettings(
                v[0],
                v[1],
                v[2],
                v[3],
                text.contains("curved") ? GpSettings.LowerLink.CURVED : d.link(),
                v[4],
                v[5],
                v[6],
                v[7],
                v[8],
                d.noiseFloor(),
                d.starts(),
                d.iterations(),
                d.warmIterations(),
                d.fitnessDrop(),
                d.propagationSamples());
    }

    public static void main(String[] args) {
        int seeds = Integer.parseInt(args[0]);
        for (String text : args[1].split(",")) {
            Model.Trainer trainer = new ProcessTrainer(settings(text));
            List<double[]> all = Collections.synchronizedList(new ArrayList<>());
            for (int f = 2; f < args.length; f++) {
                ReplaySet set = ReplaySet.open(Path.of(args[f]));
                List<String> metrics = set.evaluator().info().objectives();
                List<Configuration> pool = set.space().enumerate().toList();
                double[][] full = new FeatureEncoder(set.space().knobs()).encodeAll(pool);
                int[] columns = java.util.stream.IntStream.range(0, full[0].length)
                        .filter(c -> Arrays.stream(full).anyMatch(r -> r[c] != full[0][c]))
                        .toArray();
                double[][] x = Arrays.stream(full)
                        .map(r -> Arrays.stream(columns).mapToDouble(c -> r[c]).toArray())
                        .toArray(double[][]::new);
                double[][] hls = values(set, pool, metrics, 0);
                double[][] syn = values(set, pool, metrics, 1);
                double[][] impl = values(set, pool, metrics, 2);
                double[][] syn2 = drop(syn);
                double[][] hls2 = drop(hls);
                for (int n : new int[] {8, 16, 32}) {
                    double[][] result = new double[seeds][];
                    java.util.stream.IntStream.range(0, seeds).parallel().forEach(seed -> {
                        int[] order = shuffled(pool.size(), seed);
                        int[] train = Arrays.copyOf(order, n);
                        int[] more = Arrays.copyOf(order, Math.min(order.length, 3 * n));
                        int[] test = Arrays.copyOfRange(order, 3 * n, order.length);
                        int[] same = java.util.stream.IntStream.range(0, n).toArray();
                        var single = new LadderData(List.of(level(x, impl, train, none(n))));
                        var ladder = new LadderData(List.of(
                                level(x, hls2, more, none(more.length)),
                                level(x, syn2, train, same),
                                level(x, impl, train, same)));
                        double[] a = score(
                                FidelityLadder.fit(single, trainer, List.of(Optional.empty()), 1),
                                x,
                                test,
                                impl,
                                new double[1][][]);
                        List<Optional<double[]>> cold = List.of(Optional.empty(), Optional.empty(), Optional.empty());
                        FidelityLadder l = FidelityLadder.fit(ladder, trainer, cold, 1);
                        double[] b = score(l, x, test, impl, new double[][][] {
                            FidelityLadder.unknown(test.length, hls2[0].length),
                            FidelityLadder.unknown(test.length, syn2[0].length),
                            {}
                        });
                        double[] c = score(l, x, test, impl, new double[][][] {
                            Arrays.stream(test).mapToObj(i -> hls2[i]).toArray(double[][]::new),
                            FidelityLadder.unknown(test.length, syn2[0].length),
                            {}
                        });
                        result[seed] = new double[] {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]};
                    });
                    double[] mean = new double[9];
                    for (double[] r : result) {
                        for (int i = 0; i < 9; i++) {
                            mean[i] += r[i] / seeds;
                        }
                    }
                    all.add(mean);
                    print(Path.of(args[f]).getFileName() + " n=" + n, mean);
                }
            }
            for (int k = 0; k < 3; k++) {
                double[] mean = new double[9];
                for (int i = k; i < all.size(); i += 3) {
                    for (int j = 0; j < 9; j++) {
                        mean[j] += 3 * all.get(i)[j] / all.size();
                    }
                }
                print("ALL " + text + " n=" + (8 << k), mean);
            }
        }
    }

    private static void print(String what, double[] m) {
        System.out.printf(
                "%-40s single: %6.3f rmse %.3f cover %.2f | ladder, hls unknown: %6.3f rmse %.3f cover %.2f | hls known: %6.3f rmse %.3f cover %.2f%n",
                what, m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
    }

    private static int[] none(int n) {
        int[] rows = new int[n];
        Arrays.fill(rows, -1);
        return rows;
    }

    private static LadderData.Level level(double[][] x, double[][] y, int[] rows, int[] lower) {
        return new LadderData.Level(
                Arrays.stream(rows).mapToObj(i -> x[i]).toArray(double[][]::new),
                Arrays.stream(rows).mapToObj(i -> y[i]).toArray(double[][]::new),
                lower);
    }

    private static double[][] drop(double[][] y) {
        int[] columns = java.util.stream.IntStream.range(0, y[0].length)
                .filter(c -> !Double.isNaN(y[0][c]))
                .toArray();
        return Arrays.stream(y)
                .map(r -> Arrays.stream(columns).mapToDouble(c -> r[c]).toArray())
                .toArray(double[][]::new);
    }

    private static double[] score(
            FidelityLadder ladder, double[][] x, int[] test, double[][] impl, double[][][] known) {
        Posterior p = ladder.posteriors(Arrays.stream(test).mapToObj(i -> x[i]).toArray(double[][]::new), known)
                .getLast();
        double[] noise = ladder.models().getLast().noise();
        double nlpd = 0;
        double squares = 0;
        double covered = 0;
        int m = impl[0].length;
        for (int j = 0; j < m; j++) {
            int objective = j;
            double[] y = Arrays.stream(impl).mapToDouble(r -> r[objective]).toArray();
            double mean = Arrays.stream(y).average().orElse(0);
            double sd = Math.sqrt(
                    Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(1));
            for (int i = 0; i < test.length; i++) {
                double s = Math.sqrt(p.covariance(i, j, j) + noise[j]) / sd;
                double e = (impl[test[i]][j] - p.mean(i, j)) / sd;
                nlpd += 0.5 * Math.log(2 * Math.PI * s * s) + 0.5 * e * e / (s * s);
                squares += e * e;
                covered += Math.abs(e) <= 1.6449 * s ? 1 : 0;
            }
        }
        double count = test.length * m;
        return new double[] {nlpd / count, Math.sqrt(squares / count), covered / count};
    }

    private static double[][] values(ReplaySet set, List<Configuration> pool, List<String> metrics, int rank) {
        return pool.stream()
                .map(c -> {
                    List<Evaluation> e = set.stages(c);
                    return metrics.stream()
                            .mapToDouble(m -> e.get(rank).value(m).stream()
                                    .map(Math::log10)
                                    .findFirst()
                                    .orElse(Double.NaN))
                            .toArray();
                })
                .toArray(double[][]::new);
    }

    private static int[] shuffled(int n, long seed) {
        int[] order = java.util.stream.IntStream.range(0, n).toArray();
        var random = new SplittableRandom(1000 + seed);
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        return order;
    }
}
