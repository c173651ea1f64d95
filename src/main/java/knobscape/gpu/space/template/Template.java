package knobscape.gpu.space.template;

import knobscape.network.task.Workload;

/// A tuning template of AutoTVM for one piece of work: a space of knobs, and for each configuration the loop
/// nests it stands for.
///
/// Those of the operators are found by `gpu.space.operator.Templates`.
public interface Template extends ScheduleSource {
    /// The name and the purpose of a template.
    ///
    /// @param name see [Template#name()]
    /// @param autoTvmName see [Template#autoTvmName()]
    /// @param workload see [Template#workload()]
    /// @param space see [Template#space()]
    record Identity(String name, String autoTvmName, Workload workload, ScheduleSpace space) {}

    /// The name and the purpose of the template.
    Identity identity();

    /// Short name: `direct`, `depthwise`, `winograd`, `dense-small`, `dense-large`, `batch-matmul`.
    @Override
    default String name() {
        return identity().name();
    }

    /// The name under which AutoTVM's records have it, for example `conv2d_nchw.cuda`.
    default String autoTvmName() {
        return identity().autoTvmName();
    }

    @Override
    default Workload workload() {
        return identity().workload();
    }

    @Override
    default ScheduleSpace space() {
        return identity().space();
    }
}
