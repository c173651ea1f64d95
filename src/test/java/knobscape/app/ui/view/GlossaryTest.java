package knobscape.app.ui.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import knobscape.app.ui.Toolkit;
import knobscape.app.ui.designs.DesignStanding;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The manual's glossary as the window shows it.
class GlossaryTest {
    @BeforeAll
    static void toolkit() {
        Toolkit.start();
    }

    @Test
    void whatIsPackagedIsTheManuals() throws Exception {
        String manual = Files.readString(Path.of("src/docs/glossary.md"));
        assertThat(Glossary.parse(manual).keySet()).isEqualTo(Glossary.terms()).hasSizeGreaterThan(50);
        assertThat(Glossary.explain("Front").orElseThrow())
                .isEqualTo("front: designs that no other design beats in every objective");
    }

    @ParameterizedTest
    @EnumSource(DesignStanding.class)
    void everyStandingIsExplained(DesignStanding standing) {
        assertThat(Glossary.explain(standing.words())).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Fidelity",
                "Standing",
                "Step",
                "Simulated hours",
                "LUT",
                "DSP",
                "Hypervolume",
                "Measured hours",
                "Designs",
                "Parallel coordinates",
                "Results at each fidelity",
                "Pareto front",
                "Knobs",
                "Seed",
                "Trial",
                "II"
            })
    void termsThatTheWindowShowsAreInTheGlossary(String words) {
        assertThat(Glossary.explain(words)).isPresent();
    }

    @Test
    void theLongestTermIsExplainedAndPartsOfWordsAreNot() {
        assertThat(Glossary.explain("Measured hours of the run").orElseThrow()).startsWith("measured hours:");
        assertThat(Glossary.explain("Stepping aside, partly")).isEmpty();
    }

    @Test
    void labelsAndColumnsOfAViewHaveTooltips() {
        var label = Glossary.explain(new Label("Results at each fidelity"));
        assertThat(pointedAt(label).getTooltip().getText()).startsWith("fidelity: ");
        var column = new TableColumn<String, String>("Delay");
        column.setText("Fidelity");
        Glossary.explain(column);
        assertThat(pointedAt((Label) column.getGraphic()).getTooltip().getText())
                .startsWith("fidelity: ");
    }

    @Test
    void everyViewIsReadForTerms() throws Exception {
        try (Stream<Path> files = Files.walk(Path.of("fxml"))) {
            long explained = files.filter(Files::isRegularFile)
                    .flatMap(f -> {
                        try {
                            return Stream.of(Files.readString(f).split("text=\""))
                                    .skip(1);
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .map(t -> t.substring(0, t.indexOf('"')))
                    .filter(t -> Glossary.explain(t).isPresent())
                    .count();
            assertThat(explained).isGreaterThan(20);
        }
    }

    private static Label pointedAt(Label label) {
        label.fireEvent(new MouseEvent(
                MouseEvent.MOUSE_ENTERED,
                0,
                0,
                0,
                0,
                MouseButton.NONE,
                0,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                true,
                true,
                true,
                null));
        return label;
    }
}
