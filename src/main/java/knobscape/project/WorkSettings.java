package knobscape.project;

/// What a project or run optimises: a kernel, a network whose layers are fused, or one whose kernels are tuned. Stored as text, so that runs of one kind do not trouble the other.
public sealed interface WorkSettings permits HlsSettings, FusionSettings, GpuSettings {
    /// The main source as the project file names it.
    String source();
}
