package knobscape.gpu.space.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.space.Domain;
import knobscape.space.Knob;
import tools.jackson.databind.JsonNode;

/// One knob of a schedule: how an axis is split, or an option.
public sealed interface ScheduleKnob {
    /// Name as in AutoTVM's records, for example `tile_f`.
    String name();

    /// The level of a value as JSON has it, factors outermost first (the first may be -1) or a whole number; -1
    /// where there is none.
    default int levelOf(JsonNode value) {
        return switch (this) {
            case Split s ->
                s.levelOf(value.valueStream()
                        .limit(s.parts + 1L)
                        .mapToLong(v -> v.asLong(0))
                        .toArray());
            case Option o -> value.isIntegralNumber() ? o.values.indexOf(value.asInt(-1)) : -1;
        };
    }

    /// Number of values.
    default int size() {
        return knob().domain().size();
    }

    /// The knob as design spaces know it.
    Knob knob();

    /// The ordered factorisations of an axis length. Parts are written outermost first.
    ///
    /// Order, which records of AutoTVM rely on: the last part varies slowest and the second fastest, each over
    /// the ascending divisors of the length; the first is what remains.
    final class Split implements ScheduleKnob {
        private static final int MOST = 200_000;
        private final int parts;
        private final long[][] table;
        private final Knob knob;

        /// All factorisations of `length` into `parts` factors.
        ///
        /// @throws UserError where there are more than 200 000
        public static Split all(String name, long length, int parts) {
            return all(name, length, parts, Long.MAX_VALUE);
        }

        /// All factorisations of `length` into `parts` factors of which the last is at most `innermost`.
        ///
        /// @throws UserError where there are more than 200 000 without that bound
        public static Split all(String name, long length, int parts, long innermost) {
            long count = count(length, parts);
            if (count > MOST) {
                throw new UserError("An axis of length " + length + " can be split into " + parts + " parts in " + count
                        + " ways, which is more than " + MOST + ": pad it to a length with fewer divisors.");
            }
            var rows = new ArrayList<long[]>();
            fill(divisors(length), length, new long[parts], parts - 1, rows);
            rows.removeIf(r -> r[parts - 1] > innermost);
            return new Split(name, parts, rows.toArray(long[][]::new));
        }

        /// Only the factorisation that leaves the whole length outside, `[length, 1, ..., 1]`.
        public static Split outermostOnly(String name, long length, int parts) {
            long[] row = new long[parts];
            Arrays.fill(row, 1);
            row[0] = length;
            return new Split(name, parts, new long[][] {row});
        }

        private Split(String name, int parts, long[][] table) {
            this.parts = parts;
            this.table = table;
            knob = new Knob(
                    name,
                    new Domain.Categories(Arrays.stream(table).map(Split::label).toList()));
        }

        private static void fill(long[] divisors, long rest, long[] row, int part, List<long[]> rows) {
            if (part == 0) {
                row[0] = rest;
                rows.add(row.clone());
                return;
            }
            for (long d : divisors) {
                if (rest % d == 0) {
                    row[part] = d;
                    fill(divisors, rest / d, row, part - 1, rows);
                }
            }
        }

        private static long[] divisors(long n) {
            var low = new ArrayList<Long>();
            var high = new ArrayList<Long>();
            for (long d = 1; d <= n / d; d++) {
                if (n % d == 0) {
                    low.add(d);
                    if (d != n / d) {
                        high.addFirst(n / d);
                    }
                }
            }
            low.addAll(high);
            return low.stream().mapToLong(Long::longValue).toArray();
        }

        /// Number of factorisations: the product over prime powers p^e of the length of C(e + parts - 1, parts
        /// - 1).
        public static long count(long length, int parts) {
            if (length < 1 || parts < 1) {
                throw new IllegalArgumentException("cannot split " + length + " into " + parts + " parts");
            }
            long count = 1;
            long rest = length;
            for (long p = 2; p <= rest / p; p++) {
                int e = 0;
                for (; rest % p == 0; rest /= p) {
                    e++;
                }
                count = Math.multiplyExact(count, choose(e + parts - 1, parts - 1));
            }
            return rest > 1 ? Math.multiplyExact(count, parts) : count;
        }

        private static long choose(int n, int k) {
            long c = 1;
            for (int i = 1; i <= k; i++) {
                c = c * (n - k + i) / i;
            }
            return c;
        }

        private static String label(long[] factors) {
            return Arrays.stream(factors).mapToObj(Long::toString).collect(Collectors.joining("x"));
        }

        @Override
        public String name() {
            return knob.name();
        }

        @Override
        public Knob knob() {
            return knob;
        }

        /// Number of parts.
        public int parts() {
            return parts;
        }

        /// The factors at `level`, outermost first; a copy.
        public long[] factors(int level) {
            return table[level].clone();
        }

        /// The level of `factors`, whose first may be -1 for what remains; -1 where there is none.
        public int levelOf(long... factors) {
            if (factors.length != parts) {
                return -1;
            }
            return IntStream.range(0, table.length)
                    .filter(i -> (factors[0] == -1 || factors[0] == table[i][0])
                            && Arrays.equals(factors, 1, parts, table[i], 1, parts))
                    .findFirst()
                    .orElse(-1);
        }
    }

    /// Whole numbers to choose from.
    ///
    /// @param name its name
    /// @param values the values, ascending
    record Option(String name, List<Integer> values) implements ScheduleKnob {
        /// Copies the values.
        public Option {
            values = List.copyOf(values);
        }

        @Override
        public Knob knob() {
            return new Knob(name, new Domain.Factors(values));
        }

        /// The value at `level`.
        public int value(int level) {
            return values.get(level);
        }
    }
}
