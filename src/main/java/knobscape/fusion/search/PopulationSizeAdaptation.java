package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.fusion.evaluate.Cost;

/// TBPSA, an evolution strategy that widens its population where a test sees no progress (Hellwig and Beyer
/// 2016, in nevergrad's form). lambda samples around a centre, each with a step size of its own; centre and
/// step size become means over the best mu. After every 5 lambda values the first and the last fifth are
/// compared: without a clear gain mu doubles, else it shrinks by 0.84. The last evaluation is spent on the
/// centre, which is what the method recommends.
final class PopulationSizeAdaptation implements Search {
    private static final int LAMBDA_PER_MU = 4;
    private static final int WINDOW = 5;
    private static final double CLEAR = 2;
    private static final double SHRINK = 0.84;

    private record Point(double[] x, double sigma) {}

    private record Sample(Point point, double fitness) {}

    private final Problem problem;
    private final SplittableRandom random;
    private final Coordinates space;
    private final int d;
    private double[] centre;
    private double sigma;
    private int mu;
    /// Points and step sizes asked for last.
    private List<Point> asked = List.of();
    private final List<Double> values = new ArrayList<>();

    PopulationSizeAdaptation(Problem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
        space = new Coordinates(problem.model());
        d = space.dimension();
        centre = new double[d];
        Arrays.fill(centre, space.middle());
        sigma = space.sigma();
        mu = d;
    }

    @Override
    public List<int[]> ask(int left) {
        if (left == 1) {
            return List.of(space.decode(centre));
        }
        asked = Stream.generate(this::draw)
                .limit(Math.min(LAMBDA_PER_MU * mu, left - 1))
                .toList();
        return asked.stream().map(p -> space.decode(p.x())).toList();
    }

    private Point draw() {
        double own = sigma * Math.exp(random.nextGaussian() / Math.sqrt(d));
        double[] x = new double[d];
        for (int i = 0; i < d; i++) {
            x[i] = space.clip(centre[i] + own * random.nextGaussian());
        }
        return new Point(x, own);
    }

    @Override
    public void tell(List<Cost> costs) {
        int lambda = LAMBDA_PER_MU * mu;
        if (costs.size() < lambda) {
            // Only the centre is left to be asked for.
            return;
        }
        var samples = new ArrayList<Sample>();
        for (int i = 0; i < lambda; i++) {
            samples.add(new Sample(asked.get(i), problem.fitness(costs.get(i))));
            values.add(samples.get(i).fitness());
        }
        samples.sort(Comparator.comparingDouble(Sample::fitness));
        centre = new double[d];
        double logs = 0;
        for (Sample s : samples.subList(0, mu)) {
            for (int i = 0; i < d; i++) {
                centre[i] += s.point().x()[i] / mu;
            }
            logs += Math.log(s.point().sigma()) / mu;
        }
        sigma = Math.exp(logs);
        if (values.size() >= WINDOW * lambda) {
            mu = clearGain(values, lambda) ? (int) Math.max(d, SHRINK * mu) : 2 * mu;
            values.clear();
        }
    }

    /// True if the last fifth is better than the first by more than chance: difference of means over the root
    /// of the summed squared standard errors.
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
