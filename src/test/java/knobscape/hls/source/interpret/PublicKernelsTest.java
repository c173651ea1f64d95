package knobscape.hls.source.interpret;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.hls.source.KernelReader.Options;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Public kernels, run by the interpreter and by a compiler on the same random inputs. Sources are looked for in
/// `-Dknobscape.kernels=DIR` (default `../shared/kernels`), one folder for each suite of `kernels.csv`; the
/// hashes there are of what the compiler computed.
@Tag("slow")
class PublicKernelsTest {
    private static final Path KERNELS = Path.of(System.getProperty("knobscape.kernels", "../shared/kernels"))
            .toAbsolutePath();

    /// In place of a hash: the kernel calls `exp` or `sin`, whose last bit C leaves open.
    private static final String CLOSE = "close";

    @TempDir
    Path folder;

    private record Entry(
            String suite,
            String path,
            String top,
            Options options,
            Map<String, Inputs.Values> values,
            Map<String, Integer> elements,
            long seed,
            String hash) {
        static Entry of(String line) {
            String[] w = line.split(";", -1);
            var includes = new ArrayList<Path>();
            for (String i : words(w[3])) {
                includes.add(KERNELS.resolve(w[0]).resolve(i));
            }
            var macros = new LinkedHashMap<String, String>();
            for (String m : words(w[4])) {
                int eq = m.indexOf('=');
                macros.put(eq < 0 ? m : m.substring(0, eq), eq < 0 ? "1" : m.substring(eq + 1));
            }
            var values = new HashMap<String, Inputs.Values>();
            var elements = new HashMap<String, Integer>();
            for (String v : words(w[5])) {
                String name = v.substring(0, v.indexOf('='));
                String range = v.substring(v.indexOf('=') + 1);
                if (range.startsWith("#")) {
                    elements.put(name, Integer.parseInt(range.substring(1)));
                    continue;
                }
                boolean rising = range.endsWith("r");
                String[] ends = (rising ? range.substring(0, range.length() - 1) : range).split("\\.\\.");
                values.put(name, new Inputs.Values(Long.parseLong(ends[0]), Long.parseLong(ends[1]), rising));
            }
            return new Entry(
                    w[0],
                    w[1],
                    w[2],
                    new Options(Optional.of(w[2]), includes, macros),
                    values,
                    elements,
                    Long.parseLong(w[6]),
                    w[7]);
        }

        private static List<String> words(String s) {
            return s.isBlank() ? List.of() : List.of(s.strip().split("\\s+"));
        }

        Path source() {
            return KERNELS.resolve(suite).resolve(path);
        }

        String name() {
            return suite + "/" + path;
        }
    }

    private static List<Entry> entries() {
        try (InputStream in =
                requireNonNull(PublicKernelsTest.class.getResourceAsStream("/knobscape/hls/exact/kernels.csv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.startsWith("#") && !l.isBlank())
                    .map(Entry::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void equalTheCompiledPrograms() {
        List<Entry> there =
                entries().stream().filter(e -> Files.isRegularFile(e.source())).toList();
        assumeTrue(!there.isEmpty(), "no public kernels in " + KERNELS);
        boolean compiler = CompilerTwin.isThere("gcc") && CompilerTwin.isThere("g++");
        var wrong = new ArrayList<String>();
        int equal = 0;
        for (Entry e : there) {
            Optional<String> fault = fault(e, compiler);
            fault.ifPresent(f -> wrong.add(e.name() + ": " + f));
            equal += fault.isEmpty() ? 1 : 0;
        }
        assertThat(wrong).as(equal + " of " + there.size() + " kernels equal").isEmpty();
    }

    private Optional<String> fault(Entry e, boolean compiler) {
        Differential d;
        try {
            d = Differential.of(e.source(), e.top(), e.options(), e.elements(), e.values(), e.seed());
        } catch (UserError x) {
            return Optional.of(String.valueOf(x.getMessage()));
        }
        var ours = new ByteArrayOutputStream();
        Outcome o = d.interpreted(ours, Limits.defaults());
        if (o.stopped().isPresent()) {
            return o.stopped()
                    .map(s -> s + " "
                            + d.program().unsupported().stream().limit(5).toList());
        }
        if (compiler) {
            try {
                double tolerance = e.hash().equals(CLOSE) ? 1e-9 : 0;
                Optional<String> different = d.difference(ours.toByteArray(), d.compiled(folder, List.of()), tolerance);
                if (different.isPresent()) {
                    return different;
                }
            } catch (IllegalStateException x) {
                return Optional.of(String.valueOf(x.getMessage()));
            }
        }
        String hash = Differential.hash(ours.toByteArray());
        return hash.equals(e.hash()) || e.hash().equals(CLOSE)
                ? Optional.empty()
                : Optional.of("HASH " + hash + " is not that of the list");
    }
}
