package knobscape.app.ui.view;

import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import javafx.fxml.FXMLLoader;
import javafx.scene.Parent;

/// Loads views.
public final class Fxml {
    private Fxml() {}

    /// Loads `/fxml/<name>.fxml`, for example `gpu/tasks`, with its controller, whose `@FXML` fields are set
    /// before its `initialize` runs. Labels and headings with a term of the glossary get its words as a tooltip.
    public static <P extends Parent> P load(String name, Object controller) {
        URL file = Objects.requireNonNull(Fxml.class.getResource("/fxml/" + name + ".fxml"), name);
        var loader = new FXMLLoader(file);
        loader.setController(controller);
        try {
            P root = loader.load();
            Glossary.explain(List.of(root));
            Glossary.explain(loader.getNamespace().values());
            return root;
        } catch (IOException e) {
            throw new IllegalStateException("the view " + name + " cannot be loaded", e);
        }
    }
}
