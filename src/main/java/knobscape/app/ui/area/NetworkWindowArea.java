package knobscape.app.ui.area;

import java.nio.file.Path;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.value.ObservableValue;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.task.ExtentsQuestion;
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

    /// Asks a person for the extents that a file leaves open.
    static void ask(NetworkWork work, FileChoices choices) {
        ExtentsQuestion.answer(work.opener().question(), choices);
    }

    /// Covers the middle until the first network is read.
    static Cover cover(NetworkWork work) {
        Parent cover = Fxml.load("area/network-cover", new Object());
        ((Label) cover.lookup("#words")).textProperty().bind(work.opener().words());
        cover.visibleProperty().bind(work.name().map(Optional::isEmpty));
        return new Cover(cover, new ReadOnlyBooleanWrapper(false));
    }

    /// The header: the network's name, words about it where there is room, and the menu of exports.
    ///
    /// @param runs dresses the menu of stored runs
    /// @param room width from which the words are shown
    static HBox breadcrumb(
            NetworkWork work, ObservableValue<String> about, double room, MenuButton exports, RunControls runs) {
        HBox breadcrumb = Fxml.load("area/network-breadcrumb", new Object());
        var name = (Label) breadcrumb.lookup("#network");
        WindowArea.sayName(name, work.name());
        runs.dress((MenuButton) breadcrumb.lookup("#runs"));
        exports.setMinWidth(Region.USE_PREF_SIZE);
        exports.getStyleClass().add("flat");
        var second = (Label) breadcrumb.lookup("#about");
        // Where the header is full, the name matters more.
        second.visibleProperty().bind(WindowArea.roomFor(breadcrumb, room));
        second.managedProperty().bind(second.visibleProperty());
        second.textProperty().bind(about);
        breadcrumb.getChildren().add(exports);
        breadcrumb.visibleProperty().bind(work.name().map(Optional::isPresent));
        return breadcrumb;
    }
}
