package knobscape.hls.evaluate.estimator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.clang.ClangFront;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Tests of kernels that are estimated as they stand, with one compiler for all of a class.
abstract class StandingKernels {
    private static ClangFront front;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        front = new ClangFront(CompileLimits.defaults());
    }

    @AfterAll
    static void stop() {
        front.close();
    }

    /// The estimate of a source whose top function is `top`.
    final EstimateReport estimate(String text, EstimatorSettings settings) throws IOException {
        return estimate(Files.writeString(folder.resolve("k.cpp"), text), "top", settings);
    }

    static EstimateReport estimate(Path source, String top, EstimatorSettings settings) {
        var compiled = front.compile(source, KernelReader.Options.defaults(), new CancellationSignal());
        return new CompiledKernel(compiled, Optional.of(top), new CancellationSignal())
                .asItStands(settings, new CancellationSignal());
    }

    static LoopEstimate loop(EstimateReport r, String name) {
        return r.loops().stream().filter(l -> l.loop().equals(name)).findFirst().orElseThrow();
    }
}
