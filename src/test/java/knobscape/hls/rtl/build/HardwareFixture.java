package knobscape.hls.rtl.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.estimator.CompiledKernel;
import knobscape.hls.evaluate.estimator.WrittenOutDesign;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.clang.ClangFront;
import knobscape.hls.source.clang.ClangKernelReader;
import knobscape.hls.space.Directive;

/// A kernel with everything that makes hardware of its designs.
final class HardwareFixture {
    private static final CancellationSignal NEVER = new CancellationSignal();
    private static final ClangKernelReader READER =
            new ClangKernelReader(new ClangFront(CompileLimits.defaults()), NEVER);

    final Kernel kernel;
    final HardwareCheck check;
    private final Function<List<Directive>, WrittenOutDesign> designs;
    private final HardwareBuilder builder;

    HardwareFixture(Path file, Optional<String> top) {
        kernel = READER.read(file, new KernelReader.Options(top, List.of(), java.util.Map.of()));
        CompiledSource source = kernel.compiled().orElseThrow();
        designs = new CompiledKernel(source, Optional.of(kernel.top()), NEVER).writtenOut(kernel, NEVER);
        builder = new HardwareBuilder(kernel, () -> designs.apply(List.of()));
        check = new HardwareCheck(source, kernel, builder, NEVER);
    }

    static HardwareFixture of(Path folder, String name, String text) {
        try {
            return new HardwareFixture(Files.writeString(folder.resolve(name + ".cpp"), text), Optional.of(name));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// A check that does no more work than that.
    HardwareCheck checkOf(long work) {
        return new HardwareCheck(kernel.compiled().orElseThrow(), kernel, builder, work, NEVER);
    }

    HardwareDesign build(List<Directive> directives, double clock) {
        return builder.build(designs.apply(directives), clock);
    }
}
