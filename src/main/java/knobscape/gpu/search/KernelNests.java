package knobscape.gpu.search;

import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.space.Configuration;

/// The maker of loop nests from a kernel's configurations.
///
/// @param source a template or sketches
/// @param tail what is fused behind
public record KernelNests(ScheduleSource source, Epilogue tail) {
    /// The loop nests of a configuration.
    public Schedule schedule(Configuration configuration) {
        return source.schedule(configuration, tail);
    }
}
