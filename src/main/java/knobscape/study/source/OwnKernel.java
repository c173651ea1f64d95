package knobscape.study.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Formula;
import knobscape.work.device.ComputeDevice.Language;

/// A kernel of one's own, compiled and timed on a device. Sizes are formulas over parameters and constants.
///
/// @param device its place among the devices of the language, from 0
/// @param constants names with fixed numbers, given to the kernel as macros beside the parameters
/// @param arguments in the kernel's order
/// @param reference a kernel with the same arguments whose outputs are the right ones; empty for none
/// @param atDefault whether the reference is run with every parameter at its default
/// @param tolerance largest difference from the right outputs, relative to their size
/// @param operations floating-point operations of a run, for `gflops`
/// @param bytes moved by a run, for `gbs`
public record OwnKernel(
        Code code,
        int device,
        Map<String, String> constants,
        List<Argument> arguments,
        Optional<Code> reference,
        boolean atDefault,
        double tolerance,
        Optional<Amount> operations,
        Optional<Amount> bytes) {
    /// In place of an argument's file: nothing is put in.
    public static final String WRITTEN = "-";

    /// Units of a kernel's time, in seconds; without a unit it is in milliseconds.
    public static final Map<String, Double> SECONDS_OF_UNIT = Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6, "ns", 1e-9);

    /// The metric of the energy of a run.
    public static final String ENERGY = "energy";

    /// The measured metrics of a kernel.
    public static final List<String> METRICS =
            List.of("time", "gflops", "gbs", "registers", "local_bytes", "private_bytes", "occupancy", ENERGY);

    /// Those of them that no OpenCL device tells.
    public static final List<String> OF_CUDA = List.of("registers", "occupancy", ENERGY);

    /// Those of them that say how fast it is.
    public static final Set<String> SPEEDS = Set.of("time", "gflops", "gbs");

    public OwnKernel {
        constants = Map.copyOf(constants);
        arguments = List.copyOf(arguments);
    }

    /// A kernel and what it is started with.
    ///
    /// @param file its source, beside the study
    /// @param function its name
    /// @param options of the compiler
    /// @param inGroups whether `grid` counts work groups; otherwise work items
    /// @param grid in each dimension, 1 to 3
    /// @param local work items of a group in each dimension
    public record Code(
            Language language,
            String file,
            String function,
            List<String> options,
            boolean inGroups,
            List<Amount> grid,
            List<Amount> local) {
        public Code {
            options = List.copyOf(options);
            grid = List.copyOf(grid);
            local = List.copyOf(local);
        }
    }

    /// A number that a configuration decides.
    ///
    /// @param line where it stands, from 1
    public record Amount(Formula formula, int line) {}

    /// An argument of the kernel.
    ///
    /// @param type of an element
    /// @param length elements of a buffer; empty for a single number
    /// @param value of a number, or what a buffer is filled with; empty for random values, and for an output
    /// that is only written
    /// @param file holds the values, beside the study; empty for none, [#WRITTEN] where nothing is put in
    /// @param isOutput whether its content afterwards is compared
    /// @param expected file with the right content, beside the study; empty for none
    /// @param isShared whether it is memory that a work group shares, of that length
    /// @param isSum whether of an output only the sum has to be right, as of parts that are summed later
    public record Argument(
            NumberType type,
            Optional<Amount> length,
            Optional<Amount> value,
            String file,
            boolean isOutput,
            String expected,
            boolean isShared,
            boolean isSum) {}

    /// Types of elements by their names in C.
    public enum NumberType {
        /// IEEE single.
        FLOAT(4),
        /// IEEE double.
        DOUBLE(8),
        /// 8 bits, signed.
        CHAR(1),
        /// 8 bits, unsigned.
        UCHAR(1),
        /// 16 bits, signed.
        SHORT(2),
        /// 16 bits, unsigned.
        USHORT(2),
        /// 32 bits, signed.
        INT(4),
        /// 32 bits, unsigned.
        UINT(4),
        /// 64 bits, signed.
        LONG(8),
        /// 64 bits, unsigned.
        ULONG(8);

        private final int bytes;

        NumberType(int bytes) {
            this.bytes = bytes;
        }

        /// Size of one.
        public int bytes() {
            return bytes;
        }
    }
}
