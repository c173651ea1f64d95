package knobscape.app.ui;

import atlantafx.base.controls.ModalPane;

/// A page above the window, which Esc or a click beside it closes. A closed page is in the window no longer, so that no
/// key reaches it.
public final class Overlay extends ModalPane {
    /// Nothing is shown.
    public Overlay() {
        // While one page fades out, the next would not be shown.
        setInTransitionFactory(null);
        setOutTransitionFactory(null);
        // What is shown before the first layout stays.
        setSkin(createDefaultSkin());
        displayProperty().addListener((o, was, is) -> {
            if (!is) {
                hide(true);
            }
        });
    }
}
