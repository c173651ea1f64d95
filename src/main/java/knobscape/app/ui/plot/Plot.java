package knobscape.app.ui.plot;

/// Data that can be drawn as a [Figure]. Views, tooltips and exports know nothing else of it.
public interface Plot {
    /// The figure for a place of that many points; called away from the screen.
    Figure figure(double width, double height);
}
