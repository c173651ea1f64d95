package knobscape.app.ui.view;

import javafx.scene.Node;
import javafx.scene.layout.Region;

/// A page, and what is said of it below in as much room as that needs, at most half.
public final class Footed extends Region {
    private final Node page;
    private final Node foot;

    /// @param foot below the page while it is managed
    public Footed(Node page, Node foot) {
        this.page = page;
        this.foot = foot;
        getChildren().addAll(page, foot);
        setMinSize(0, 0);
    }

    @Override
    protected void layoutChildren() {
        double below = foot.isManaged() ? Math.min(foot.prefHeight(getWidth()), getHeight() / 2) : 0;
        double top = snapPositionY(getHeight() - below);
        page.resizeRelocate(0, 0, getWidth(), top);
        foot.resizeRelocate(0, top, getWidth(), getHeight() - top);
    }
}
