package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.space.Configuration;

/// Ansor's mutations of annotations. Each gives the configuration itself where it finds nothing to change.
public final class Mutations {
    private static final int TRIES = 16;

    private Mutations() {}

    /// Moves a random factor from one level of a random split to another.
    public static Configuration tile(ScheduleSpace space, Configuration c, RandomGenerator random) {
        List<Integer> splits = active(space, c, ScheduleKnob.Split.class);
        for (int t = 0; t < TRIES && !splits.isEmpty(); t++) {
            int knob = splits.get(random.nextInt(splits.size()));
            var split = (ScheduleKnob.Split) space.scheduleKnobs().get(knob);
            long[] factors = split.factors(c.level(knob));
            int from = random.nextInt(factors.length);
            int to = random.nextInt(factors.length);
            long[] divisors = divisors(factors[from]);
            if (from == to || divisors.length == 0) {
                continue;
            }
            long factor = divisors[random.nextInt(divisors.length)];
            factors[from] /= factor;
            factors[to] *= factor;
            int level = split.levelOf(factors);
            if (level >= 0) {
                return c.with(knob, level);
            }
        }
        return c;
    }

    /// Gives a random option (unrolling, vectors, threads) another value.
    public static Configuration option(ScheduleSpace space, Configuration c, RandomGenerator random) {
        List<Integer> options = active(space, c, ScheduleKnob.Option.class);
        if (options.isEmpty()) {
            return c;
        }
        int knob = options.get(random.nextInt(options.size()));
        int level = random.nextInt(space.knobs().get(knob).domain().size() - 1);
        return c.with(knob, level >= c.level(knob) ? level + 1 : level);
    }

    private static List<Integer> active(ScheduleSpace space, Configuration c, Class<? extends ScheduleKnob> kind) {
        return IntStream.range(0, space.knobs().size())
                .filter(i -> space.isActive(c, i)
                        && space.knobs().get(i).domain().size() > 1
                        && kind.isInstance(space.scheduleKnobs().get(i)))
                .boxed()
                .toList();
    }

    /// Those above 1.
    private static long[] divisors(long n) {
        var all = new ArrayList<Long>();
        for (long d = 2; d <= n; d++) {
            if (n % d == 0) {
                all.add(d);
            }
        }
        return all.stream().mapToLong(Long::longValue).toArray();
    }
}
