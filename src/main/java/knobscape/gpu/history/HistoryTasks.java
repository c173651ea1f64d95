package knobscape.gpu.history;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.operator.Sources;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.task.LayerGroup;
import knobscape.network.task.Workload;
import knobscape.space.Knob;
import knobscape.work.history.HistoryTask;
import tools.jackson.databind.json.JsonMapper;

/// The names of kernels in the history.
public final class HistoryTasks {
    /// Name of the area in the history.
    public static final String AREA = "gpu";
    private static final String VERSION = "@1";

    private HistoryTasks() {}

    /// A kernel of a template or of sketches with something fused behind.
    ///
    /// @param words the work for a person
    public static HistoryTask of(
            ScheduleSource source, String tail, String words, String device, String driver, boolean isModel) {
        return new HistoryTask(
                AREA,
                new HistoryTask.Measurer(device, driver, isModel),
                LayerGroup.of(source.workload()).name(),
                source.workload().id(),
                words,
                ScheduleJson.write(source.workload()).toString(),
                source.name() + VERSION,
                tail,
                Optional.empty());
    }

    /// A measured set; sets of one kernel on several devices are one subject. What this program wrote of a model stays
    /// a model's.
    public static HistoryTask of(MeasuredSet set) {
        String file = set.name().replaceFirst(".*/", "");
        // A file of Triton is called as its kernel, whose name then says the sizes.
        String shape = set.kind().name().startsWith(file + " (") ? "" : file.replaceFirst("^[^_]*_?", "");
        return new HistoryTask(
                AREA,
                new HistoryTask.Measurer(device(set.device()), "", ModelDevice.KIND.isOf(set.device())),
                group(set),
                set.kind().name() + (set.kind().file().equals(".*") || shape.isEmpty() ? "" : "/" + shape),
                set.kind().description(),
                "",
                "set-"
                        + Integer.toHexString(set.space().knobs().list().stream()
                                .map(Knob::name)
                                .toList()
                                .hashCode()) + VERSION,
                "bare",
                Optional.of(set.space().knobs()));
    }

    /// The group of a measured set's kernel.
    static String group(MeasuredSet set) {
        return "set " + set.kind().name();
    }

    /// The source that computes a task; empty where this program has none of that name, or it is of a measured set.
    public static Optional<ScheduleSource> source(HistoryTask task) {
        if (task.work().isEmpty()) {
            return Optional.empty();
        }
        Workload w = ScheduleJson.workload(JsonMapper.shared().readTree(task.work()), "the tuning history");
        return task.template().endsWith(VERSION)
                ? Sources.of(w, task.template().substring(0, task.template().length() - VERSION.length()))
                : Optional.empty();
    }

    /// The device that a run's evaluator asks.
    public static String device(String toolchain, String description) {
        if (ModelDevice.KIND.isOf(toolchain)) {
            return toolchain;
        }
        return device(description.isEmpty() ? toolchain : description);
    }

    /// One name for the spellings of a device: `NVIDIA GeForce GTX 1080 Ti`, `1080ti` and `gtx1080ti` are one.
    public static String device(String name) {
        String plain = name.replaceFirst("(?i)^(NVIDIA|AMD|Intel\\(R\\))\\s+", "")
                .replaceFirst("(?i)^(GeForce|Tesla|Quadro|Radeon)\\s+", "")
                .strip();
        return GpuSpec.find(name)
                .or(() -> GpuSpec.find(plain))
                .map(GpuSpec::label)
                .orElse(plain.isEmpty() ? "unknown" : plain);
    }

    /// The device of a TVM target: its model, else its architecture, else its kind.
    static String ofTarget(String target) {
        return Arrays.stream(new String[] {"-model=", "-device=", "-arch=", "-mcpu="})
                .flatMap(option -> Arrays.stream(target.split("\\s+"))
                        .filter(w -> w.startsWith(option) && !w.endsWith("=unknown"))
                        .map(w -> w.substring(option.length())))
                .findFirst()
                .map(HistoryTasks::device)
                .orElseGet(() -> target.isBlank() ? "unknown" : target.split("\\s+")[0].toLowerCase(Locale.ROOT));
    }
}
