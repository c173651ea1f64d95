package knobscape.gpu.space.template;

import java.util.Optional;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// The maker of loop nests from configurations of one piece of work: a [Template], or the sketches of the work
/// with their annotations (`gpu.space.sketch`). Printing, checking, features and export know only this.
public interface ScheduleSource {
    /// Short name, unique among the sources of a piece of work.
    String name();

    /// The work.
    Workload workload();

    /// Its space.
    ScheduleSpace space();

    /// The loop nests of a member of the space; throws `IllegalArgumentException` for another configuration.
    Schedule schedule(Configuration configuration, Epilogue epilogue);

    /// The loop nests of a member of the space, without anything fused behind.
    default Schedule schedule(Configuration configuration) {
        return schedule(configuration, Epilogue.NONE);
    }

    /// The source's own reason why a member is not worth a device, as a sentence, if there is one; needs no
    /// nests.
    default Optional<String> obstacle(Configuration configuration) {
        return Optional.empty();
    }

    /// `workload().id()` and the name, for files and stores: `conv2d_1x64x56x56_k64_3x3_s1_p1/direct`.
    default String id() {
        return workload().id() + "/" + name();
    }
}
