package knobscape.app.ui.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.hls.HlsRunFields;
import knobscape.explore.RunEvent;
import knobscape.hls.HlsSettings;
import knobscape.project.BoxTools;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFormTest {
    private static final HlsSettings KERNEL = HlsSettings.of("k.cpp");

    private final RunForm form = new RunForm(new HlsRunFields(List.of("xc7vx485t", "xc7z020")));

    @BeforeEach
    void fill() {
        form.fill(
                BoxTools.settings(30).withObjectives(List.of("power", "lut")),
                KERNEL,
                BoxTools.tools().methods().all(),
                BoxTools.tools().toolchains().all());
    }

    @Test
    void untouchedFormSaysWhatItWasFilledWith() {
        var checked = form.check(KERNEL).orElseThrow();
        assertThat(checked.run()).isEqualTo(BoxTools.settings(30).withObjectives(List.of("power", "lut")));
        assertThat(checked.settings()).isEqualTo(KERNEL);
    }

    @Test
    void whatIsTypedCounts() {
        form.text(Field.SEED).set(" -7 ");
        form.text(field("Clock (ns)")).set("4,5");
        form.text(field("Part")).set("xc7z020");
        var checked = form.check(KERNEL).orElseThrow();
        assertThat(checked.run().seed()).isEqualTo(-7);
        assertThat(checked.settings()).isEqualTo(KERNEL.withClockNs(4.5).withPart("xc7z020"));
    }

    private Field field(String label) {
        return form.fields().stream()
                .filter(f -> f.label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Seed           | x1    | Seed must be a whole number.
            Steps          | -1    | Steps must be a whole number from 0 to 10000000.
            Initial designs | 0     | Initial designs must be a whole number from 1.
            Early stop     | 2.5   | Early stop must be a whole number from 0.
            In parallel    | 1000  | In parallel must be a whole number from 1 to 256.
            Clock (ns)     | 0     | Clock (ns) must be a number above 0, at most 1000.
            Clock (ns)     | NaN   | Clock (ns) must be a number above 0, at most 1000.
            Simulated tool delay    | -1    | Simulated tool delay must be a number from 0 to 10.
            """)
    void whatIsWrongIsSaidByField(String label, String typed, String sentence) {
        Field field = field(label);
        form.text(field).set(typed);
        assertThat(form.check(KERNEL)).isEmpty();
        assertThat(form.errors().get()).containsExactly(java.util.Map.entry(field, sentence));
        form.text(field).set("5");
        assertThat(form.check(KERNEL)).isPresent();
        assertThat(form.errors().get()).isEmpty();
    }

    @Test
    void statusSaysWhatBecomesOfTheWorkInFlight() {
        var progress = new RunEvent.Progress(17, 40, 25, 0.5, 6, 40_320, 38, 95, 360);
        RunSettings settings = HlsSettings.defaultRun();
        var news = new RunNews(
                DesignSet.none(), Optional.of(progress), "#28 up to impl", List.of(), false, Optional.empty());
        assertThat(StatusWords.live(RunState.RUNNING, news, settings).figures())
                .containsExactly(
                        "step 17 of 40", "about 6 min left", "11.2 tool hours", "algorithm 38 s", "elapsed 2 min");
        assertThat(StatusWords.live(RunState.RUNNING, news, settings).words()).isEqualTo("Evaluating #28 up to impl");
        assertThat(StatusWords.live(RunState.PAUSING, news, settings).words())
                .isEqualTo("Pausing when #28 up to impl has come back");
        assertThat(StatusWords.live(RunState.PAUSED, news, settings).words()).contains("has come back and is stored");
        assertThat(StatusWords.live(RunState.STOPPED, news, settings).words()).contains("was cancelled", "Resume");
        assertThat(StatusWords.live(RunState.RUNNING, news, settings).share())
                .isCloseTo(25 / 48.0, org.assertj.core.data.Offset.offset(1e-9));
        var none = new RunNews(DesignSet.none(), Optional.empty(), "", List.of(), false, Optional.empty());
        assertThat(StatusWords.live(RunState.RUNNING, none, settings).figures())
                .containsExactly("initial design 1 of 8");
    }
}
