package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Metric.Direction;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DesignFilesTest {
    private static final Provenance ESTIMATE =
            new Provenance("estimator", "0.1", 7, Provenance.Source.BUILT_IN_ESTIMATE);
    private static final List<Metric> METRICS = List.of(
            new Metric("power", "Power", "W", Direction.MINIMISE, Double.NaN),
            new Metric("lut", "LUT", "", Direction.MINIMISE, 303600));

    @TempDir
    private Path folder;

    private static DesignTable table(DesignTable.Row... rows) {
        return new DesignTable(
                "gemm",
                Map.of("method", "cgp"),
                METRICS,
                List.of("power", "lut"),
                List.of("hls", "impl"),
                List.of(rows));
    }

    private static DesignTable.Stage measured(String fidelity, Map<String, Double> values) {
        return new DesignTable.Stage(fidelity, new Outcome.Measured(values), 12.5, ESTIMATE);
    }

    /// Fields of an RFC 4180 file, read by the grammar of the standard's section 2.
    private static List<List<String>> parseCsv(String text) {
        var lines = new ArrayList<List<String>>();
        var line = new ArrayList<String>();
        int i = 0;
        while (i < text.length()) {
            var field = new StringBuilder();
            if (text.charAt(i) == '"') {
                i++;
                while (text.charAt(i) != '"' || text.startsWith("\"\"", i)) {
                    i += text.charAt(i) == '"' ? 1 : 0;
                    field.append(text.charAt(i++));
                }
                i++;
            } else {
                while (text.charAt(i) != ',' && text.charAt(i) != '\r') {
                    assertThat(text.charAt(i)).isNotIn('"', '\n');
                    field.append(text.charAt(i++));
                }
            }
            line.add(field.toString());
            if (text.charAt(i) == ',') {
                i++;
            } else {
                assertThat(text.substring(i, i + 2)).isEqualTo("\r\n");
                i += 2;
                lines.add(List.copyOf(line));
                line.clear();
            }
        }
        assertThat(line).isEmpty();
        return lines;
    }

    @Test
    void csvHasAColumnPerKnobAndAUnitPerMetric() {
        String csv = DesignCsv.write(table(new DesignTable.Row(
                3,
                "abc",
                true,
                Map.of("unroll@gemm/dot", "4"),
                List.of(
                        measured("hls", Map.of("lut", 1200.0)),
                        measured("impl", Map.of("power", 0.35, "lut", 900.0))))));
        assertThat(parseCsv(csv))
                .containsExactly(
                        List.of(
                                "number",
                                "design",
                                "front",
                                "unroll@gemm/dot",
                                "hls outcome",
                                "hls power [W]",
                                "hls lut",
                                "hls simulated time [s]",
                                "hls source",
                                "impl outcome",
                                "impl power [W]",
                                "impl lut",
                                "impl simulated time [s]",
                                "impl source"),
                        List.of(
                                "3",
                                "abc",
                                "yes",
                                "4",
                                "ok",
                                "",
                                "1200",
                                "12.5",
                                "built-in estimate: estimator 0.1, seed 7",
                                "ok",
                                "0.35",
                                "900",
                                "12.5",
                                "built-in estimate: estimator 0.1, seed 7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"=1+1", "+x", "-x", "@SUM(A1)", "\tx", "\r=x", "'=1+1", "''-2", "=", "-", "'", "'x", "it's"})
    void noTextIsAFormulaInASpreadsheet(String text, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("t.csv");
        Files.writeString(file, DesignCsv.cell(text) + ",b\r\n" + DesignCsv.cell(text) + ",1\r\n");
        assertThat(parseCsv(Files.readString(file)).getFirst().getFirst()).doesNotMatch("(?s)[=+\\-@\t\r].+");
        CsvTable back = CsvTable.read(file);
        // Control characters but the tab stand as escapes.
        String shown = text.replace("\r", "\\u000d");
        assertThat(back.header()).containsExactly(shown, "b");
        assertThat(back.cell(0, 0)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+2.5", "-.5e-3", "1.0E-5", "-Infinity", "-7."})
    void numbersStayNumbersInACsv(String number) {
        assertThat(DesignCsv.cell(number)).isEqualTo(number);
        assertThat(DesignCsv.text(number)).isEqualTo(number);
    }

    @Test
    void notesAreInBothFormsWhereThereAreSome() {
        var row =
                new DesignTable.Row(3, "abc", true, Map.of("k", "4"), List.of(measured("hls", Map.of("lut", 1200.0))));
        var other = new DesignTable.Row(4, "abd", false, Map.of("k", "8"), List.of());
        DesignTable noted = table(row, other).withNotes(Map.of(3, "#ship, \"small\""));
        List<List<String>> lines = parseCsv(DesignCsv.write(noted));
        assertThat(lines.get(0)).startsWith("number", "design", "front", "k").endsWith("note");
        assertThat(lines.get(1)).startsWith("3", "abc", "yes", "4").endsWith("#ship, \"small\"");
        assertThat(lines.get(2)).startsWith("4", "abd", "no", "8").endsWith("").hasSameSizeAs(lines.get(0));
        assertThat(new DesignJson().write(noted)).containsOnlyOnce("\"note\" : \"#ship, \\\"small\\\"\"");
        assertThat(DesignCsv.write(table(row))).doesNotContain("note");
    }

    @Test
    void csvSurvivesEveryCharacter() {
        String nasty = " a,\"b\"\r\nc\td; ";
        String csv = DesignCsv.write(table(new DesignTable.Row(
                1,
                "x",
                false,
                Map.of(nasty, nasty),
                List.of(new DesignTable.Stage("hls", new Outcome.Failure(FailureKind.REJECTED, nasty), 0, ESTIMATE)))));
        List<List<String>> lines = parseCsv(csv);
        assertThat(lines.get(0)).contains(nasty);
        assertThat(lines.get(1)).contains(nasty, "invalid: " + nasty).hasSameSizeAs(lines.get(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void jsonReadsBackAsWritten(long seed) {
        var random = new Random(seed);
        var rows = new ArrayList<DesignTable.Row>();
        for (int i = 0; i < 20; i++) {
            var knobs = new LinkedHashMap<String, String>();
            for (int k = random.nextInt(4); k >= 0; k--) {
                knobs.put("knob\"" + k + "ü\\", "v\n" + random.nextInt());
            }
            Outcome outcome = switch (random.nextInt(4)) {
                case 0 ->
                    new Outcome.Measured(Map.of("power", random.nextDouble(), "lut", random.nextGaussian() * 1e12));
                case 1 -> new Outcome.Failure(FailureKind.REJECTED, "needs 3,000 DSP of 2,800");
                case 2 -> new Outcome.Failure(FailureKind.LICENCE, "licence");
                default -> Outcome.Failure.timedOut(random.nextDouble() * 1e4);
            };
            rows.add(new DesignTable.Row(
                    i,
                    "id" + i,
                    random.nextBoolean(),
                    knobs,
                    List.of(new DesignTable.Stage(
                            "hls",
                            outcome,
                            random.nextDouble() * 100,
                            new Provenance("vitis", "2022.1", random.nextInt(), Provenance.Source.values()[i % 5])))));
        }
        DesignTable table = table(rows.toArray(DesignTable.Row[]::new));
        assertThat(DesignJsonReader.read(new DesignJson().write(table), "memory"))
                .isEqualTo(table);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"format": "knobscape-designs"| designs.json:1 is not valid JSON
            []| designs.json is not a file of designs
            {"format": "other"}| designs.json is not a file of designs
            {"format": "knobscape-designs", "formatVersion": 99}| written by a newer version of Knobscape (format 99
            {"format": "knobscape-designs", "formatVersion": 1}| at /, "subject" must be a text
            {"format": "knobscape-designs", "formatVersion": 1, "subject": "g", "origin": {}, "metrics": [{"name": 3}]}| at /metrics/0, "name" must be a text
            """)
    void badJsonIsOneSentence(String text, String expected) {
        assertThatThrownBy(() -> DesignJsonReader.read(text, "designs.json"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(expected)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n").endsWith("."));
    }

    @Test
    void filesAreReplacedWholeAndLeaveNothingBehind() throws Exception {
        Path file = folder.resolve("a/b/designs.csv");
        FileOutput.write(file, "first");
        FileOutput.write(file, "second");
        assertThat(file).hasContent("second");
        try (Stream<Path> left = Files.list(file.getParent())) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void unwritableTargetIsOneSentence() throws Exception {
        Path blocked = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> FileOutput.write(blocked.resolve("below.csv"), "y"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("below.csv")
                .hasMessageContaining("is a file where a folder is needed");
        assertThatThrownBy(() -> FileOutput.write(folder, "y"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a folder");
        assertThat(blocked).hasContent("x");
    }
}
