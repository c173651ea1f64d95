package knobscape.space;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// The finite, ordered set of values a [Knob] may take. Values are addressed by level, `0 .. size()-1`;
/// the order is the order shown to a person and, for [Factors], the numeric order.
public sealed interface Domain {

    /// Number of levels, at least one.
    int size();

    /// Text of the value at `level` as it stands in configurations, files and tables.
    String label(int level);

    /// The level whose label is `label`, or -1 where there is none.
    default int levelOf(String label) {
        for (int i = 0; i < size(); i++) {
            if (label(i).equals(label)) {
                return i;
            }
        }
        return -1;
    }

    /// All labels in level order.
    default List<String> labels() {
        return IntStream.range(0, size()).mapToObj(this::label).toList();
    }

    /// Off or on; level 0 is `off`, level 1 is `on`.
    record Toggle() implements Domain {
        @Override
        public int size() {
            return 2;
        }

        @Override
        public String label(int level) {
            return level == 0 ? "off" : "on";
        }
    }

    /// Whole numbers in strictly increasing order (unroll factors, tile sizes, initiation intervals).
    record Factors(List<Integer> values) implements Domain {
        public Factors {
            values = List.copyOf(values);
            if (values.isEmpty()) {
                throw new IllegalArgumentException("a factor domain needs at least one value");
            }
            for (int i = 1; i < values.size(); i++) {
                if (values.get(i) <= values.get(i - 1)) {
                    throw new IllegalArgumentException("factors must increase strictly, was " + values);
                }
            }
        }

        @Override
        public int size() {
            return values.size();
        }

        @Override
        public String label(int level) {
            return Integer.toString(values.get(level));
        }

        @Override
        public int levelOf(String label) {
            int value;
            try {
                value = Integer.parseInt(label);
            } catch (NumberFormatException e) {
                return -1;
            }
            int level = Collections.binarySearch(values, value);
            // As it is written: 07 and +7 are not 7.
            return level >= 0 && label(level).equals(label) ? level : -1;
        }
    }

    /// Steps of a range of real numbers, in strictly increasing order.
    ///
    /// @param values finite
    /// @param isLogarithmic whether equal ratios are equally far apart; all values are positive then
    record Numbers(List<Double> values, boolean isLogarithmic) implements Domain {
        public Numbers {
            values = List.copyOf(values);
            if (values.isEmpty()) {
                throw new IllegalArgumentException("a range needs at least one value");
            }
            for (int i = 0; i < values.size(); i++) {
                if (!Double.isFinite(values.get(i)) || (i > 0 && values.get(i) <= values.get(i - 1))) {
                    throw new IllegalArgumentException("values must be finite and increase strictly, was " + values);
                }
            }
            if (isLogarithmic && values.getFirst() <= 0) {
                throw new IllegalArgumentException("a logarithmic range is positive, was " + values);
            }
        }

        @Override
        public int size() {
            return values.size();
        }

        @Override
        public String label(int level) {
            double v = values.get(level);
            return v == Math.rint(v) && Math.abs(v) < 1e15
                    ? Long.toString((long) v)
                    : Double.toString(v).replace(".0E", "e").replace("E", "e");
        }

        /// The level of a number however it is written.
        @Override
        public int levelOf(String label) {
            if (!label.matches("[-+]?[0-9.]+([eE][-+]?[0-9]+)?")) {
                return -1;
            }
            try {
                return Math.max(-1, Collections.binarySearch(values, Double.parseDouble(label)));
            } catch (NumberFormatException e) {
                return -1;
            }
        }

        /// Where a level lies on the range's scale.
        public double position(int level) {
            return isLogarithmic ? Math.log(values.get(level)) / Math.log(2) : values.get(level);
        }
    }

    /// Named alternatives without numeric meaning (partition types, binding of an operator).
    record Categories(List<String> values) implements Domain {
        public Categories {
            values = List.copyOf(values);
            if (values.isEmpty() || values.stream().distinct().count() != values.size()) {
                throw new IllegalArgumentException("categories must be distinct and not empty, was " + values);
            }
        }

        @Override
        public int size() {
            return values.size();
        }

        @Override
        public String label(int level) {
            return values.get(level);
        }
    }
}
