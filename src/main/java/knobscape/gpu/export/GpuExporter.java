package knobscape.gpu.export;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.report.FileOutput;
import knobscape.gpu.codegen.Dialect;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.template.Schedule;
import tools.jackson.databind.json.JsonMapper;

/// Writes a schedule as source that can be carried away: kernels, how to launch them, a host example that
/// checks and times them, and the schedule itself.
public final class GpuExporter {
    private GpuExporter() {}

    /// Writes `kernels.cu` (or `.cl`), `launch.h`, `reference.h`, `main.cu` (or `main.c`) and `schedule.json`
    /// into a folder, and gives their paths. Files of those names are replaced. Throws
    /// [knobscape.evaluate.UserError] where the folder cannot be written.
    public static List<Path> write(Schedule schedule, Dialect dialect, Path folder) {
        Path kernels = folder.resolve("kernels." + dialect.extension());
        Path header = folder.resolve("launch.h");
        Path reference = folder.resolve("reference.h");
        Path host = folder.resolve(dialect == Dialect.CUDA ? "main.cu" : "main.c");
        Path json = folder.resolve("schedule.json");
        FileOutput.write(
                kernels,
                "// " + schedule.template().id() + ", fused behind: "
                        + schedule.epilogue().words() + "\n" + KernelPrinter.source(schedule, dialect));
        FileOutput.write(header, LaunchHeader.of(schedule));
        FileOutput.write(reference, CReference.of(schedule));
        FileOutput.write(host, resource(host.getFileName().toString()));
        FileOutput.write(json, json(schedule));
        return List.of(kernels, header, reference, host, json);
    }

    /// The schedule as a JSON document.
    public static String json(Schedule schedule) {
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(ScheduleJson.write(schedule))
                + "\n";
    }

    private static String resource(String name) {
        try (InputStream in = GpuExporter.class.getResourceAsStream("/knobscape/gpu/export/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the program is damaged: " + name + " is missing", e);
        }
    }
}
