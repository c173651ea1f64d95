package knobscape.app.ui.area;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.value.ObservableBooleanValue;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.undo.UndoStack;
import knobscape.app.ui.view.Fxml;

/// A kind of work in the window. Every area fills the same four places: left what is optimised, middle the
/// space of results, right one design, bottom what is running. To add one, implement this and name it in
/// [KnobscapeApplication].
public interface WindowArea {
    /// Letters of a name that every header has room for.
    int SHORT_NAME = 18;
    /// Least pixels of a longer one.
    double LONG_NAME = 96;
    /// Pixels of a header that has room for further words.
    double ROOM = 560;

    /// The face of an area in the header and in the four places.
    ///
    /// @param id stable name
    /// @param title words on the area switch
    /// @param shortTitle a word on the area switch where the window is narrow
    /// @param places what stands in the four places, made when they are first shown
    /// @param breadcrumb what follows the program's name in the header: project, run
    record Face(
            String id, String title, String shortTitle, Supplier<Places> places, Supplier<? extends Node> breadcrumb) {}

    /// The face of the area.
    Face face();

    /// Stable name.
    default String id() {
        return face().id();
    }

    /// Words on the area switch.
    default String title() {
        return face().title();
    }

    /// A word on the area switch where the window is narrow.
    default String shortTitle() {
        return face().shortTitle();
    }

    /// The views in the four places.
    default Places places() {
        return face().places().get();
    }

    /// The breadcrumb after the program's name in the header.
    default Node breadcrumb() {
        return new StackPane(face().breadcrumb().get());
    }

    /// The header of an area: the name of what is open, words about it where there is room, the menu of runs, and the
    /// menu of what leaves.
    ///
    /// @param about further words, where there are any
    /// @param exports the menu of what leaves
    /// @param runs dresses the menu of stored runs
    static HBox breadcrumb(
            OpenWork work, Optional<ObservableValue<String>> about, MenuButton exports, RunControls runs) {
        HBox breadcrumb = Fxml.load("area/breadcrumb", new Object());
        sayName((Label) breadcrumb.lookup("#project"), work.name());
        runs.dress((MenuButton) breadcrumb.lookup("#runs"));
        exports.setText("Export");
        exports.setMinWidth(Region.USE_PREF_SIZE);
        exports.getStyleClass().add("flat");
        var words = (Label) breadcrumb.lookup("#about");
        about.ifPresent(words.textProperty()::bind);
        // Where the header is full, the name matters more.
        words.visibleProperty().bind(roomFor(breadcrumb).map(room -> room && about.isPresent()));
        words.managedProperty().bind(words.visibleProperty());
        breadcrumb.getChildren().add(exports);
        breadcrumb.visibleProperty().bind(work.name().map(Optional::isPresent));
        return breadcrumb;
    }

    /// True if the header has room for further words, as the window changes.
    private static ObservableValue<Boolean> roomFor(Node breadcrumb) {
        return breadcrumb
                .parentProperty()
                .flatMap(wrapper -> wrapper.parentProperty())
                .flatMap(place -> place instanceof Region r
                        ? r.widthProperty().map(w -> w.doubleValue() >= ROOM)
                        : new SimpleBooleanProperty(true))
                .orElse(false);
    }

    /// Its own menus, between Edit and View.
    List<Menu> menus();

    /// True if it could open a file or folder of this name; used to choose the area, the check of the content
    /// comes with [#open].
    boolean accepts(Path path);

    /// Opens a file or project. What is wrong with it is shown as a message.
    void open(Path path);

    /// True if it takes networks.
    default boolean takesNetworks() {
        return false;
    }

    /// Opens a network: a file, or `zoo:NAME` for one that is built in. Only where it [#takesNetworks].
    default void openNetwork(String source) {
        throw new UnsupportedOperationException(title() + " takes no networks");
    }

    /// The open work.
    OpenWork work();

    /// The steps that can be taken back in the area.
    default UndoStack undo() {
        return work().undo();
    }

    /// Name of what is open.
    default ObservableValue<Optional<String>> openName() {
        return work().name();
    }

    /// Its runs.
    default RunViewModel runs() {
        return work().runs();
    }

    /// Closes what is open; what runs is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    default void close(Runnable then) {
        work().close(then);
    }

    /// True if something is open or being opened.
    default ReadOnlyBooleanProperty isOpen() {
        return work().isOpen();
    }

    /// Moves the keyboard to the search field that suits where it is now.
    void find();

    /// Title of the page at the left that has the search field; empty where it stands elsewhere.
    default Optional<String> findsOn() {
        return Optional.empty();
    }

    /// Ends its background work; called when the window closes, away from the screen.
    default void shutDown() {
        work().shutDown();
    }

    /// Lets a label of the header say the name of what is open: a short one stays whole, a long one gives way.
    private static void sayName(Label crumb, ObservableValue<Optional<String>> name) {
        crumb.textProperty().bind(name.map(n -> n.orElse("")));
        crumb.textProperty()
                .subscribe(t -> crumb.setMinWidth(t.length() <= SHORT_NAME ? Region.USE_PREF_SIZE : LONG_NAME));
    }

    /// The views in the four places of the window.
    ///
    /// @param headline across the window above all of them, the figures a person came for
    /// @param left pages of the left place, the first shown first
    /// @param details below the left pages, about what is selected there
    /// @param pictures upper middle
    /// @param table lower middle
    /// @param cover covers the middle while it is visible (nothing run yet, computing)
    /// @param design the right place; becomes a left page where the window is narrow
    /// @param controls what runs and stops
    record Places(
            Optional<Node> headline,
            List<Page> left,
            Node details,
            Node pictures,
            Node table,
            Cover cover,
            Page design,
            Controls controls) {
        public Places {
            left = List.copyOf(left);
        }
    }

    /// The controls of a run.
    ///
    /// @param sheet settings, at the right over the other places while it is visible
    /// @param drawer above the bar; takes no room while closed
    /// @param bar the bottom
    record Controls(Node sheet, Node drawer, Node bar) {}

    /// The cover of the middle while it is visible.
    ///
    /// @param body stands there
    /// @param asks whether nothing was run yet: the source then has more than half of the width, and headline and
    /// design, which say no more than this does, give way
    record Cover(Node body, ObservableBooleanValue asks) {}

    /// A page behind a tab.
    ///
    /// @param alone whether it has the left place to itself, without the details below
    record Page(String title, Node body, boolean alone) {
        /// A page above the details.
        public Page(String title, Node body) {
            this(title, body, false);
        }
    }
}
