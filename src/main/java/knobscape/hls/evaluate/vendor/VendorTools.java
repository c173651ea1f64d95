package knobscape.hls.evaluate.vendor;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.work.tool.Engine;
import knobscape.work.tool.ToolDescription;
import knobscape.work.tool.ToolEvaluator;
import knobscape.work.tool.ToolSettings;

/// The evaluators of this package, by what they drive.
public final class VendorTools {
    /// Name of the vendor's tools on the command line.
    public static final EvaluatorKind VITIS = new EvaluatorKind("vitis");

    private VendorTools() {}

    /// True if a toolchain may be given a program or a folder (`command:FILE`, `told:FILE`, `vitis:FOLDER`).
    public static boolean isTool(String toolchain) {
        return Stream.of(VITIS, EvaluatorKind.COMMAND, EvaluatorKind.TOLD).anyMatch(k -> k.isOf(toolchain));
    }

    /// The vendor's HLS tool and Vivado.
    ///
    /// @param where the tool's folder or executable, empty for the search path
    /// @param folder holds the designs' folders
    public static Evaluator vitis(String where, ToolWork work, ToolSettings limits, Path folder) {
        String path = System.getenv().getOrDefault("PATH", "");
        return new ToolEvaluator(
                new VitisFlow(() -> VendorTool.find(where, path, folder), work, limits.jobs(), folder),
                Engine.of(limits),
                limits,
                folder);
    }

    /// Designs that are evaluated outside and told.
    ///
    /// @param description file with stages, metrics and objectives, those of the vendor's tools where empty
    /// @param here relative paths start here
    public static ReportedResults told(String description, Path here, ToolWork work) {
        EvaluatorInfo standard = work.info(ReportedResults.NAME, "", new double[] {60, 300, 600});
        return new ReportedResults(
                description.isEmpty()
                        ? standard
                        : ToolDescription.info(standard, JsonFields.read(here.resolve(description), 1 << 20)),
                told -> {
                    if (told.containsKey("latency") && told.containsKey("clock")) {
                        told.putIfAbsent(
                                "delay", requireNonNull(told.get("latency")) * requireNonNull(told.get("clock")));
                    }
                    return told;
                });
    }

    /// A program of one's own.
    ///
    /// @param program absolute, or relative to `here`
    /// @param here relative paths start here
    /// @param folder holds the designs' folders
    public static Evaluator command(String program, Path here, ToolWork work, ToolSettings limits, Path folder) {
        if (program.isBlank()) {
            throw new UserError("Name the program that evaluates: --toolchain command:FILE.");
        }
        return new ToolEvaluator(
                new CommandFlow(here.resolve(program).toAbsolutePath().normalize(), work, folder),
                Engine.of(limits),
                limits,
                folder);
    }

    /// The same with so many jobs at once on this machine, whatever it has.
    public static Evaluator command(Path program, ToolWork work, ToolSettings limits, Path folder, int jobs) {
        return new ToolEvaluator(
                new CommandFlow(program, work, folder),
                limits.engine() == ToolSettings.EngineKind.LOCAL ? Engine.local(jobs) : Engine.of(limits),
                limits,
                folder);
    }
}
