package knobscape.gpu.export;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.template.Schedule;
import tools.jackson.databind.json.JsonMapper;

/// Writes a schedule as source that can be carried away: kernels, how to launch them, a host example that
/// checks and times them, and the schedule itself.
public final class GpuExporter {
    private GpuExporter() {}

    /// Writes [#files] into a folder, and gives their paths. Replaces nothing but what it wrote. Throws
    /// [knobscape.evaluate.UserError] where the folder cannot be written.
    public static List<Path> write(Schedule schedule, KernelLanguage dialect, Path folder) {
        return plan(schedule, dialect, folder, FileGuard.standard()).write();
    }

    /// The files that [#write] would write.
    public static FilePlan plan(Schedule schedule, KernelLanguage dialect, Path folder, FileGuard guard) {
        return new FilePlan(guard, folder, files(schedule, dialect), Map.of());
    }

    /// `kernels.cu` (or `.cl`), `launch.h`, `reference.h`, `main.cu` (or `main.c`) and `schedule.json`.
    public static Map<String, byte[]> files(Schedule schedule, KernelLanguage dialect) {
        if (dialect != KernelLanguage.CUDA && schedule.kernels().stream().anyMatch(LoopNest::hasFragments)) {
            throw new UserError("OpenCL has no words for tensor cores; export these kernels as CUDA.");
        }
        String host = dialect == KernelLanguage.CUDA ? "main.cu" : "main.c";
        var files = new LinkedHashMap<String, String>();
        files.put(
                "kernels." + dialect.extension(),
                "// " + schedule.source().id() + ", fused behind: "
                        + schedule.epilogue().words() + "\n" + KernelPrinter.source(schedule, dialect));
        files.put("launch.h", LaunchHeader.of(schedule));
        files.put("reference.h", CReference.of(schedule));
        files.put(host, resource(host));
        files.put("schedule.json", json(schedule));
        return FileGuard.bytes(files);
    }

    /// The schedule as a JSON document.
    public static String json(Schedule schedule) {
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(ScheduleJson.write(schedule))
                + "\n";
    }

    /// A file among the program's resources.
    static String resource(String name) {
        try (InputStream in = GpuExporter.class.getResourceAsStream("/knobscape/gpu/export/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the program is damaged: " + name + " is missing", e);
        }
    }
}
