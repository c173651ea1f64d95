package knobscape.pareto;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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

/// Hypervolume of points none of which dominates another (on a sphere, the hard case): 200 points in 3
/// objectives have to take less than 1 ms. Run by hand: `java -cp <test class path> org.openjdk.jmh.Main
/// HypervolumeBenchmark`.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HypervolumeBenchmark {
    /// Points on the front.
    @Param({"50", "200"})
    public int points;
    /// Objectives.
    @Param({"2", "3"})
    public int objectives;

    private double[][] front;
    private double[] reference;

    /// Draws the front.
    @Setup
    public void draw() {
        var random = new SplittableRandom(1);
        front = new double[points][objectives];
        for (double[] y : front) {
            double norm = 0;
            for (int j = 0; j < objectives; j++) {
                y[j] = Math.abs(random.nextGaussian());
                norm += y[j] * y[j];
            }
            for (int j = 0; j < objectives; j++) {
                y[j] = 1.05 - y[j] / Math.sqrt(norm);
            }
        }
        reference = new double[objectives];
        java.util.Arrays.fill(reference, 1.1);
    }

    /// The volume.
    @Benchmark
    public double hypervolume() {
        return Hypervolume.of(front, reference);
    }
}
