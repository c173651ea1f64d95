package knobscape.app.ui;

import javafx.scene.control.ButtonType;
import javafx.scene.control.Dialog;
import javafx.scene.control.TextArea;
import javafx.stage.Modality;
import javafx.stage.Window;

/// A long text in a window of its own, beside which one can go on working.
final class TextDialog {
    private TextDialog() {}

    /// Shows it; gives the area, whose text may be set anew.
    static TextArea show(Window owner, String title, String words) {
        var text = new TextArea(words);
        text.setEditable(false);
        text.getStyleClass().add("wide-text");
        text.setWrapText(true);
        text.setPrefSize(820, 620);
        text.setAccessibleText(title);
        var dialog = new Dialog<Void>();
        dialog.setTitle(title);
        dialog.initOwner(owner);
        dialog.initModality(Modality.NONE);
        dialog.setResizable(true);
        dialog.getDialogPane().setContent(text);
        dialog.getDialogPane().getButtonTypes().add(ButtonType.CLOSE);
        dialog.show();
        return text;
    }
}
