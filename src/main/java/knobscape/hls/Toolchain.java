package knobscape.hls;

import java.nio.file.Path;
import knobscape.evaluate.Evaluator;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.space.DirectiveSpace;
import knobscape.work.Named;

/// Who evaluates designs, by name.
///
/// @param name as on the command line, before any colon (`estimator`, `command`)
/// @param label for a person
/// @param description one sentence
/// @param factory makes an evaluator for one run
public record Toolchain(String name, String label, String description, Factory factory) implements Named {

    /// All an evaluator is given.
    ///
    /// @param space directives of the kernel evaluated
    /// @param kernel part, clock
    /// @param argument what stands behind the colon on the command line (`command:FILE`), empty where nothing
    /// does
    /// @param folder relative paths start here
    /// @param runs tools keep their designs' folders in it
    /// @param seed of the toolchain's noise
    public record Job(DirectiveSpace space, HlsSettings kernel, String argument, Path folder, Path runs, long seed) {}

    @Override
    public boolean takesPlace() {
        return VendorTools.isTool(name);
    }

    /// Makes evaluators.
    @FunctionalInterface
    public interface Factory {
        /// A fresh evaluator; throws [knobscape.evaluate.UserError] where the job cannot be done (unknown part,
        /// missing file).
        Evaluator create(Job job);
    }
}
