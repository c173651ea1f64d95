package knobscape.gpu.space.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// A tuning template for one piece of work: a space of knobs, and for each configuration the loop nests it stands for.
///
/// Spaces are those of AutoTVM's CUDA templates for 32-bit floats, knob by knob and index by index.
public sealed interface Template permits DirectConvolution, DepthwiseConvolution, WinogradConvolution, SmallBatchDense, LargeBatchDense, BatchMatmul {
    /// From this many rows on a dense layer has the template of large batches.
    long LARGE_BATCH = 32;

    /// What a template is called and what it is for.
    ///
    /// @param name see [Template#name()]
    /// @param autoTvmName see [Template#autoTvmName()]
    /// @param workload see [Template#workload()]
    /// @param space see [Template#space()]
    record Identity(String name, String autoTvmName, Workload workload, ScheduleSpace space) { }

    /// What it is called and what it is for.
    Identity identity();

    /// Short name: `direct`, `depthwise`, `winograd`, `dense-small`, `dense-large`, `batch-matmul`.
    default String name() {
        return identity().name();
    }

    /// The name under which AutoTVM's records have it, for example `conv2d_nchw.cuda`.
    default String autoTvmName() {
        return identity().autoTvmName();
    }

    /// The work.
    default Workload workload() {
        return identity().workload();
    }

    /// Its space.
    default ScheduleSpace space() {
        return identity().space();
    }

    /// The loop nests of a member of the space; throws `IllegalArgumentException` for another configuration.
    Schedule schedule(Configuration configuration, Epilogue epilogue);

    /// The loop nests of a member of the space, without anything fused behind.
    default Schedule schedule(Configuration configuration) {
        return schedule(configuration, Epilogue.NONE);
    }

    /// `workload().id()` and the name, for files and stores: `conv2d_1x64x56x56_k64_3x3_s1_p1/direct`.
    default String id() {
        return workload().id() + "/" + name();
    }

    /// Every template that can compute `workload`, the one tuned by default first; none where [#obstacle] says why.
    static List<Template> of(Workload workload) {
        var all = new ArrayList<Template>();
        if (obstacle(workload).isPresent()) {
            return all;
        }
        switch (workload) {
            case Workload.Conv2d c when c.isDepthwise() -> all.add(new DepthwiseConvolution(c));
            case Workload.Conv2d c -> {
                all.add(new DirectConvolution(c));
                if (c.isWinogradEligible()) {
                    all.add(new WinogradConvolution(c));
                }
            }
            case Workload.Dense d -> {
                if (d.m() >= LARGE_BATCH) {
                    all.add(new LargeBatchDense(d));
                }
                all.add(new SmallBatchDense(d));
            }
            case Workload.BatchMatmul b -> all.add(new BatchMatmul(b));
        }
        return List.copyOf(all);
    }

    /// The template called `name`; throws `IllegalArgumentException` where it does not apply.
    static Template of(Workload workload, String name) {
        return of(workload).stream().filter(t -> t.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("template '" + name + "' cannot compute " + workload.id()));
    }

    /// Why no template can compute `workload`, as a clause; empty where one can.
    static Optional<String> obstacle(Workload workload) {
        if (workload.type() != ElementType.FLOAT32) {
            return Optional.of("templates compute 32-bit floats, not " + workload.type().label());
        }
        if (workload instanceof Workload.Conv2d c && c.groups() > 1 && !c.isDepthwise()) {
            return Optional.of("there is no template for convolutions in groups other than depthwise ones");
        }
        try {
            if (Shapes.largestTensor(workload) > Integer.MAX_VALUE) {
                return Optional.of("a tensor has more elements than a 32-bit index reaches");
            }
        } catch (ArithmeticException _) {
            return Optional.of("a tensor has more elements than a 32-bit index reaches");
        }
        return Optional.empty();
    }
}
