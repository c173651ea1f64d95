package knobscape.app.ui.area;

import java.nio.file.Path;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import knobscape.app.ui.view.Fxml;

/// An area whose work is about a network: what it does with files and networks is the same for all of them.
public interface NetworkWindowArea extends WindowArea {
    @Override
    NetworkWork work();

    @Override
    default boolean accepts(Path path) {
        return WorkKind.isProject(path)
                ? WorkKind.ofProject(path).filter(id()::equals).isPresent()
                : WorkKind.isNetwork(path);
    }

    @Override
    default boolean takesNetworks() {
        return true;
    }

    @Override
    default void open(Path path) {
        work().open(path.toString());
    }

    @Override
    default void openNetwork(String source) {
        work().open(source);
    }

    /// Covers the middle until the first network is read.
    static Cover cover(NetworkWork work) {
        Parent cover = Fxml.load("area/network-cover", new Object());
        ((Label) cover.lookup("#words")).textProperty().bind(work.opener().words());
        cover.visibleProperty().bind(work.name().map(Optional::isEmpty));
        return new Cover(cover, new ReadOnlyBooleanWrapper(false));
    }
}
