package knobscape.numeric;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Random orders by Fisher and Yates.
public final class Shuffle {
    private Shuffle() {}

    /// The numbers 0 .. n - 1 in random order.
    public static int[] order(int n, RandomGenerator random) {
        return shuffle(IntStream.range(0, n).toArray(), random);
    }

    /// Brings `all` into random order; returns it.
    public static int[] shuffle(int[] all, RandomGenerator random) {
        for (int i = all.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int keep = all[i];
            all[i] = all[j];
            all[j] = keep;
        }
        return all;
    }
}
