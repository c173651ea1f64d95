package knobscape.app.ui.plot;

/// Between values and pixels along one axis of a drawn plot.
///
/// @param low value at `from`
/// @param high value at `to`
/// @param log whether the scale is logarithmic
/// @param from pixel of `low`
/// @param to pixel of `high`
public record AxisMap(double low, double high, boolean log, double from, double to) {

    /// Pixel of a value.
    public double pixel(double value) {
        return from + share(value) * (to - from);
    }

    /// Value at a pixel.
    public double value(double pixel) {
        double s = (pixel - from) / (to - from);
        return log ? low * Math.pow(high / low, s) : low + s * (high - low);
    }

    private double share(double value) {
        return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }

    /// True if a pixel lies on the axis.
    public boolean holds(double pixel) {
        return pixel >= Math.min(from, to) && pixel <= Math.max(from, to);
    }
}
