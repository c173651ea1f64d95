package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import knobscape.numeric.Sobol;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.surrogate.GaussianPosterior;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Expected improvement of 10 000 candidates in 3 correlated objectives by 128 samples over a front as it is
/// late in a run: less than 300 ms. Run by hand: `java -cp <test class path> org.openjdk.jmh.Main
/// EipvBenchmark`.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EipvBenchmark {
    private static final int CANDIDATES = 10_000;
    private static final int M = 3;
    private static final int SAMPLES = 128;

    /// Points on the front.
    @Param({"10", "25"})
    public int front;

    private NonDominatedBoxes boxes;
    private GaussianPosterior posterior;
    private double[][] normals;

    /// Draws the front and what is believed of the candidates: half of them may improve it, half hardly.
    @Setup
    public void draw() {
        var random = new SplittableRandom(1);
        double[][] points = new double[front][M];
        for (double[] y : points) {
            Arrays.setAll(y, j -> Math.abs(random.nextGaussian()));
            double norm = Math.sqrt(Arrays.stream(y).map(v -> v * v).sum());
            Arrays.setAll(y, j -> 1.05 - 0.8 * y[j] / norm);
        }
        double[] reference = new double[M];
        Arrays.fill(reference, 1.1);
        boxes = NonDominatedBoxes.of(points, reference);
        normals = Sobol.normals(SAMPLES, M, 1);
        posterior = GaussianPosterior.blank(CANDIDATES, M);
        for (int i = 0; i < CANDIDATES; i++) {
            for (int j = 0; j < M; j++) {
                posterior.means()[i * M + j] = random.nextDouble(0.2, 1.1);
                for (int k = 0; k < M; k++) {
                    posterior.covariances()[(i * M + j) * M + k] = j == k ? 0.02 : 0.01;
                }
            }
        }
    }

    /// Correlated objectives by samples.
    @Benchmark
    public double[] sampled() {
        return Eipv.sampled(boxes, List.of(Scale.LINEAR, Scale.LINEAR, Scale.LINEAR), normals)
                .score(posterior);
    }

    /// The same with logarithms modelled, as CGP does.
    @Benchmark
    public double[] sampledLogarithms() {
        return Eipv.sampled(boxes, List.of(Scale.LOG10, Scale.LOG10, Scale.LOG10), normals)
                .score(posterior);
    }

    /// Independent objectives in closed form.
    @Benchmark
    public double[] exact() {
        return Eipv.exact(boxes, List.of(Scale.LINEAR, Scale.LINEAR, Scale.LINEAR))
                .score(posterior);
    }
}
