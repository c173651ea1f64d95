package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The kernels of `hls/cases` of the shared data, each as its user meets it: what `space` says of the source
/// as it stands, advice, a short search, and the export of a design. Every file there has a row.
@Tag("slow")
class PublicCasesTest {
    private static final Path CASES =
            Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls/cases");

    @TempDir
    private static Path folder;

    private static Terminal terminal = Terminal.ofManyLines(Path.of(""));

    private static final Set<String> seen = new TreeSet<>();

    @BeforeAll
    static void copy() throws IOException {
        assumeTrue(Files.isDirectory(CASES), "the shared cases are not here");
        terminal = Terminal.ofManyLines(folder);
        for (Path p : files()) {
            Files.copy(p, folder.resolve(p.getFileName()));
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(CASES)) {
            return all.filter(p -> !p.getFileName().toString().equals("README.md"))
                    .sorted()
                    .toList();
        }
    }

    private static String ok(String... words) {
        assertThat(terminal.run(words))
                .as(String.join(" ", words) + "\n" + terminal.err())
                .isZero();
        return terminal.out();
    }

    /// Directives that are kept as they are, as there is no knob about them.
    private static final Pattern KEPT = Pattern.compile(
            "(?m)^\\s*#pragma (?:HLS (?:DEPENDENCE|LOOP_MERGE|ALLOCATION|EXPRESSION_BALANCE|LATENCY|PERFORMANCE"
                    + "|LOOP_FLATTEN|LOOP_TRIPCOUNT|BIND_OP)|ACCEL|hls_design)\\b.*$");

    /// File; a loop, its iterations, interval (0: not pipelined) and state in the source as it stands (the
    /// default pipelines nothing by itself); words of the notes with `;` between them; its limit, a pattern.
    private static final String ROWS = """
            c01_rom_fold.cpp | blur/x | 640 | 1 | pipelined | | .*
            c01b_rom_fold_if.cpp | blur/x | 640 | 1 | pipelined | | .*
            c02_systolic.cpp | keep/feed | 1000 | 1 | pipelined | | .*
            c02b_systolic_unroll.cpp | keep/feed | 1000 | 1 | pipelined | | .*
            c02c_systolic8.cpp | keep/feed | 1000 | 1 | pipelined | | .*
            c03_function_pipeline.cpp | dot16 | 1 | 1 | pipelined | | .*
            c04_template_factor.cpp | scale<1024,4>/go | 256 | 2 | pipelined | | ports of out
            c04b_const_factor.cpp | scale/go | 256 | 0 | sequential | | .*
            c06_struct_return.cpp | rotate/go | 256 | 1 | pipelined | | .*
            c06c_struct_out.cpp | rotate/go | 256 | 1 | pipelined | | .*
            c07_same_address.cpp | taps/c | 1024 | 1 | pipelined | | .*
            c07b_same_address_if.cpp | taps/c | 1024 | 1 | pipelined | | .*
            c08c_state_linear.cpp | rounds/round | 9 | 1 | pipelined | | .*
            c09_two_ranges.cpp | copy/go | 1000 | 1 | pipelined | stated in the source | .*
            c10_auto_pipeline.cpp | mm/k | 16 | 0 | sequential | | .*
            c11_modulo.cpp | mixer/go | 1024 | 1 | pipelined | | .*
            c13_complex_add.cpp | power/go | 256 | 1 | pipelined | | .*
            d1_dependence.c | hist/go | 4096 | 1 | pipelined | | .*
            d1b_nodependence.c | hist/go | 4096 | 2 | pipelined | | recurrence through t
            d2_intel.cpp | k/L4 | 16 | 0 | sequential | | .*
            d3_merlin.c | k/L6 | 64 | 0 | sequential | c:4: #pragma ACCEL PIPELINE;c:5: #pragma ACCEL PARALLEL | .*
            d4_catapult.cpp | k/L5 | 64 | 2 | pipelined | cpp:2: #pragma hls_design top | ports of a
            d5_bitint.c | k/L3 | 64 | 0 | sequential | | .*
            d6_ignored.cpp | k/L7 | 16 | 0 | sequential | LOOP_MERGE;EXPRESSION_BALANCE;PERFORMANCE;LATENCY | .*
            d7_dataflow.cpp | wk/L6 | 1024 | 1 | pipelined | | .*
            d7b_dataflow_pingpong.cpp | wk/L6 | 1024 | 1 | pipelined | | .*
            d8_stream_fifo.cpp | wk/L6 | 1024 | 1 | pipelined | | .*
            d9_own_pragmas.cpp | k/r | 64 | 0 | sequential | | .*
            q1_three_taps.c | taps/go | 1024 | 0 | sequential | | .*
            q2_sum.c | sum/go | 1024 | 0 | sequential | | .*
            q3_hist.c | hist/go | 4096 | 0 | sequential | | .*
            q4_dataflow.c | work/L5 | 1024 | 0 | sequential | | .*
            q5_matvec.c | mv/j | 64 | 0 | sequential | | .*
            q6_bundle.c | add/go | 1024 | 2 | pipelined | | AXI port g.*
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = ROWS)
    void everyVerbIsRight(String file, String loop, long trips, int interval, String state, String notes, String limit)
            throws IOException {
        seen.add(file);
        ok("space", file, "--json");
        JsonNode row = terminal.json()
                .get("estimatedLoops")
                .valueStream()
                .filter(r -> r.get("loop").stringValue().equals(loop))
                .findFirst()
                .orElseThrow();
        assertThat(row.get("state").stringValue()).isEqualTo(state);
        assertThat(row.get("trip").longValue()).isEqualTo(trips);
        assertThat(row.get("interval").intValue()).isEqualTo(interval);
        assertThat(row.get("limit").stringValue()).matches(limit);
        String said = ok("space", file) + terminal.err();
        for (String n : notes == null ? new String[0] : notes.split(";")) {
            assertThat(said).contains(n);
        }
        assertThat(ok("advise", file)).contains("built-in estimate of the source as it stands");
        if (file.matches("c0[1267].*|c08.*")) {
            // The search over these takes long and is like that over the others.
            return;
        }
        String project = file.substring(0, file.indexOf('.')) + ".knobscape";
        assertThat(ok("explore", file, "--init", "2", "--steps", "1")).contains("Front of");
        assertThat(ok("export", project + ":1", "--as", "tcl", "--design", "1")).contains("for Vitis HLS");
        String exported = ok("export", project + ":1", "--as", "pragma", "--design", "1");
        String source = Files.readString(folder.resolve(file));
        assertThat(KEPT.matcher(source).results().map(m -> m.group().strip()))
                .allSatisfy(p -> assertThat(exported).contains(p));
    }

    @AfterAll
    static void everyCaseHasARow() throws IOException {
        assertThat(files()).extracting(p -> p.getFileName().toString()).containsExactlyInAnyOrderElementsOf(seen);
    }
}
