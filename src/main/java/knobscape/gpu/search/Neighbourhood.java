package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.FeatureEncoder;

/// The members of a space within a distance of one of them, in [TuningProblem#coordinates()]. A space that can
/// be listed is searched in full. In a larger one, whose balls hold more than could be scored, members are
/// drawn: a few knobs are moved, each within what the others left of the radius.
final class Neighbourhood {
    /// Largest space that is listed.
    private static final int LISTABLE = 60_000;
    private static final int TRIES_PER_MEMBER = 8;

    private final DesignSpace space;
    private final FeatureEncoder coordinates;
    private final List<Configuration> members;

    Neighbourhood(DesignSpace space, FeatureEncoder coordinates) {
        this.space = space;
        this.coordinates = coordinates;
        boolean listable = space.size().bitLength() < 31 && space.size().intValue() <= LISTABLE;
        members = listable ? space.enumerate().toList() : List.of();
    }

    /// Members other than `excluded` at most `radius` from `centre`; at most `limit` of them, drawn where there
    /// are more.
    List<Configuration> around(
            Configuration centre, double radius, Set<Configuration> excluded, int limit, SplittableRandom random) {
        return members.isEmpty()
                ? drawn(centre, radius, excluded, limit, random)
                : listed(centre, radius, excluded, limit, random);
    }

    private List<Configuration> listed(
            Configuration centre, double radius, Set<Configuration> excluded, int limit, SplittableRandom random) {
        double[][] step = new double[space.knobs().size()][];
        for (int k = 0; k < step.length; k++) {
            int knob = k;
            step[k] = IntStream.range(0, space.knobs().get(k).domain().size())
                    .mapToDouble(l -> coordinates.squaredDistance(knob, centre.level(knob), l))
                    .toArray();
        }
        double most = radius * radius + 1e-6;
        var near = new ArrayList<Configuration>();
        for (Configuration member : members) {
            double s = 0;
            for (int k = 0; k < step.length && s <= most; k++) {
                s += step[k][member.level(k)];
            }
            if (s <= most && !excluded.contains(member)) {
                near.add(member);
            }
        }
        while (near.size() > limit) {
            int i = random.nextInt(near.size());
            near.set(i, near.getLast());
            near.removeLast();
        }
        return near;
    }

    private List<Configuration> drawn(
            Configuration centre, double radius, Set<Configuration> excluded, int limit, SplittableRandom random) {
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
