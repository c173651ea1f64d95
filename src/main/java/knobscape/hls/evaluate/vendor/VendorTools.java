package knobscape.hls.evaluate.vendor;

import java.nio.file.Path;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;

/// The evaluators of this package, by what they drive.
public final class VendorTools {
    /// Name of the vendor's tools on the command line.
    public static final String VITIS = "vitis";
    /// Name of a program of one's own on the command line.
    public static final String COMMAND = "command";

    private VendorTools() {}

    /// The vendor's HLS tool and Vivado.
    ///
    /// @param where the tool's folder or executable, empty for the search path
    /// @param folder holds the designs' folders
    public static Evaluator vitis(String where, ToolWork work, ToolSettings limits, Path folder) {
        String path = System.getenv().getOrDefault("PATH", "");
        return new ToolEvaluator(
                new VitisFlow(VendorTool.find(where, path, folder), work), Engine.of(limits), limits, folder);
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
}
