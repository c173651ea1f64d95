package knobscape.app.ui.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import javafx.beans.property.Property;
import javafx.beans.property.StringProperty;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.view.Fxml;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bar at the bottom of an area: what begins work and how while nothing runs; progress, pause and stop
/// while something does.
public final class WorkBar {
    private static final double ENTRY_WIDTH = 344;
    private static final int DIGITS = 6;
    private final HBox root;

    @FXML
    private HBox idle;

    @FXML
    private Button pause;

    @FXML
    private Button stop;

    @FXML
    private ProgressBar progress;

    @FXML
    private Label figures;

    @FXML
    private Label words;

    /// @param commands what the buttons give
    /// @param pauseCommand pauses and continues
    /// @param stopCommand stops
    /// @param begin buttons that begin work
    /// @param choices menus that say how
    public WorkBar(
            Commands commands,
            Command pauseCommand,
            Command stopCommand,
            List<Button> begin,
            List<MenuButton> choices) {
        this.root = Fxml.load("run/work-bar", this);
        commands.dress(pause, pauseCommand);
        commands.dress(stop, stopCommand);
        choices.forEach(b -> {
            b.getStyleClass().add("small");
            b.setMnemonicParsing(false);
        });
        idle.getChildren().setAll(begin);
        idle.getChildren().addAll(choices);
        idle.getChildren().forEach(n -> ((Region) n).setMinWidth(Region.USE_PREF_SIZE));
    }

    /// The bar.
    public HBox root() {
        return root;
    }

    /// Shows how the work stands.
    public void show(WorkStatus s) {
        show(idle, !s.isActive());
        show(pause, s.isActive());
        show(stop, s.isActive());
        show(progress, s.isActive());
        boolean paused = s.state() == WorkStatus.State.PAUSED;
        pause.setText(paused ? "Resume" : "Pause");
        pause.setGraphic(new FontIcon(paused ? "mdi2p-play" : "mdi2p-pause"));
        progress.getStyleClass().remove("waiting");
        if (paused) {
            progress.getStyleClass().add("waiting");
        }
        progress.setProgress(s.share());
        progress.setAccessibleText("Progress: " + s.words() + " " + s.figures());
        figures.setText(s.figures());
        words.setText(s.words());
    }

    /// Lets a node take part in the layout or not.
    public static void show(Node node, boolean on) {
        node.setVisible(on);
        node.setManaged(on);
    }

    /// An item that sets a property to a value and is marked while it has it.
    public static RadioMenuItem choice(ToggleGroup group, String words, String value, StringProperty into) {
        var item = new RadioMenuItem(words);
        item.setMnemonicParsing(false);
        item.setToggleGroup(group);
        item.setOnAction(e -> into.set(value));
        into.subscribe(v -> item.setSelected(value.equals(v)));
        return item;
    }

    /// Takes what was typed; throws [NumberFormatException] for what is not possible.
    public interface Setter {
        /// Sets the value.
        void set(String text);
    }

    /// An item with a field for a number or a text, which shows the property as it changes.
    ///
    /// @param wanted said where what was typed is not possible, a sentence
    public static MenuItem entry(String name, Property<?> value, Setter setter, String wanted, Messages messages) {
        var field = new TextField();
        field.setPrefColumnCount(8);
        field.setAccessibleText(name);
        field.getStyleClass().addAll("small", "number-field");
        Runnable show =
                () -> field.setText(value.getValue() instanceof Number n ? text(n) : String.valueOf(value.getValue()));
        Runnable take = () -> {
            try {
                setter.set(field.getText().strip());
            } catch (NumberFormatException e) {
                messages.show(Message.warning(wanted));
            }
            show.run();
        };
        value.addListener(o -> show.run());
        show.run();
        field.setOnAction(e -> take.run());
        field.focusedProperty().addListener((o, was, is) -> {
            if (was) {
                take.run();
            }
        });
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var line = new HBox(new Label(name), spacer, field);
        line.getStyleClass().add("inspector-line");
        // A menu gives its items the width they prefer.
        line.setMinWidth(ENTRY_WIDTH);
        line.setPrefWidth(ENTRY_WIDTH);
        return new CustomMenuItem(line, false);
    }

    private static String text(Number v) {
        return v.doubleValue() == Math.rint(v.doubleValue()) && Math.abs(v.doubleValue()) < 1e15
                ? Long.toString(v.longValue())
                : new BigDecimal(v.doubleValue(), new MathContext(DIGITS))
                        .stripTrailingZeros()
                        .toPlainString();
    }

    /// A whole number within bounds; throws [NumberFormatException] otherwise.
    public static int whole(String text, int least, int most) {
        int n = Integer.parseInt(text);
        if (n < least || n > most) {
            throw new NumberFormatException();
        }
        return n;
    }

    /// A number from `least` on; throws [NumberFormatException] otherwise.
    public static double number(String text, double least) {
        double v = Double.parseDouble(text);
        if (!(v >= least) || Double.isInfinite(v)) {
            throw new NumberFormatException();
        }
        return v;
    }
}
