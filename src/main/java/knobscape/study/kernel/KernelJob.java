package knobscape.study.kernel;

import java.util.List;
import knobscape.study.source.OwnKernel.NumberType;
import knobscape.work.device.ComputeDevice.Language;

/// A kernel with all sizes decided, as a document that a [KernelProcess] reads.
///
/// @param device its place among the devices of the language, from 0
/// @param code the kernel
/// @param reference one with the right outputs; none for no such kernel
/// @param tolerance largest difference from the right outputs, relative to their size
/// @param operations of a run, 0 where nobody says
/// @param bytes of a run, 0 where nobody says
/// @param answers file that keeps what the reference computed
/// @param best seconds of the fastest so far, 0 where none is known or slow ones are of interest, too
public record KernelJob(
        int device,
        Code code,
        List<Code> reference,
        double tolerance,
        double operations,
        double bytes,
        String answers,
        double best) {
    public KernelJob {
        reference = List.copyOf(reference);
    }

    /// A kernel.
    ///
    /// @param file whole path of its source
    /// @param options of the compiler, macros among them
    /// @param groups work groups in each dimension
    /// @param local work items of a group in each dimension
    /// @param energy whether the energy of a run is asked for, which takes a second
    /// @param arguments in the kernel's order
    public record Code(
            Language language,
            String file,
            String function,
            List<String> options,
            List<Long> groups,
            List<Long> local,
            boolean energy,
            List<Argument> arguments) {
        public Code {
            options = List.copyOf(options);
            groups = List.copyOf(groups);
            local = List.copyOf(local);
            arguments = List.copyOf(arguments);
        }
    }

    /// An argument of a kernel.
    ///
    /// @param length elements of a buffer, 0 for a number
    /// @param content what a buffer holds before
    /// @param value of a number, or of every element
    /// @param file whole path of the values, empty for none
    /// @param isOutput whether its content afterwards is compared
    /// @param expected whole path of the right values, empty for none
    /// @param isSum whether only the sum of what is put out has to be right
    public record Argument(
            NumberType type,
            long length,
            Content content,
            double value,
            String file,
            boolean isOutput,
            String expected,
            boolean isSum) {}

    /// The content of a buffer before the kernel runs.
    public enum Content {
        /// Drawn, the same each time.
        RANDOM,
        /// One value everywhere.
        CONSTANT,
        /// The values of a file.
        FILE,
        /// Nothing that may be read.
        NOTHING,
        /// Nothing: memory of a work group.
        SHARED
    }
}
