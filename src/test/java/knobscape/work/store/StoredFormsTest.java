package knobscape.work.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.Prediction;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is written is read again as it was; texts that older programs wrote are fixed.
class StoredFormsTest {
    private static final KnobSet KNOBS = new KnobSet(List.of(
            new Knob("on", new Domain.Toggle()),
            new Knob("factor", new Domain.Factors(List.of(1, 2, 8))),
            new Knob("type", new Domain.Categories(List.of("a b", "\u00fc\"")))));

    @TempDir
    private Path folder;

    @Test
    void knobsAreReadAsTheyWere() {
        String text = StoredForms.knobs(KNOBS);
        assertThat(text)
                .isEqualTo(
                        "[{\"name\":\"on\",\"domain\":\"toggle\"},{\"name\":\"factor\",\"domain\":\"factors\",\"values\":[1,2,8]},{\"name\":\"type\",\"domain\":\"categories\",\"values\":[\"a b\",\"\u00fc\\\"\"]}]");
        assertThat(StoredForms.knobs(text)).isEqualTo(KNOBS);
        assertThatThrownBy(() -> StoredForms.knobs("[{\"name\":\"x\",\"domain\":\"reals\"}]"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("reals");
    }

    @Test
    void recordsAreReadAsTheyWere() {
        var f = new Fidelity("impl", 2);
        assertThat(StoredForms.write(f)).isEqualTo("{\"name\":\"impl\",\"rank\":2}");
        assertThat(StoredForms.read(StoredForms.write(f), Fidelity.class)).isEqualTo(f);
        assertThat(StoredForms.read("{\"name\":\"impl\",\"rank\":null}", Fidelity.class))
                .isEqualTo(new Fidelity("impl", 0));
    }

    @Test
    void outcomesHaveThreeColumns() {
        Outcome measured = new Outcome.Measured(Map.of("delay", 1.5));
        Outcome plain = new Outcome.Failure(FailureKind.TIMING, "too slow", Map.of());
        Outcome with = new Outcome.Failure(FailureKind.DOES_NOT_FIT, "too large", Map.of("lut", 9e9));
        for (Outcome o : List.of(measured, plain, with)) {
            assertThat(StoredForms.outcome(StoredForms.kind(o), StoredForms.metrics(o), StoredForms.reason(o)))
                    .isEqualTo(o);
        }
        assertThat(StoredForms.kind(measured)).isEqualTo("measured");
        assertThat(StoredForms.metrics(measured)).isEqualTo("{\"delay\":1.5}");
        assertThat(StoredForms.reason(measured)).isEmpty();
        assertThat(StoredForms.kind(plain)).isEqualTo("TIMING");
        assertThat(StoredForms.metrics(plain)).isEmpty();
        assertThat(StoredForms.reason(plain)).isEqualTo("too slow");
        assertThatThrownBy(() -> StoredForms.outcome("NONSENSE", "", "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEvaluationIsReadFromItsRow() {
        Configuration c = Configuration.parse(KNOBS, "on=on;factor=8;type=a b");
        try (Database d = Database.openForWriting(folder.resolve("e.db"))) {
            d.run("CREATE TABLE e(kind, metrics, reason, cost, toolchain, version, seed, source)");
            d.change(
                    "INSERT INTO e VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                    "measured",
                    "{\"delay\":2}",
                    "",
                    12.5,
                    "vitis",
                    "2024.2",
                    7L,
                    "MEASURED");
            assertThat(d.query("SELECT * FROM e", r -> StoredForms.evaluation(c, new Fidelity("syn", 1), r)))
                    .containsExactly(new Evaluation(
                            c,
                            new Fidelity("syn", 1),
                            new Outcome.Measured(Map.of("delay", 2.0)),
                            12.5,
                            new Provenance("vitis", "2024.2", 7, Provenance.Source.MEASURED)));
        }
    }

    @Test
    void diagnosticsAreInOrderWithGapsForWhatIsNoNumber() {
        assertThat(StoredForms.diagnostics(Map.of())).isEmpty();
        assertThat(StoredForms.diagnostics("")).isEmpty();
        String text = StoredForms.diagnostics(
                Map.of("b", new double[] {1, Double.NaN, Double.POSITIVE_INFINITY}, "a", new double[] {2}));
        assertThat(text).isEqualTo("{\"a\":[2.0],\"b\":[1.0,null,null]}");
        Map<String, double[]> read = StoredForms.diagnostics(text);
        assertThat(read).containsOnlyKeys("a", "b");
        assertThat(read.get("b")).containsExactly(1, Double.NaN, Double.NaN);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "399, 399, 398", "400, 400, 399", "401, 400, 400", "1000, 400, 999"})
    void longDiagnosticsAreThinnedEndsKept(int length, int kept, double last) {
        double[] all = DoubleStream.iterate(0, i -> i + 1).limit(length).toArray();
        double[] read = StoredForms.diagnostics(StoredForms.diagnostics(Map.of("x", all)))
                .getOrDefault("x", new double[0]);
        assertThat(read).hasSize(kept).isSorted().doesNotHaveDuplicates();
        assertThat(read[0]).isZero();
        assertThat(read[kept - 1]).isEqualTo(last);
        for (int i = 0; i < kept && kept > 1; i++) {
            assertThat(read[i]).isEqualTo(Math.floor(i * (length - 1.0) / (kept - 1)));
        }
    }

    @Test
    void aPredictionMayBeMissing() {
        assertThat(StoredForms.prediction(Optional.empty())).isEmpty();
        assertThat(StoredForms.prediction("")).isEmpty();
        var p = new Prediction("impl", Map.of("delay", new Prediction.Interval(2, 1, 3)));
        assertThat(StoredForms.prediction(StoredForms.prediction(Optional.of(p))))
                .contains(p);
    }
}
