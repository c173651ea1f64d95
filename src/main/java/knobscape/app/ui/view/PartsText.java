package knobscape.app.ui.view;

import java.util.List;
import javafx.beans.InvalidationListener;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.Labeled;
import javafx.scene.control.MenuButton;
import javafx.scene.layout.Region;
import javafx.scene.text.Text;

/// A control that says as many parts of its text as it has room for, from the first on; a part is never cut in the
/// middle. Wide enough for all of them it wants to be, whatever it shows.
public final class PartsText {
    private static final String COMMA = ", ";
    /// The pixels that rounding to whole ones may take.
    private static final double SLACK = 2;
    /// Most sizes of text that a part needs which is cut where there is less room.
    private static final double MOST_LEAST = 9;

    private final Labeled control;
    private final ObservableValue<List<String>> parts;
    private final String between;
    private final int least;
    private final Text ruler = new Text();

    private PartsText(Labeled control, ObservableValue<List<String>> parts, String between, int least) {
        this.control = control;
        this.parts = parts;
        this.between = between;
        this.least = least;
    }

    /// Lets a control say these parts, also when they, its font or its width change.
    ///
    /// @param control nobody else sets its text and preferred width
    /// @param parts what matters most first
    public static void bind(Labeled control, ObservableValue<List<String>> parts) {
        bind(control, parts, COMMA, 0);
    }

    /// The same of a control that says a name: its first part stands there also where it has to be cut.
    public static void bindName(Labeled control, ObservableValue<List<String>> parts) {
        bind(control, parts, COMMA, 1);
    }

    /// The same with something else between the parts.
    ///
    /// @param least as many parts stand there also where they have to be cut
    public static void bind(Labeled control, ObservableValue<List<String>> parts, String between, int least) {
        var text = new PartsText(control, parts, between, least);
        InvalidationListener fit = o -> text.fit();
        parts.addListener(fit);
        control.skinProperty().addListener(fit);
        control.widthProperty().addListener(fit);
        control.fontProperty().addListener(fit);
        control.insetsProperty().addListener(fit);
        text.fit();
    }

    /// All parts as one line.
    public static String whole(List<String> parts) {
        return String.join(COMMA, parts);
    }

    private String line(List<String> some) {
        return String.join(between, some);
    }

    private void fit() {
        List<String> all = parts.getValue();
        double beside = beside();
        control.setPrefWidth(Math.ceil(beside + width(line(all))));
        if (least > 0) {
            // What stands there now says nothing of how narrow it may be.
            String name = line(all.subList(0, Math.min(least, all.size())));
            control.setMinWidth(Math.ceil(Math.min(
                    beside + width(name), MOST_LEAST * control.getFont().getSize())));
        }
        control.setAccessibleHelp(line(all));
        int shown = all.size();
        if (control.getWidth() > 0) {
            while (shown > least && beside + width(line(all.subList(0, shown))) > control.getWidth()) {
                shown--;
            }
        }
        control.setText(line(all.subList(0, shown)));
    }

    /// The width of the picture and the borders of the control.
    private double beside() {
        double picture =
                control.getGraphic() == null ? 0 : control.getGraphic().prefWidth(-1) + control.getGraphicTextGap();
        return control.snappedLeftInset() + control.snappedRightInset() + menu() + picture + SLACK;
    }

    /// The width of the arrow of a menu and the borders around its words.
    private double menu() {
        return control instanceof MenuButton
                        && control.lookup(".arrow-button") instanceof Region arrow
                        && control.lookup(".label") instanceof Region words
                ? arrow.prefWidth(-1) + words.snappedLeftInset() + words.snappedRightInset()
                : 0;
    }

    private double width(String words) {
        ruler.setFont(control.getFont());
        ruler.setText(words);
        return ruler.getLayoutBounds().getWidth();
    }
}
