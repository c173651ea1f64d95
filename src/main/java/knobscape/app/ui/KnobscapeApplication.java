package knobscape.app.ui;

import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javafx.application.Application;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;

/// The JavaFX application.
public final class KnobscapeApplication extends Application {
    /// Held here because a logger that nobody refers to forgets its level.
    private static final Logger JAVAFX = Logger.getLogger("javafx");

    /// Made by JavaFX.
    public KnobscapeApplication() {}

    /// Opens the window and returns when it is closed. Called at most once in a process.
    ///
    /// @param project a project folder or source file to open; empty for the start page
    public static void open(Optional<Path> project) {
        // At every start JavaFX warns that it was loaded from the class path, which is how this program is built.
        JAVAFX.setLevel(Level.SEVERE);
        launch(KnobscapeApplication.class, project.map(Path::toString).stream().toArray(String[]::new));
    }

    @Override
    public void start(Stage stage) {
        String project = String.join(" ", getParameters().getRaw());
        stage.setTitle("Knobscape");
        stage.setScene(new Scene(new StackPane(new Label(project)), 1280, 800));
        stage.show();
    }
}
