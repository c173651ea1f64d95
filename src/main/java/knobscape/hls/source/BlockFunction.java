package knobscape.hls.source;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The functions of `string.h` that move or fill whole arrays: what they do with the arrays that they are given.
public enum BlockFunction {
    /// `memcpy(to, from, bytes)`.
    MEMCPY,
    /// `memmove(to, from, bytes)`.
    MEMMOVE,
    /// `memset(to, value, bytes)`.
    MEMSET;

    /// The one of that name, with or without its namespace.
    private static Optional<BlockFunction> of(String callee) {
        String name = callee.substring(callee.lastIndexOf(':') + 1);
        return Arrays.stream(values())
                .filter(f -> f.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }

    /// The access of a function without a body here to the array given as number `n` (from 0): one of which
    /// nothing is known may do both.
    public static Access.Kind use(String callee, int n) {
        return of(callee)
                .map(_ -> n == 0 ? Access.Kind.WRITE : Access.Kind.READ)
                .orElse(Access.Kind.READ_WRITE);
    }
}
