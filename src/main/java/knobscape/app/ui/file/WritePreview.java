package knobscape.app.ui.file;

import java.util.List;
import java.util.stream.Collectors;
import javafx.fxml.FXML;
import javafx.scene.control.ButtonBar.ButtonData;
import javafx.scene.control.ButtonType;
import javafx.scene.control.Dialog;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.layout.VBox;
import javafx.stage.Window;
import knobscape.app.ui.view.Fxml;
import knobscape.evaluate.report.FilePlan;

/// The preview of an export: the files, and how they differ from what is there or from the source they copy.
public final class WritePreview {
    /// Lines of differences that are shown; a text area with more of them is slow.
    private static final int MAX_LINES = 5000;

    private final VBox root;
    private final String what;

    @FXML
    private Label title;

    @FXML
    private TextArea files;

    @FXML
    private TextArea differences;

    private WritePreview(String what, List<FilePlan> plans) {
        this.what = what;
        this.root = Fxml.load("file/preview", this);
        title.setText(what + " will be written:");
        files.setText(plans.stream().map(FilePlan::summary).collect(Collectors.joining()));
        String changes = plans.stream().map(FilePlan::differences).collect(Collectors.joining());
        long lines = changes.lines().count();
        differences.setText(
                lines <= MAX_LINES
                        ? changes
                        : changes.lines().limit(MAX_LINES).collect(Collectors.joining("\n")) + "\n("
                                + (lines - MAX_LINES) + " more lines)");
        differences.setVisible(!changes.isEmpty());
        differences.setManaged(!changes.isEmpty());
    }

    /// Shows it over a window; false where the person cancels.
    ///
    /// @param what is exported
    public static boolean agrees(String what, List<FilePlan> plans, Window owner) {
        return new WritePreview(what, plans).ask(owner);
    }

    private boolean ask(Window owner) {
        var write = new ButtonType("Write", ButtonData.OK_DONE);
        var dialog = new Dialog<ButtonType>();
        dialog.setTitle("Export: " + what);
        dialog.initOwner(owner);
        dialog.setResizable(true);
        dialog.getDialogPane().setContent(root);
        dialog.getDialogPane().getButtonTypes().addAll(write, ButtonType.CANCEL);
        return dialog.showAndWait().filter(write::equals).isPresent();
    }
}
