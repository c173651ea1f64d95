package knobscape.hls.source.clang;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.Loop;

/// Reads snippets of source in tests.
final class Snippets {
    static final ClangKernelReader READER =
            new ClangKernelReader(new ClangFront(CompileLimits.defaults()), new CancellationSignal());
    private final Path folder;

    Snippets(Path folder) {
        this.folder = folder;
    }

    /// Writes a file into the folder.
    Path write(String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads `text` as C++.
    Kernel cpp(String text) {
        return read("kernel.cpp", text);
    }

    /// Reads `text` as C.
    Kernel c(String text) {
        return read("kernel.c", text);
    }

    Kernel read(String name, String text) {
        return READER.read(write(name, text), Options.defaults());
    }

    Kernel top(String name, String text, String top) {
        return READER.read(write(name, text), new Options(Optional.of(top), List.of(), Map.of()));
    }

    /// Reads a file with further sources.
    Kernel read(Path file, List<Path> further) {
        return READER.read(file, new Options(Optional.empty(), List.of(), Map.of(), further, List.of()));
    }

    /// The loop with this label, wherever it stands.
    static Loop loop(Kernel kernel, String label) {
        return kernel.loops().stream()
                .filter(l -> l.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no loop " + label + " among "
                        + kernel.loops().stream().map(Loop::id).toList()));
    }

    /// Trip count as text: `64`, `1..8 avg 4.5`, `?`, `stated 1..10`.
    static String trip(Kernel kernel, String label) {
        var t = loop(kernel, label).trip();
        return switch (t.certainty()) {
            case EXACT -> "" + t.max().orElseThrow();
            case UNKNOWN -> "?";
            case BOUNDED, STATED, MEASURED ->
                (t.certainty() == knobscape.hls.source.TripCount.Certainty.STATED ? "stated " : "")
                        + (t.min().isPresent() ? t.min().getAsLong() : "?") + ".."
                        + (t.max().isPresent() ? t.max().getAsLong() : "?")
                        + (t.average().isPresent() ? " avg " + t.average().getAsDouble() : "");
        };
    }

    /// Accesses of a function as text: `R a[64*f/outer + 1]`, loops by label.
    static List<String> accesses(Function function) {
        return function.body()
                .allAccesses()
                .map(a -> {
                    var text = new StringBuilder(
                                    switch (a.kind()) {
                                        case READ -> "R ";
                                        case WRITE -> "W ";
                                        case READ_WRITE -> "RW ";
                                    })
                            .append(a.array().substring(a.array().indexOf('/') + 1));
                    a.index().forEach(i -> text.append('[').append(index(i)).append(']'));
                    return text.toString();
                })
                .toList();
    }

    private static String index(knobscape.hls.source.IndexForm form) {
        return switch (form) {
            case knobscape.hls.source.IndexForm.NonAffine n -> "? " + n.reason();
            case knobscape.hls.source.IndexForm.Affine a -> {
                var text = new StringBuilder();
                a.coefficients()
                        .forEach((loop, c) -> text.append(text.isEmpty() ? c < 0 ? "-" : "" : c < 0 ? " - " : " + ")
                                .append(Math.abs(c) == 1 ? "" : Math.abs(c) + "*")
                                .append(loop.substring(loop.indexOf('/') + 1)));
                if (a.constant() != 0 || text.isEmpty()) {
                    text.append(text.isEmpty() ? a.constant() < 0 ? "-" : "" : a.constant() < 0 ? " - " : " + ")
                            .append(Math.abs(a.constant()));
                }
                yield a.divisor() == 1 ? text.toString() : "(" + text + ")/" + a.divisor();
            }
        };
    }
}
