package knobscape.app.ui.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.MenuButton;
import javafx.scene.layout.Pane;
import javafx.scene.text.Text;
import knobscape.app.ui.Toolkit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PartsTextTest {
    private static final List<String> PARTS = List.of("CGP", "Built-in estimate", "seed 1");

    @BeforeAll
    static void toolkit() {
        Toolkit.start();
    }

    @Test
    void wholePartsAreDroppedFromTheEndAndComeBack() {
        var button = new Button();
        PartsText.bind(button, new SimpleObjectProperty<>(PARTS));
        double all = button.getPrefWidth();
        assertThat(button.getText()).isEqualTo("CGP, Built-in estimate, seed 1");

        button.resize(all - 4, 30);
        assertThat(button.getText()).isEqualTo("CGP, Built-in estimate");
        button.resize(60, 30);
        assertThat(button.getText()).isEqualTo("CGP");
        button.resize(8, 30);
        assertThat(button.getText()).isEmpty();
        assertThat(button.getPrefWidth()).isEqualTo(all);
        assertThat(button.getAccessibleHelp()).isEqualTo("CGP, Built-in estimate, seed 1");

        button.resize(all, 30);
        assertThat(button.getText()).isEqualTo("CGP, Built-in estimate, seed 1");
    }

    @Test
    void theFirstPartOfANameStaysAndTheArrowOfAMenuHasItsRoom() throws Exception {
        Toolkit.call(() -> {
            var menu = new MenuButton();
            PartsText.bindName(menu, new SimpleObjectProperty<>(PARTS));
            var holder = new Pane(menu);
            var scene = new Scene(holder, 400, 100);
            holder.applyCss();
            for (double width : new double[] {menu.getPrefWidth(), menu.getPrefWidth() - 4, 90, 8}) {
                menu.resize(width, 30);
                holder.layout();
                if (width > 8) {
                    assertThat(((Text) menu.lookup(".text")).getText()).isEqualTo(menu.getText());
                }
                assertThat(menu.getText()).startsWith("CGP");
            }
            return scene;
        });
    }

    @Test
    void otherPartsAreMeasuredAnew() {
        var button = new Button();
        var parts = new SimpleObjectProperty<>(PARTS);
        PartsText.bind(button, parts);
        button.resize(button.getPrefWidth(), 30);
        parts.set(List.of("BTED+BAO", "GeForce GTX 1080 Ti (model)", "64 per task", "seed 1"));
        assertThat(button.getText())
                .isNotEmpty()
                .isSubstringOf("BTED+BAO, GeForce GTX 1080 Ti (model), 64 per task, seed 1");
        assertThat(button.getText()).doesNotEndWith(",").startsWith("BTED+BAO");
    }
}
