package knobscape.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.numeric.Parallel;

/// One surrogate per output, none knowing of the others: the posterior covariance is diagonal. The ablation of
/// correlated objectives, and the shape of models that treat objectives one by one.
public final class IndependentOutputs implements Model {
    private final List<Model> models;

    private IndependentOutputs(List<Model> models) {
        this.models = List.copyOf(models);
    }

    /// Trains one model per output with `single`. Warm starts are the models' parameters one after another,
    /// each preceded by its length.
    public static Trainer trainer(Trainer single) {
        return (data, warmStart, seed) -> {
            List<double[]> starts = warmStart.map(IndependentOutputs::split).orElse(List.of());
            Model[] fitted = new Model[data.outputs()];
            Parallel.chunks(
                    fitted.length,
                    1,
                    (j, end) -> fitted[j] = single.fit(
                            data.output(j),
                            j < starts.size() ? Optional.of(starts.get(j)) : Optional.empty(),
                            seed + j));
            return new IndependentOutputs(Arrays.asList(fitted));
        };
    }

    /// The parameters of models one after another, each preceded by their number; [#split] takes them apart.
    static double[] joined(List<Model> models) {
        return models.stream()
                .map(Model::parameters)
                .flatMapToDouble(p -> DoubleStream.concat(DoubleStream.of(p.length), Arrays.stream(p)))
                .toArray();
    }

    static List<double[]> split(double[] joined) {
        List<double[]> parts = new ArrayList<>();
        int at = 0;
        while (at < joined.length) {
            int length = (int) joined[at];
            if (length < 0 || at + 1 + length > joined.length) {
                return List.of();
            }
            parts.add(Arrays.copyOfRange(joined, at + 1, at + 1 + length));
            at += 1 + length;
        }
        return parts;
    }

    @Override
    public int outputs() {
        return models.size();
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return join(x.length, j -> models.get(j).posterior(x, lower));
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return join(x.length, j -> models.get(j).screen(x, lower));
    }

    private Posterior join(int size, IntFunction<Posterior> single) {
        int m = models.size();
        GaussianPosterior joint = GaussianPosterior.blank(size, m);
        for (int j = 0; j < m; j++) {
            Posterior p = single.apply(j);
            for (int i = 0; i < size; i++) {
                joint.means()[i * m + j] = p.mean(i, 0);
                joint.covariances()[(i * m + j) * m + j] = p.covariance(i, 0, 0);
                joint.inherited()[(i * m + j) * m + j] = p.inherited(i, 0, 0);
            }
        }
        return joint;
    }

    @Override
    public double[][][] paths(double[][] x, double[][][] lower, long seed) {
        int m = models.size();
        double[][][] joint = new double[lower.length][x.length][m];
        for (int j = 0; j < m; j++) {
            double[][][] one = models.get(j).paths(x, lower, seed + j);
            for (int s = 0; s < lower.length; s++) {
                for (int i = 0; i < x.length; i++) {
                    joint[s][i][j] = one[s][i][0];
                }
            }
        }
        return joint;
    }

    @Override
    public double[] noise() {
        return models.stream().mapToDouble(s -> s.noise()[0]).toArray();
    }

    @Override
    public Model given(TrainingData data) {
        return new IndependentOutputs(IntStream.range(0, models.size())
                .mapToObj(j -> models.get(j).given(data.output(j)))
                .toList());
    }

    @Override
    public double[] parameters() {
        return joined(models);
    }

    @Override
    public double fitness() {
        return models.stream().mapToDouble(Model::fitness).average().orElse(0);
    }

    @Override
    public Map<String, double[]> diagnostics() {
        var all = new LinkedHashMap<String, double[]>();
        for (int j = 0; j < models.size(); j++) {
            int output = j;
            models.get(j).diagnostics().forEach((k, v) -> all.put(k + "." + output, v));
        }
        return all;
    }
}
