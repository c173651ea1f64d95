package knobscape.gpu.space.template;

import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// A tuning template for one piece of work: a space of knobs, and for each configuration the loop nests it
/// stands for.
///
/// Those of the operators are found by `gpu.space.operator.Templates`.
public interface Template {
    /// What a template is called and what it is for.
    ///
    /// @param name see [Template#name()]
    /// @param autoTvmName see [Template#autoTvmName()]
    /// @param workload see [Template#workload()]
    /// @param space see [Template#space()]
    record Identity(String name, String autoTvmName, Workload workload, ScheduleSpace space) {}

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
}
