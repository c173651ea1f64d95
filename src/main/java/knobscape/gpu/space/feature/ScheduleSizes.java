package knobscape.gpu.space.feature;

import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.Shapes;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import knobscape.space.Encoder;

/// Sizes that decide how fast a schedule is, whatever layer it is of, as binary logarithms of one plus each:
/// threads of a block, blocks, shared bytes, floats in registers, floats in registers of a block; then the
/// shape of the task. The derived features of an [knobscape.explore.Experience].
///
/// @param source whose schedules
public record ScheduleSizes(ScheduleSource source) implements Encoder {
    private static final int OF_NEST = 5;

    @Override
    public int length() {
        return OF_NEST + (int) shape().count();
    }

    @Override
    public double[] encode(Configuration configuration) {
        LoopNest nest = source.schedule(configuration).main();
        return DoubleStream.concat(
                        LongStream.of(
                                        nest.threads(),
                                        nest.blocks(),
                                        nest.sharedBytes(),
                                        nest.localFloats(),
                                        nest.localFloats() * nest.threads())
                                .mapToDouble(ScheduleSizes::log),
                        shape())
                .toArray();
    }

    private DoubleStream shape() {
        return (switch (source.workload()) {
                    case Workload.Conv2d c ->
                        LongStream.of(
                                c.channels(), c.filters(), c.outHeight(), c.outWidth(), c.strideHeight(), c.batch());
                    case Workload.Dense d -> LongStream.of(d.m(), d.n(), d.k());
                    case Workload.BatchMatmul b -> LongStream.of(b.batch(), b.m(), b.n(), b.k());
                    case Workload.Graph g -> LongStream.of(g.flops(), Shapes.elements(g));
                })
                .mapToDouble(ScheduleSizes::log);
    }

    private static double log(long value) {
        return Math.log(1.0 + value) / Math.log(2);
    }
}
