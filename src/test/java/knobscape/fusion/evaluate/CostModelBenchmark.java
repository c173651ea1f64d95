package knobscape.fusion.evaluate;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.space.Strategy;
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

/// Strategies evaluated in a second, on one thread unless JMH is told `-t 2`. The aim is 200 000 for ResNet-50
/// on two cores.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class CostModelBenchmark {
    private static final int STRATEGIES = 1024;

    @Param({"resnet50", "vgg16"})
    private String network;

    private FusionCostModel model;
    private int[][] strategies;
    private IncrementalCost incremental;
    private int next;

    @Setup
    public void prepare() {
        model = new FusionCostModel(FusionSamples.zoo(network), Accelerator.calibrated(), 64);
        var random = new SplittableRandom(1);
        strategies = new int[STRATEGIES][model.layers() + 1];
        for (int[] s : strategies) {
            for (int i = 0; i < s.length; i++) {
                s[i] = i > 0 && random.nextInt(4) == 0 ? Strategy.SYNC : 1 + random.nextInt(64);
            }
        }
        incremental = new IncrementalCost(model, Strategy.of(strategies[0]));
    }

    @Benchmark
    public Cost whole() {
        next = (next + 1) % STRATEGIES;
        return model.evaluate(strategies[next]);
    }

    @Benchmark
    public Cost oneEntryChanged() {
        next = (next + 1) % STRATEGIES;
        int i = 1 + next % model.layers();
        return incremental.set(i, strategies[next][i]);
    }
}
