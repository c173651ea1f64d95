package knobscape.project;

/// What a project tunes: the kernels of one network. The device is the run's toolchain, the measurements its steps. Paths are relative to the project folder, or absolute.
///
/// @param source an ONNX, JSON or CSV file, or `zoo:NAME`; empty where the device is `replay:FILE`, which is its own task
/// @param batch inputs per run of the network
/// @param allTemplates whether every template of a task is tuned, not only the first
/// @param bare whether kernels are measured without what the network fuses behind them
/// @param features what cost models see
/// @param minutes most time of a start, 0 for no limit
public record GpuSettings(String source, int batch, boolean allTemplates, boolean bare, String features, double minutes) implements WorkSettings {
    /// Throws [IllegalArgumentException] naming the first impossible value.
    public GpuSettings {
        if (batch < 1) {
            throw new IllegalArgumentException("the batch must be 1 or more, not " + batch);
        }
        if (!(minutes >= 0) || Double.isInfinite(minutes)) {
            throw new IllegalArgumentException("minutes must be 0 or more, not " + minutes);
        }
    }
}
