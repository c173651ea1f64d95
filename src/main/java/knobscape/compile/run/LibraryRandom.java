package knobscape.compile.run;

/// The numbers that `rand` gives with glibc: a lagged sum of 31 words (its `random_r`, TYPE_3), so that a testbench
/// draws here what it draws there.
final class LibraryRandom {
    private static final int WORDS = 34;
    private static final int FIRST = 344;
    private final int[] last = new int[WORDS];
    private int at;

    LibraryRandom() {
        seed(1);
    }

    /// As `srand`.
    void seed(int seed) {
        long word = seed == 0 ? 1 : seed;
        last[0] = (int) word;
        for (int i = 1; i < 31; i++) {
            word = 16_807 * (long) last[i - 1] % Integer.MAX_VALUE;
            last[i] = (int) (word < 0 ? word + Integer.MAX_VALUE : word);
        }
        for (int i = 31; i < WORDS; i++) {
            last[i] = last[i - 31];
        }
        for (at = WORDS; at < FIRST; ) {
            sum();
        }
    }

    /// As `rand`.
    int next() {
        return sum() >>> 1;
    }

    private int sum() {
        int next = last[(at - 31) % WORDS] + last[(at - 3) % WORDS];
        last[at % WORDS] = next;
        // Only its remainder and order count.
        at = at + 1 < FIRST + WORDS ? at + 1 : at + 1 - WORDS;
        return next;
    }
}
