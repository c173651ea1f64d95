package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Labeled;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.theme.Theme;
import knobscape.hls.HlsSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The part in the sheet of the next run: who types looks for one.
class PartFieldTest {
    @TempDir
    private Path folder;

    private Hand hand;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.LIGHT);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    @Test
    void typingLooksForParts() throws Exception {
        Path source = java.nio.file.Files.writeString(folder.resolve("k.cpp"), """
                void k(int a[64]) { for (int i = 0; i < 64; i++) a[i] += i; }
                """);
        hand.sitting().open(source);
        var form = hand.window().hls().model().runs().form();
        hand.sitting().act(w -> ((javafx.scene.control.Button) w.root().lookup("#firstSettings")).fire());
        ComboBox<String> part = hand.robot().lookup(".combo-box").<ComboBox<String>>queryAll().stream()
                .filter(b -> b.isEditable() && b.getAccessibleText().startsWith("Part:"))
                .findFirst()
                .orElseThrow();
        hand.robot().clickOn(part.getEditor());
        hand.robot().push(KeyCode.CONTROL, KeyCode.A).write("zu9");
        assertThat(form.text(HlsSettings.PART).get()).isEqualTo("zu9");
        assertThat(part.getItems()).isNotEmpty().allMatch(p -> p.contains("zu9"));
        hand.robot().type(KeyCode.DOWN, KeyCode.ENTER);
        String chosen = part.getItems().getFirst();
        assertThat(form.text(HlsSettings.PART).get()).isEqualTo(chosen);
        // Source, knobs and baseline are of that part from now on.
        var opened = hand.window().hls().model().workbench();
        Hand.until(() -> opened.get()
                .flatMap(w -> w.bench().settings().part())
                .filter(chosen::equals)
                .isPresent());
        hand.sitting().act(w -> form.text(HlsSettings.PART).set("nopart"));
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> hand.robot()
                .lookup(l ->
                        l instanceof Labeled t && String.valueOf(t.getText()).startsWith("No part is named 'nopart'"))
                .tryQuery()
                .filter(Node::isVisible)
                .isPresent());
        assertThat(hand.window().messages().shown()).isEmpty();
        assertThat(hand.window().hls().model().runs().runs()).isEmpty();
    }
}
