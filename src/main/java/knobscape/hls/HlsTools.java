package knobscape.hls;

import java.util.Optional;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.clang.ClangFront;
import knobscape.hls.source.clang.ClangKernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.Pruning;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.work.Choices;
import knobscape.work.Method;

/// The parts that HLS work is put together from.
///
/// @param reader reads sources
/// @param spaces builds directive spaces
/// @param toolchains who may evaluate
/// @param methods the methods
public record HlsTools(
        KernelReader reader, SpaceFactory spaces, Choices<Toolchain> toolchains, Choices<Method> methods) {

    /// Builds the space of a kernel's directives.
    @FunctionalInterface
    public interface SpaceFactory {
        /// @param kernel what was found in the source
        /// @param directives directive file naming the knobs, the default ones where empty
        /// @param part name of the FPGA part, the default part where empty
        /// @param pruning what becomes of configurations that the rules dislike
        DirectiveSpace build(Kernel kernel, Optional<DirectiveFile> directives, Optional<String> part, Pruning pruning);
    }

    /// The compiler of this program: one process of LLVM serves all that is opened, one request at a time.
    private static final class Compiler {
        private static final ClangFront FRONT = new ClangFront(CompileLimits.defaults());
    }

    /// The parts that come with the program.
    public static HlsTools standard() {
        return new HlsTools(
                new MeasuredTrips(new ClangKernelReader(Compiler.FRONT, new CancellationSignal()), Compiler.FRONT),
                HlsTools::space,
                Toolchains.standard(),
                HlsMethods.standard());
    }

    private static DirectiveSpace space(
            Kernel kernel, Optional<DirectiveFile> directives, Optional<String> partName, Pruning pruning) {
        Part part = Part.named(partName);
        var limits = SpaceLimits.forPart(part.dsp(), part.bram(), part.uram());
        var costs = new EstimatedKnobCosts(kernel, EstimatorSettings.defaults().withPart(part));
        return directives
                .map(file -> SpaceBuilder.build(kernel, limits, file, costs, pruning))
                .orElseGet(() -> SpaceBuilder.build(kernel, limits, KnobKind.defaults(), costs, pruning));
    }
}
