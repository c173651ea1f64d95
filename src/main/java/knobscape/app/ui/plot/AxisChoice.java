package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import knobscape.app.ui.designs.DesignFilter.Axis;

/// Which axes parallel coordinates have, in which order.
///
/// @param order every axis there is, shown or not, from left to right; empty for the objectives and then the knobs by
/// importance
/// @param shown those that a person asked for
/// @param hidden those that a person did not want
/// @param best share of the designs of which each knob's histogram is drawn; 0 for none
record AxisChoice(List<Axis> order, Set<Axis> shown, Set<Axis> hidden, double best) {
    /// Nothing was chosen yet.
    static final AxisChoice NONE = new AxisChoice(List.of(), Set.of(), Set.of(), 0);

    AxisChoice {
        order = List.copyOf(order);
        shown = Set.copyOf(shown);
        hidden = Set.copyOf(hidden);
    }

    /// The axes shown of `all`: those asked for, the others in their order as long as there is room.
    ///
    /// @param filtered axes of which a range is chosen, which are shown too
    List<Axis> of(List<Axis> all, Set<Axis> filtered, int most) {
        var wanted = new HashSet<>(shown);
        wanted.addAll(filtered);
        wanted.removeAll(hidden);
        long room = most - all.stream().filter(wanted::contains).count();
        var axes = new ArrayList<Axis>();
        for (Axis a : all) {
            if (wanted.contains(a)) {
                axes.add(a);
            } else if (!hidden.contains(a) && room > 0) {
                axes.add(a);
                room--;
            }
        }
        return axes;
    }

    AxisChoice ordered(List<Axis> other) {
        return new AxisChoice(other, shown, hidden, best);
    }

    AxisChoice withBest(double share) {
        return new AxisChoice(order, shown, hidden, share);
    }

    /// With an axis shown or hidden.
    AxisChoice with(Axis axis, boolean on) {
        var in = new HashSet<>(shown);
        var out = new HashSet<>(hidden);
        (on ? in : out).add(axis);
        (on ? out : in).remove(axis);
        return new AxisChoice(order, in, out, best);
    }

    /// With an axis before another one of `all`, or last.
    ///
    /// @param place among `all` without the axis
    AxisChoice moved(List<Axis> all, Axis axis, int place) {
        var next = new ArrayList<>(all);
        next.remove(axis);
        next.add(Math.clamp(place, 0, next.size()), axis);
        return ordered(next);
    }
}
