package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/// TBPSA, an evolution strategy that widens its population where a test sees no progress (Hellwig and Beyer 2016, in nevergrad's form). lambda samples around a centre, each with a step size of its
/// own; centre and step size become means over the best mu. After every 5 lambda values the first and the last fifth are compared: without a clear gain mu doubles, else it shrinks by 0.84.
/// The last evaluation is spent on the centre, which is what the method recommends.
public record PopulationSizeAdaptation() implements Searcher {
    private static final int LAMBDA_PER_MU = 4;
    private static final int WINDOW = 5;
    private static final double CLEAR = 2;
    private static final double SHRINK = 0.84;

    private record Sample(double[] x, double sigma, double fitness) { }

    @Override
    public void search(Trials trials, SplittableRandom random) {
        var space = new Coordinates(trials.model());
        int d = space.dimension();
        double[] centre = new double[d];
        Arrays.fill(centre, space.middle());
        double sigma = space.sigma();
        int mu = d;
        List<Double> values = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        while (trials.left() > 1) {
            double own = sigma * Math.exp(random.nextGaussian() / Math.sqrt(d));
            double[] x = new double[d];
            for (int i = 0; i < d; i++) {
                x[i] = space.clip(centre[i] + own * random.nextGaussian());
            }
            var sample = new Sample(x, own, trials.fitness(space.decode(x)));
            samples.add(sample);
            values.add(sample.fitness());
            int lambda = LAMBDA_PER_MU * mu;
            if (samples.size() == lambda) {
                samples.sort(Comparator.comparingDouble(Sample::fitness));
                Arrays.fill(centre, 0);
                double logs = 0;
                for (Sample s : samples.subList(0, mu)) {
                    for (int i = 0; i < d; i++) {
                        centre[i] += s.x()[i] / mu;
                    }
                    logs += Math.log(s.sigma()) / mu;
                }
                sigma = Math.exp(logs);
                samples.clear();
            }
            if (values.size() >= WINDOW * lambda && samples.isEmpty()) {
                mu = clearGain(values, lambda) ? (int) Math.max(d, SHRINK * mu) : 2 * mu;
                values.clear();
            }
        }
        trials.judge(space.decode(centre));
    }

    /// Whether the last fifth is better than the first by more than chance: difference of means over the root of the summed squared standard errors.
    static boolean clearGain(List<Double> values, int fifth) {
        List<Double> first = values.subList(0, fifth);
        List<Double> last = values.subList(values.size() - fifth, values.size());
        double error = Math.sqrt(variance(first) / fifth + variance(last) / fifth);
        double gain = mean(first) - mean(last);
        return error > 0 ? gain / error >= CLEAR : gain > 0;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static double variance(List<Double> values) {
        double mean = mean(values);
        return values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum() / Math.max(1, values.size() - 1);
    }
}
