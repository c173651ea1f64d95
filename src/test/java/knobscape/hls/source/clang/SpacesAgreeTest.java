package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.cdt.CdtKernelReader;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;

/// The space of directives is the same whichever reader found the facts.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpacesAgreeTest {
    private static final CancellationSignal NEVER = new CancellationSignal();
    /// Where the other reader bounds limits that depend on each other (`md/grid`, `sort/merge`) and this one does not
    /// yet, and where this one sees that all branches move an index alike (`nw`).
    private static final java.util.Set<String> DIFFERENT =
            java.util.Set.of("md/grid/md.c", "sort/merge/sort.c", "nw/nw/nw.c");

    private final ClangFront front = new ClangFront(CompileLimits.defaults());
    private final ClangKernelReader reader = new ClangKernelReader(front, NEVER);

    @AfterAll
    void end() {
        front.close();
    }

    @Test
    void onTheSamples() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("sample-projects"))) {
            List<Path> kernels = folders.map(f -> f.resolve(f.getFileName() + ".cpp"))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
            assertThat(kernels).hasSizeGreaterThanOrEqualTo(6);
            for (Path kernel : kernels) {
                assertThat(difference(kernel, Options.defaults()))
                        .as(kernel.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    @Tag("slow")
    void onTheCases() throws IOException {
        Path cases = Path.of(System.getProperty("knobscape.shared", "../shared"), "data/hls/cases");
        assumeTrue(Files.isDirectory(cases), "no " + cases);
        try (Stream<Path> files = Files.list(cases)) {
            // The other reader knows neither `_BitInt` nor factors that are arguments of templates.
            for (Path file : files.filter(f -> f.toString().matches(".*\\.(c|cpp)")
                            && !f.endsWith("d5_bitint.c")
                            && !f.endsWith("c04_template_factor.cpp"))
                    .sorted()
                    .toList()) {
                assertThat(difference(file, Options.defaults()))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    /// MachSuite and PolyBench, where their sources lie in `-Dknobscape.kernels=FOLDER`.
    @Test
    @Tag("slow")
    void onPublicKernels() throws IOException {
        Path kernels = Path.of(System.getProperty("knobscape.kernels", "../shared/kernels"));
        assumeTrue(Files.isDirectory(kernels), "no " + kernels);
        var wrong = new ArrayList<String>();
        int there = 0;
        String list = new String(
                java.util.Objects.requireNonNull(getClass().getResourceAsStream("/knobscape/hls/exact/kernels.csv"))
                        .readAllBytes(),
                java.nio.charset.StandardCharsets.UTF_8);
        for (String line : list.lines().filter(l -> !l.startsWith("#")).toList()) {
            String[] w = line.split(";", -1);
            Path file = kernels.resolve(w[0]).resolve(w[1]);
            if (!Files.isRegularFile(file) || DIFFERENT.contains(w[1])) {
                continue;
            }
            there++;
            var macros = new TreeMap<String, String>();
            for (String m : w[4].isBlank() ? new String[0] : w[4].strip().split("\\s+")) {
                int eq = m.indexOf('=');
                macros.put(eq < 0 ? m : m.substring(0, eq), eq < 0 ? "1" : m.substring(eq + 1));
            }
            var includes = Stream.of(w[3].strip().split("\\s+"))
                    .map(i -> kernels.resolve(w[0]).resolve(i))
                    .toList();
            try {
                String d = difference(file, new Options(Optional.of(w[2]), includes, macros));
                if (!d.isEmpty()) {
                    wrong.add(w[1] + ": " + d);
                }
            } catch (UserError e) {
                wrong.add(w[1] + ": " + e.getMessage());
            }
        }
        LoggerFactory.getLogger(SpacesAgreeTest.class).info("{} of {} kernels agree", there - wrong.size(), there);
        assertThat(wrong).as("of " + there).isEmpty();
    }

    private String difference(Path file, Options options) {
        Kernel other = new CdtKernelReader().read(file, options);
        Kernel kernel =
                reader.read(file, new Options(Optional.of(other.top()), options.includeDirs(), options.defines()));
        var ours = described(kernel);
        var theirs = described(other);
        var only = new ArrayList<String>();
        theirs.forEach((k, v) -> {
            if (!v.equals(ours.get(k))) {
                only.add(k + ": " + v + " / " + ours.get(k));
            }
        });
        ours.forEach((k, v) -> {
            if (!theirs.containsKey(k)) {
                only.add("more: " + k + ": " + v);
            }
        });
        return String.join("\n   ", only);
    }

    /// Knobs with their values, and what pruning leaves of each group.
    private static Map<String, String> described(Kernel kernel) {
        DirectiveSpace space =
                SpaceBuilder.build(kernel, SpaceLimits.forPart(2520, 4320, 0), java.util.Set.of(KnobKind.values()));
        var all = new TreeMap<String, String>();
        space.space()
                .knobs()
                .list()
                .forEach(k -> all.put(k.name(), k.domain().labels().toString()));
        space.pruning()
                .forEach(p -> all.put(
                        "pruned "
                                + Stream.of(p.subject().split("[ ,]+")).sorted().toList(),
                        p.before() + " to " + p.after()));
        all.put("size", space.space().size().toString());
        all.put("start", space.directives(space.baseline()).toString());
        return all;
    }
}
