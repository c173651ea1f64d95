package knobscape.hls.source;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads a C or C++ file into a [Kernel].
public interface KernelReader {
    /// How to read.
    ///
    /// @param top top function, guessed where empty
    /// @param includeDirs searched for headers, in order, after the file's own folder
    /// @param defines macros given from outside
    /// @param sources further ones, read where they hold what is called
    /// @param testbench sources of a program that calls the top, where there is one; one of them has a `main`
    /// @param text what the file says; what lies on disk where empty
    record Options(
            Optional<String> top,
            List<Path> includeDirs,
            Map<String, String> defines,
            List<Path> sources,
            List<Path> testbench,
            Optional<String> text) {
        /// The files on disk.
        public Options(
                Optional<String> top,
                List<Path> includeDirs,
                Map<String, String> defines,
                List<Path> sources,
                List<Path> testbench) {
            this(top, includeDirs, defines, sources, testbench, Optional.empty());
        }

        /// One source, without a testbench.
        public Options(Optional<String> top, List<Path> includeDirs, Map<String, String> defines) {
            this(top, includeDirs, defines, List.of(), List.of());
        }

        /// Guess the top, no extra folders, no macros.
        public static Options defaults() {
            return new Options(Optional.empty(), List.of(), Map.of());
        }
    }

    /// Throws [knobscape.evaluate.UserError] for a missing file, a folder, a binary or oversized file, a syntax
    /// error (file, line), no function or loop found, an unknown top function (naming the nearest).
    Kernel read(Path file, Options options);
}
