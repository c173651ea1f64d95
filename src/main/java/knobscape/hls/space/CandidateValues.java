package knobscape.hls.space;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import knobscape.hls.source.Loop;

/// Default candidate values of knobs: divisors and powers of two up to the trip count or dimension, within the
/// limits.
final class CandidateValues {
    private CandidateValues() {}

    /// Unroll factors of a loop, 1 first. With an exact trip count: its divisors and the powers of two below
    /// it, the count itself (complete) included where within the limit. With a bound only: powers of two below
    /// the bound. Just 1 where nothing is known.
    static List<Integer> unroll(Loop loop, SpaceLimits limits) {
        long most = loop.trip().max().orElse(1);
        return loop.trip().isExact() ? factors(most, limits.maxFactor(), true) : powersBelow(most, limits.maxFactor());
    }

    /// Factors that arrays may be laid out for where no knob unrolls the loop: as of [#unroll], and powers of two
    /// where nothing is known.
    static List<Integer> served(Loop loop, SpaceLimits limits) {
        return loop.trip().max().isPresent()
                ? unroll(loop, limits)
                : powersBelow(limits.maxFactor() + 1L, limits.maxFactor());
    }

    /// Factors of a cyclic or block partition: divisors and powers of two, above 1 and below the size, within
    /// the limit.
    static List<Integer> partition(long size, SpaceLimits limits) {
        return factors(size, limits.maxFactor(), false).stream()
                .filter(f -> f > 1)
                .toList();
    }

    /// Reshape factors, 1 (none) first.
    static List<Integer> reshape(long size, SpaceLimits limits) {
        return factors(size, limits.maxFactor(), false);
    }

    private static List<Integer> factors(long n, int limit, boolean whole) {
        var found = new TreeSet<>(powersBelow(n, limit));
        for (int f = 2; f <= limit && f <= n; f++) {
            if (n % f == 0 && (f < n || whole)) {
                found.add(f);
            }
        }
        return List.copyOf(found);
    }

    private static List<Integer> powersBelow(long n, int limit) {
        var found = new ArrayList<Integer>();
        for (int f = 1; f <= limit && (f < n || f == 1); f *= 2) {
            found.add(f);
        }
        return found;
    }
}
