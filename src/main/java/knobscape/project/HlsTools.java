package knobscape.project;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.hls.directive.DirectiveSpace;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;

/// The parts that HLS work is put together from.
///
/// @param reader reads sources
/// @param spaces builds directive spaces
/// @param toolchains who may judge
/// @param methods who may search
public record HlsTools(KernelReader reader, SpaceFactory spaces, Toolchains toolchains, Methods methods) {

    /// Builds the space of a kernel's directives.
    @FunctionalInterface
    public interface SpaceFactory {
        /// @param kernel what was found in the source
        /// @param directiveFile YAML file naming the knobs, the default ones where empty
        /// @param part name of the FPGA part, the default part where empty
        DirectiveSpace build(Kernel kernel, Optional<Path> directiveFile, Optional<String> part);
    }
}
