package knobscape.gpu.evaluate.model;

import java.nio.file.Path;
import java.util.*;
import knobscape.gpu.evaluate.replay.*;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import smile.math.MathEx;

/// By hand: rank correlation of the model with measured sets; further arguments name knobs whose mean log ratio
/// of model to measurement is printed.
final class ModelTrial {
    private ModelTrial() {}

    public static void main(String[] arguments) throws Exception {
        for (String file : arguments[0].split(",")) {
            MeasuredSet set = MeasuredSet.open(Path.of(file));
            var gpu = GpuSpec.named(set.device());
            var model = new GpuModel(gpu);
            var kernels = new MeasuredKernels(gpu);
            var measured = new ArrayList<Double>();
            var predicted = new ArrayList<Double>();
            var effect = new TreeMap<String, double[]>();
            var bounds = new TreeMap<String, Integer>();
            int n = set.space().size().intValue();
            int step = Math.max(1, n / 20000) | 1;
            for (int i = 0; i < n; i += step) {
                var c = set.space().at(java.math.BigInteger.valueOf(i));
                double t = set.milliseconds(c);
                if (Double.isNaN(t)) {
                    continue;
                }
                var e = model.estimate(kernels.profile(set.kind().kernel(), c).orElseThrow());
                double p = Math.min(1e6, e.milliseconds());
                bounds.merge(e.bound(), 1, Integer::sum);
                measured.add(t);
                predicted.add(p);
                for (int a = 1; a < arguments.length; a++) {
                    String key = "";
                    for (String kn : arguments[a].split("\\+"))
                        key += kn + "=" + c.toMap().get(kn) + " ";
                    double[] s = effect.computeIfAbsent(key, x -> new double[3]);
                    s[0] += Math.log(p / t);
                    s[1]++;
                    s[2] += Math.log(p / t) * Math.log(p / t);
                }
            }
            double ratio = 0;
            for (int i = 0; i < measured.size(); i++) ratio += Math.log(predicted.get(i) / measured.get(i));
            System.out.printf(
                    "%-30s Spearman %.4f  mean log ratio %.2f  %s%n",
                    set.name(),
                    MathEx.spearman(
                            measured.stream().mapToDouble(v -> v).toArray(),
                            predicted.stream().mapToDouble(v -> v).toArray()),
                    ratio / measured.size(),
                    bounds);
            effect.forEach((k, v) -> System.out.printf(
                    "   %-40s %.2f sd %.2f (%d)%n",
                    k, v[0] / v[1], Math.sqrt(v[2] / v[1] - v[0] / v[1] * v[0] / v[1]), (int) v[1]));
        }
    }
}
