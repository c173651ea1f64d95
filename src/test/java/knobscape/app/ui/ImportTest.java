package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.theme.Theme;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Directives of a person's own script in the real window: menu, file, the design, what the space lacks of it.
@Tag("slow")
class ImportTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Theme.class,
            names = {"LIGHT", "DARK"})
    void directivesAreImportedByTheMenuAndWhatTheSpaceLacksIsAdded(Theme theme) throws IOException, TimeoutException {
        Files.writeString(folder.resolve("scale.cpp"), """
                void scale(const int a[64], int b[64], int factor) {
                walk:
                    for (int i = 0; i < 64; i++) {
                        b[i] = a[i] * factor;
                    }
                }
                """);
        Path script = Files.writeString(
                folder.resolve("mine.tcl"),
                "set_directive_pipeline -II 3 scale/walk\nset_directive_unroll scale/gone\n");
        var asked = new ArrayList<String>();
        var choices = new WindowSnapshot.NoFiles() {
            @Override
            public Optional<Path> openFile(String title, List<Kind> kinds) {
                asked.add(title);
                return Optional.of(script);
            }
        };
        try (var hand = new Hand(theme, choices)) {
            hand.sitting().open(folder.resolve("scale.cpp"));
            Results results = hand.window().hls().model().results();
            hand.clickMenu("Design", "Import directives");
            Hand.until(() -> results.whatIf().get().isPresent());
            assertThat(asked).containsExactly("Import directives");
            String said = hand.window().messages().shown().getFirst().text();
            assertThat(said).contains("mine.tcl", "scale/gone", "pipeline@scale/walk has no value ii=3");
            hand.robot().clickOn("Add to the space");
            Hand.until(() -> results.whatIf()
                    .get()
                    .filter(w -> w.configuration().value("pipeline@scale/walk").equals("ii=3"))
                    .isPresent());
        }
    }
}
