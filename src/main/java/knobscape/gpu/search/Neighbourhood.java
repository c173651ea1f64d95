package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// The members of a space within a distance of one of them, in [TuningProblem#coordinates()]. A space that can be listed is searched in full. In a larger one, whose balls hold
/// more than could be scored, members are drawn: a few knobs are moved, each within what the others left of the radius.
final class Neighbourhood {
    /// Largest space that is listed.
    private static final int LISTABLE = 60_000;
    private static final int TRIES_PER_MEMBER = 8;

    private final DesignSpace space;
    private final KnobTable coordinates;
    private final List<Configuration> members;
    private final float[] rows;

    Neighbourhood(DesignSpace space, KnobTable coordinates) {
        this.space = space;
        this.coordinates = coordinates;
        boolean listable = space.size().bitLength() < 31 && space.size().intValue() <= LISTABLE;
        members = listable ? space.enumerate().toList() : List.of();
        rows = new float[members.size() * coordinates.length()];
        for (int i = 0; i < members.size(); i++) {
            coordinates.write(members.get(i), rows, i * coordinates.length());
        }
    }

    /// Members other than `excluded` at most `radius` from `centre`; at most `limit` of them, drawn where there are more.
    List<Configuration> around(Configuration centre, double radius, Set<Configuration> excluded, int limit, SplittableRandom random) {
        return members.isEmpty() ? drawn(centre, radius, excluded, limit, random) : listed(centre, radius, excluded, limit, random);
    }

    private List<Configuration> listed(Configuration centre, double radius, Set<Configuration> excluded, int limit, SplittableRandom random) {
        int d = coordinates.length();
        float[] at = coordinates.row(centre);
        double most = radius * radius + 1e-6;
        var near = new ArrayList<Configuration>();
        for (int i = 0; i < members.size(); i++) {
            double s = 0;
            for (int j = 0; j < d && s <= most; j++) {
                double e = rows[i * d + j] - at[j];
                s += e * e;
            }
            if (s <= most && !excluded.contains(members.get(i))) {
                near.add(members.get(i));
            }
        }
        while (near.size() > limit) {
            int i = random.nextInt(near.size());
            near.set(i, near.getLast());
            near.removeLast();
        }
        return near;
    }

    private List<Configuration> drawn(Configuration centre, double radius, Set<Configuration> excluded, int limit, SplittableRandom random) {
        int knobs = space.knobs().size();
        var near = new LinkedHashSet<Configuration>();
        Set<Configuration> known = new HashSet<>(excluded);
        known.add(centre);
        int[] order = new int[knobs];
        for (int t = 0; t < limit * TRIES_PER_MEMBER && near.size() < limit; t++) {
            for (int i = 0; i < knobs; i++) {
                int j = random.nextInt(i + 1);
                order[i] = order[j];
                order[j] = i;
            }
            int[] levels = centre.levels();
            double left = radius * radius + 1e-6;
            int moves = 1 + random.nextInt(knobs);
            for (int m = 0; m < moves; m++) {
                int knob = order[m];
                int level = random.nextInt(space.knobs().get(knob).domain().size());
                double step = coordinates.squaredDistance(knob, centre.level(knob), level);
                if (step <= left) {
                    levels[knob] = level;
                    left -= step;
                }
            }
            Configuration c = Configuration.of(space.knobs(), levels);
            if (!known.contains(c) && !near.contains(c) && space.contains(c)) {
                near.add(c);
            }
        }
        return List.copyOf(near);
    }
}
