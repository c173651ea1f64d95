package knobscape.hls.evaluate.estimator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.clang.ClangFront;
import knobscape.hls.source.clang.ClangKernelReader;

/// Small kernels, read by the compiler.
public final class Kernels {
    static final String DOUBLE = "double";
    static final String FLOAT = "float";

    private static final KernelReader READER =
            new ClangKernelReader(new ClangFront(CompileLimits.defaults()), new CancellationSignal());

    private Kernels() {}

    /// The reader that all tests of a process share.
    public static KernelReader reader() {
        return READER;
    }

    /// A file.
    public static Kernel read(Path file) {
        return READER.read(file, KernelReader.Options.defaults());
    }

    /// A text.
    public static Kernel of(String source) {
        try {
            Path folder = Files.createTempDirectory("kernel");
            Path file = Files.writeString(folder.resolve("kernel.cpp"), source);
            try {
                return read(file);
            } finally {
                Files.delete(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A text with another top than the guessed one.
    public static Kernel of(String source, String top) {
        try {
            Path folder = Files.createTempDirectory("kernel");
            Path file = Files.writeString(folder.resolve("kernel.cpp"), source);
            try {
                return READER.read(file, new KernelReader.Options(Optional.of(top), List.of(), Map.of()));
            } finally {
                Files.delete(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A dot product per element on one-dimensional arrays, the shape of many benchmark suites.
    static Kernel gemm(String type, int n) {
        return of("""
                void gemm(TYPE m1[N * N], TYPE m2[N * N], TYPE prod[N * N]) {
                outer:
                    for (int i = 0; i < N; i++) {
                    middle:
                        for (int j = 0; j < N; j++) {
                            TYPE sum = 0;
                        inner:
                            for (int k = 0; k < N; k++) {
                                TYPE mult = m1[N * i + k] * m2[N * k + j];
                                sum += mult;
                            }
                            prod[N * i + j] = sum;
                        }
                    }
                }
                """.replace("TYPE", type).replace("N", String.valueOf(n)));
    }

    /// `x[i] = 3.7 * x[i] + y[i]` over n elements of local arrays, with copies in and out.
    static Kernel scale(String type, int n) {
        return of("""
                void scale(TYPE a[N]) {
                    TYPE x[N], y[N];
                in:
                    for (int i = 0; i < N; i++) {
                        x[i] = a[i];
                        y[i] = a[i];
                    }
                work:
                    for (int i = 0; i < N; i++) x[i] = (TYPE)3.7 * x[i] + y[i];
                out:
                    for (int i = 0; i < N; i++) a[i] = x[i];
                }
                """.replace("TYPE", type).replace("N", String.valueOf(n)));
    }

    /// `count[key[i]]++` over n keys.
    static Kernel histogram(int n, int bins) {
        return of("""
                void histogram(int key[%1$d], int count[%2$d]) {
                keys:
                    for (int i = 0; i < %1$d; i++) count[key[i]]++;
                }
                """.formatted(n, bins));
    }
}
