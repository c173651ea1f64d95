package knobscape.project;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import knobscape.hls.directive.DirectiveSpace;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;

/// The parts that HLS work is put together from.
///
/// @param reader reads sources
/// @param spaces builds directive spaces
/// @param directiveFiles writes the default knobs of a kernel as a YAML file with comments
/// @param toolPart a part's ordering name as the vendor's tool wants it (`xc7vx485tffg1761-2`), from the name used here; the default part where empty
/// @param toolchains who may judge
/// @param methods who may search
public record HlsTools(KernelReader reader, SpaceFactory spaces, DirectiveFileWriter directiveFiles, Function<Optional<String>, String> toolPart,
        Toolchains toolchains, Methods methods) {

    /// Writes directive files.
    @FunctionalInterface
    public interface DirectiveFileWriter {
        /// The default directive file of a kernel, with comments.
        ///
        /// @param kernel what was found in the source
        /// @param part name of the FPGA part that bounds the factors, the default part where empty
        String write(Kernel kernel, Optional<String> part);
    }

    /// Builds the space of a kernel's directives.
    @FunctionalInterface
    public interface SpaceFactory {
        /// @param kernel what was found in the source
        /// @param directiveFile YAML file naming the knobs, the default ones where empty
        /// @param part name of the FPGA part, the default part where empty
        DirectiveSpace build(Kernel kernel, Optional<Path> directiveFile, Optional<String> part);
    }
}
