package knobscape.gpu;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;


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

    /// BTED+BAO on the model of a GTX 1080 Ti, 256 measurements per task, early stop 400.
    public static RunSettings defaultRun() {
        return RunSettings.of("bted+bao", "model:gtx1080ti", 0, 1, 400);
    }

    @Override
    public GpuSettings stored(Place place) {
        return source.isEmpty() || source.startsWith("zoo:") ? this
                : new GpuSettings(place.stored(source), batch, allTemplates, bare, features, minutes);
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("network", source);
        facts.put("batch", Integer.toString(batch));
        return facts;
    }

    @Override
    public List<String> options(WorkSettings project, Place place) {
        return List.of();
    }
}
