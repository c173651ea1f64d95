package knobscape.gpu.space.operator;

import java.util.List;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.Parts.Tensors;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// A template with one kernel that its knobs schedule.
///
/// @param <W> kind of the work
abstract class OneKernel<W extends Workload> implements Template {
    /// The work; of 8-bit integers the extent that is summed over is in words of four.
    final W work;
    final ScheduleSpace space;
    final Tensors tensors;
    private final Identity identity;

    OneKernel(String name, String autoTvmName, W work, ScheduleKnob... knobs) {
        this.work = Shapes.inWords(work);
        space = new ScheduleSpace(List.of(knobs));
        tensors = Tensors.of(work);
        identity = new Identity(name, autoTvmName, work, space);
    }

    static ScheduleKnob split(String name, long length, int parts) {
        return ScheduleKnob.Split.all(name, length, parts);
    }

    static ScheduleKnob maxStep(Integer... values) {
        return new ScheduleKnob.Option("auto_unroll_max_step", List.of(values));
    }

    static ScheduleKnob explicit() {
        return new ScheduleKnob.Option("unroll_explicit", List.of(0, 1));
    }

    @Override
    public final Identity identity() {
        return identity;
    }

    @Override
    public Schedule schedule(Configuration configuration, Epilogue epilogue) {
        return new Schedule(
                this,
                configuration,
                epilogue,
                tensors.arguments(epilogue),
                List.of(),
                List.of(nest(configuration, epilogue)));
    }

    /// The kernel of a configuration.
    abstract LoopNest nest(Configuration c, Epilogue epilogue);
}
