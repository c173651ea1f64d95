package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Loop;
import knobscape.hls.source.cdt.CdtKernelReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Two readers that share no code find the same loops, trip counts and arrays.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadersAgreeTest {
    private final ClangFront front = new ClangFront(CompileLimits.defaults());
    private final ClangKernelReader reader = new ClangKernelReader(front, new CancellationSignal());

    @org.junit.jupiter.api.AfterEach
    void all() {
        softly.assertAll();
    }

    @AfterAll
    void end() {
        front.close();
    }

    @Test
    void onTheSamples() throws IOException {
        Path samples = Path.of("sample-projects");
        try (Stream<Path> folders = Files.list(samples)) {
            List<Path> kernels = folders.map(f -> f.resolve(f.getFileName() + ".cpp"))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
            assertThat(kernels).hasSizeGreaterThanOrEqualTo(6);
            for (Path kernel : kernels) {
                agree(kernel);
            }
        }
    }

    @Test
    void onTheCases() throws IOException {
        Path cases = Path.of(System.getProperty("knobscape.shared", "../shared"), "data/hls/cases");
        assumeTrue(Files.isDirectory(cases), "no " + cases);
        try (Stream<Path> files = Files.list(cases)) {
            // The other reader does not know `_BitInt`.
            for (Path file : files.filter(f -> f.toString().matches(".*\\.(c|cpp)") && !f.endsWith("d5_bitint.c"))
                    .sorted()
                    .toList()) {
                agree(file);
            }
        }
    }

    private void agree(Path file) {
        Kernel other = new CdtKernelReader().read(file, KernelReader.Options.defaults());
        Kernel kernel = reader.read(file, new KernelReader.Options(Optional.of(other.top()), List.of(), Map.of()));
        assertThat(loops(kernel)).as(file + ": loops").isEqualTo(loops(other));
        assertThat(arrays(kernel)).as(file + ": arrays").isEqualTo(arrays(other));
        softly.assertThat(bodies(kernel)).as(file + ": bodies").isEqualTo(bodies(other));
        softly.assertThat(accesses(kernel)).as(file + ": accesses").isEqualTo(accesses(other));
        softly.assertThat(bindings(kernel)).as(file + ": bindings").isEqualTo(bindings(other));
    }

    /// Loops with everything that stands in the text of them, and how often they run.
    private static Map<String, String> loops(Kernel kernel) {
        var all = new TreeMap<String, String>();
        for (Loop l : kernel.loops()) {
            all.put(
                    l.id(),
                    l.keyword() + ":" + l.keyword().column() + " in "
                            + l.parent().orElse("") + " depth " + l.depth()
                            + (l.labelled() ? " label " + l.label() : "") + " body "
                            + l.bodyStart().offset() + "-"
                            + l.bodyEnd().offset() + (l.braced() ? " braced" : "") + " from "
                            + l.statementStart().offset() + " runs " + l.trip().max()
                            + l.trip().isExact());
        }
        return all;
    }

    private final org.assertj.core.api.SoftAssertions softly = new org.assertj.core.api.SoftAssertions();

    /// Shape of bodies, and how loops count.
    private static Map<String, String> bodies(Kernel kernel) {
        var all = new TreeMap<String, String>();
        for (Function f : kernel.functions()) {
            all.put(f.name(), body(f.body()) + " calls " + f.callees());
        }
        for (Loop l : kernel.loops()) {
            all.put(
                    l.id(),
                    body(l.body()) + " by " + l.variable() + " from " + l.first() + " step " + l.step()
                            + (l.earlyExit() ? " early" : ""));
        }
        return all;
    }

    private static String body(BodyFacts b) {
        return (b.isTaskSequence() ? "sequence of " + b.tasks() : "")
                + (b.isOneLoop() ? "one loop" : "")
                + b.calls().stream()
                        .filter(c -> !c.external())
                        .map(BodyFacts.Call::callee)
                        .toList()
                + (b.multiplications().isEmpty() ? "" : " multiplies");
    }

    /// Which loops move through which dimension of which array, read or written.
    private static java.util.Set<String> accesses(Kernel kernel) {
        var all = new java.util.TreeSet<String>();
        for (Function f : kernel.functions()) {
            f.body().allAccesses().forEach(a -> {
                boolean write = a.kind() != Access.Kind.READ;
                boolean read = a.kind() != Access.Kind.WRITE;
                String index = a.index().stream()
                        .map(i -> i instanceof IndexForm.Affine x
                                ? x.coefficients() + "+" + x.constant() + "/" + x.divisor()
                                : "?")
                        .toList()
                        .toString();
                String what = a.array() + index + " in " + a.loop() + " line "
                        + a.location().line();
                if (write) {
                    all.add("write " + what);
                }
                if (read) {
                    all.add("read " + what);
                }
            });
        }
        return all;
    }

    private static java.util.Set<String> bindings(Kernel kernel) {
        var all = new java.util.TreeSet<String>();
        kernel.functions()
                .forEach(f -> f.bindings()
                        .forEach(b -> b.arrays()
                                .forEach((formal, actual) ->
                                        all.add(f.name() + ": " + b.callee() + " " + formal + " is " + actual))));
        return all;
    }

    private static Map<String, String> arrays(Kernel kernel) {
        var all = new TreeMap<String, String>();
        for (ArrayVariable a : kernel.arrays()) {
            all.put(
                    a.id(),
                    a.scope() + " " + a.dims() + " " + a.element().kind()
                            + a.element().bits() + a.element().signed() + " line "
                            + a.location().line());
        }
        return all;
    }
}
