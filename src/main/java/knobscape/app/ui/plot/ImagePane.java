package knobscape.app.ui.plot;

import java.util.Optional;
import java.util.concurrent.Callable;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.scene.canvas.Canvas;
import javafx.scene.image.ImageView;
import javafx.scene.layout.Region;
import javafx.stage.Window;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;

/// Shows a picture that is drawn away from the screen at the pane's own size, with a canvas on top for the few
/// things that follow the mouse. Asks its painter again when its size or the screen's scale changes, or when
/// told to; a newer request replaces one that has not begun.
final class ImagePane extends Region {

    /// Draws a picture of a given size; called on the JavaFX thread to take what it needs, and gives the work
    /// to be done away from it, which draws on the spare sheet. Empty where there is nothing to draw.
    interface Painter {
        Optional<Callable<FigureFrame>> prepare(double width, double height, double scale, Paper.Spare spare);
    }

    private final Painter painter;
    private final Runnable overlayPainter;
    private final ImageView view = new ImageView();
    private final Canvas overlay = new Canvas();
    private final LatestTask<FigureFrame> drawing;
    private final ReadOnlyObjectWrapper<Optional<FigureFrame>> painted = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final Paper.Spare spare = new Paper.Spare();
    private double drawnWidth = -1;
    private double drawnHeight = -1;

    ImagePane(
            Background background,
            Painter painter,
            Runnable overlayPainter,
            java.util.function.Consumer<? super Exception> failed) {
        this.painter = painter;
        this.overlayPainter = overlayPainter;
        this.drawing = new LatestTask<>(background, this::show, failed);
        view.setManaged(false);
        overlay.setManaged(false);
        view.setMouseTransparent(true);
        overlay.setMouseTransparent(true);
        getChildren().addAll(view, overlay);
        setMinSize(0, 0);
        getStyleClass().add("image-pane");
    }

    /// The frame shown now.
    ReadOnlyObjectProperty<Optional<FigureFrame>> painted() {
        return painted.getReadOnlyProperty();
    }

    /// The canvas on top.
    Canvas overlay() {
        return overlay;
    }

    /// Asks the painter for a new picture.
    void repaint() {
        if (getWidth() < 2 || getHeight() < 2) {
            return;
        }
        drawnWidth = getWidth();
        drawnHeight = getHeight();
        Optional<Callable<FigureFrame>> work = painter.prepare(getWidth(), getHeight(), scale(), spare);
        if (work.isPresent()) {
            drawing.submit(work.get());
        } else {
            clear();
        }
    }

    /// Shows nothing.
    void clear() {
        painted.set(Optional.empty());
        view.setImage(null);
        repaintOverlay();
    }

    /// Draws the top layer again.
    void repaintOverlay() {
        overlay.getGraphicsContext2D().clearRect(0, 0, overlay.getWidth(), overlay.getHeight());
        overlayPainter.run();
    }

    private void show(FigureFrame frame) {
        Optional<FigureFrame> before = painted.get();
        view.setImage(frame.paper().image());
        view.setFitWidth(frame.width());
        view.setFitHeight(frame.height());
        painted.set(Optional.of(frame));
        before.map(FigureFrame::paper).ifPresent(spare::give);
        repaintOverlay();
    }

    private double scale() {
        return Optional.ofNullable(getScene())
                .map(javafx.scene.Scene::getWindow)
                .map(Window::getOutputScaleX)
                .orElse(1.0);
    }

    @Override
    protected void layoutChildren() {
        if (getWidth() != drawnWidth || getHeight() != drawnHeight) {
            overlay.setWidth(getWidth());
            overlay.setHeight(getHeight());
            repaint();
            repaintOverlay();
        }
    }
}
