package knobscape.work.parameter;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.node.ObjectNode;

/// The type of a setting's values: which there are, how they are typed, and how JSON holds them.
///
/// @param <T> kind of value
public sealed interface ValueType<T>
        permits ValueType.Whole,
                ValueType.Real,
                ValueType.Flag,
                ValueType.Choice,
                ValueType.Text,
                ValueType.TextForm,
                TextList,
                NamedValues {
    /// Upper bounds from here on guard the program only and are not told.
    int UNBOUNDED = 1_000_000;

    /// A typed value. Throws [IllegalArgumentException] whose message says what it must be.
    T parse(String text);

    /// A value as a person reads it; [#parse] reads it.
    String text(T value);

    /// A value as the command line and files spell it.
    default String typed(T value) {
        return text(value);
    }

    /// The requirement on a value (`a whole number from 1 to 64`).
    String must();

    /// Throws [IllegalArgumentException] where a value is none of these.
    default void check(T value) {}

    /// Puts a value under a key.
    void write(ObjectNode to, String key, T value);

    /// Reads a key that is there. Throws [knobscape.evaluate.UserError] naming file and key.
    T read(JsonFields in, String key);

    /// True if a value stands for nothing (0, an empty list).
    default boolean isNone(T value) {
        return false;
    }

    /// The text of the value that stands for nothing.
    default String none() {
        return "";
    }

    /// The choices, as shown; none where anything is typed.
    default List<String> labels() {
        return List.of();
    }

    /// The choices, as the command line spells them.
    default List<String> spellings() {
        return List.of();
    }

    /// A value with the files it names moved.
    default T moved(T value, UnaryOperator<String> move) {
        return value;
    }

    /// A count within bounds.
    static ValueType<Integer> count(int least, int most) {
        return new Whole<>(least, most, 0, v -> (int) v);
    }

    /// A limit within bounds, of which the largest stands for none.
    static ValueType<Integer> limit(int least, int most) {
        return new Whole<>(least, most, most, v -> (int) v);
    }

    /// A whole number within bounds.
    static ValueType<Long> whole(long least, long most) {
        return new Whole<>(least, most, 0, v -> v);
    }

    /// Numbers from `least` to `most`, both included.
    static Real from(double least, double most) {
        return new Real(least, most, false, false, 1);
    }

    /// Numbers above `least`, at most `most`.
    static Real above(double least, double most) {
        return new Real(least, most, true, false, 1);
    }

    /// Any text.
    static Text text() {
        return new Text("a text", _ -> true, (text, _) -> text, List::of);
    }

    /// An enum's constants.
    static <E extends Enum<E>> Choice<E> choice(Class<E> type, String... labels) {
        E[] all = type.getEnumConstants();
        return new Choice<>(IntStream.range(0, all.length)
                .mapToObj(i -> new Item<>(
                        all[i], JsonFields.word(all[i]), labels.length == 0 ? JsonFields.word(all[i]) : labels[i]))
                .toList());
    }

    /// Whole numbers.
    ///
    /// @param least smallest
    /// @param most largest
    /// @param nothing the one that stands for nothing
    /// @param of makes one
    record Whole<N extends Number>(long least, long most, long nothing, LongFunction<N> of) implements ValueType<N> {
        @Override
        public N parse(String text) {
            try {
                N value = of.apply(Long.parseLong(text));
                if (Long.parseLong(text) == value.longValue()) {
                    check(value);
                    return value;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(must(), e);
            }
            throw new IllegalArgumentException(must());
        }

        @Override
        public String text(N value) {
            return value.toString();
        }

        @Override
        public String must() {
            if (least == Long.MIN_VALUE) {
                return "a whole number";
            }
            return "a whole number from " + least + (most >= UNBOUNDED ? "" : " to " + most);
        }

        @Override
        public void check(N value) {
            if (value.longValue() < least || value.longValue() > most) {
                throw new IllegalArgumentException(must());
            }
        }

        @Override
        public void write(ObjectNode to, String key, N value) {
            to.put(key, value.longValue());
        }

        @Override
        public N read(JsonFields in, String key) {
            long v = in.whole(key).orElseThrow();
            if (v < least || v > most) {
                throw in.wrong(key, must());
            }
            return of.apply(v);
        }

        @Override
        public boolean isNone(N value) {
            return value.longValue() == nothing;
        }

        @Override
        public String none() {
            return Long.toString(nothing);
        }
    }

    /// Finite numbers; a comma is a point.
    ///
    /// @param least smallest
    /// @param most largest
    /// @param isOpen whether the smallest is left out
    /// @param isOpenAbove whether the largest is left out
    /// @param shown times the stored number is the typed one: 100 for per cent
    record Real(double least, double most, boolean isOpen, boolean isOpenAbove, double shown)
            implements ValueType<Double> {
        /// The same without the largest.
        public Real below() {
            return new Real(least, most, isOpen, true, shown);
        }

        /// The same, typed in per cent.
        public Real percent() {
            return new Real(least, most, isOpen, isOpenAbove, 100);
        }

        @Override
        public Double parse(String text) {
            try {
                double value = shown == 1
                        ? Double.parseDouble(text.replace(',', '.'))
                        : new BigDecimal(text.replace(',', '.'))
                                .divide(BigDecimal.valueOf(shown))
                                .doubleValue();
                check(value);
                return value;
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(must(), e);
            }
        }

        @Override
        public String text(Double value) {
            BigDecimal typed = BigDecimal.valueOf(value).multiply(BigDecimal.valueOf(shown));
            return typed.stripTrailingZeros().toPlainString();
        }

        @Override
        public String must() {
            String high = most >= UNBOUNDED ? "" : new Real(0, 1, false, false, shown).text(most);
            String low = new Real(0, 1, false, false, shown).text(least);
            if (isOpen) {
                return "a number above " + low + (high.isEmpty() ? "" : ", at most " + high);
            }
            return "a number from " + low + (high.isEmpty() ? "" : isOpenAbove ? " to below " + high : " to " + high);
        }

        @Override
        public void check(Double value) {
            boolean holds = Double.isFinite(value)
                    && (isOpen ? value > least : value >= least)
                    && (isOpenAbove ? value < most : value <= most);
            if (!holds) {
                throw new IllegalArgumentException(must());
            }
        }

        @Override
        public void write(ObjectNode to, String key, Double value) {
            to.put(key, value);
        }

        @Override
        public Double read(JsonFields in, String key) {
            double v = in.number(key).orElseThrow();
            try {
                check(v);
            } catch (IllegalArgumentException e) {
                throw in.wrong(key, new Real(least, most, isOpen, isOpenAbove, 1).must());
            }
            return v;
        }

        @Override
        public boolean isNone(Double value) {
            return value == 0;
        }

        @Override
        public String none() {
            return "0";
        }
    }

    /// Yes or no, or two words for them.
    ///
    /// @param no in files and on the command line where it is not
    /// @param yes where it is
    /// @param labels of both for a person, in this order
    record Flag(String no, String yes, List<String> labels) implements ValueType<Boolean> {
        /// Copies the list.
        public Flag {
            labels = List.copyOf(labels);
        }

        @Override
        public Boolean parse(String text) {
            if (text.equalsIgnoreCase(yes) || text.equals("true") || text.equals(labels.getLast())) {
                return true;
            }
            if (text.equalsIgnoreCase(no) || text.equals("false") || text.equals(labels.getFirst())) {
                return false;
            }
            throw new IllegalArgumentException(must());
        }

        @Override
        public String text(Boolean value) {
            return value ? labels.getLast() : labels.getFirst();
        }

        @Override
        public String typed(Boolean value) {
            return value ? yes : no;
        }

        @Override
        public String must() {
            return yes + " or " + no;
        }

        @Override
        public void write(ObjectNode to, String key, Boolean value) {
            to.put(key, value);
        }

        @Override
        public Boolean read(JsonFields in, String key) {
            return in.flag(key, false);
        }

        @Override
        public List<String> spellings() {
            return List.of(no, yes);
        }
    }

    /// One of several.
    ///
    /// @param items all of them, in the order shown
    record Choice<E>(List<Item<E>> items) implements ValueType<E> {
        /// Copies the list.
        public Choice {
            items = List.copyOf(items);
        }

        @Override
        public E parse(String text) {
            return items.stream()
                    .filter(i -> i.word().equalsIgnoreCase(text.replace('_', '-'))
                            || i.label().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(must()))
                    .value();
        }

        private Item<E> item(E value) {
            return items.stream()
                    .filter(i -> i.value().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(must()));
        }

        @Override
        public String text(E value) {
            return item(value).label();
        }

        @Override
        public String typed(E value) {
            return item(value).word();
        }

        @Override
        public String must() {
            return items.size() == 1
                    ? items.getFirst().word()
                    : items.stream().limit(items.size() - 1L).map(Item::word).collect(Collectors.joining(", ")) + " or "
                            + items.getLast().word();
        }

        @Override
        public void check(E value) {
            item(value);
        }

        @Override
        public void write(ObjectNode to, String key, E value) {
            to.put(key, typed(value));
        }

        @Override
        public E read(JsonFields in, String key) {
            try {
                return parse(in.text(key).orElseThrow());
            } catch (IllegalArgumentException e) {
                throw in.wrong(key, must());
            }
        }

        @Override
        public List<String> labels() {
            return items.stream().map(Item::label).toList();
        }

        @Override
        public List<String> spellings() {
            return items.stream().map(Item::word).toList();
        }
    }

    /// One of the choices.
    ///
    /// @param value of the program
    /// @param word in files and on the command line
    /// @param label for a person
    record Item<E>(E value, String word, String label) {}

    /// How the files in a text are found and moved.
    @FunctionalInterface
    interface Location {
        /// The text with `move` applied to the file in it, if it names one.
        String moved(String text, UnaryOperator<String> move);
    }

    /// Texts.
    ///
    /// @param must what they must be
    /// @param isRight whether one is
    /// @param location where a file stands in one
    /// @param suggestions some that are often wanted
    record Text(String must, Predicate<String> isRight, Location location, Supplier<List<String>> suggestions)
            implements ValueType<String> {
        /// The same, naming files.
        public Text at(Location place) {
            return new Text(must, isRight, place, suggestions);
        }

        /// The same, suggesting some.
        public Text suggesting(Supplier<List<String>> some) {
            return new Text(must, isRight, location, some);
        }

        /// The same, with bounds.
        public Text that(Predicate<String> right, String words) {
            return new Text(words, right, location, suggestions);
        }

        @Override
        public String parse(String text) {
            check(text);
            return text;
        }

        @Override
        public String text(String value) {
            return value;
        }

        @Override
        public void check(String value) {
            if (!isRight.test(value)) {
                throw new IllegalArgumentException(must);
            }
        }

        @Override
        public void write(ObjectNode to, String key, String value) {
            to.put(key, value);
        }

        @Override
        public String read(JsonFields in, String key) {
            String v = in.text(key).orElseThrow();
            if (!isRight.test(v)) {
                throw in.wrong(key, must);
            }
            return v;
        }

        @Override
        public boolean isNone(String value) {
            return value.isEmpty();
        }

        @Override
        public String moved(String value, UnaryOperator<String> move) {
            return location.moved(value, move);
        }
    }

    /// Values with a text form of their own (`20MB`), which JSON holds as that text; a plain number is read too.
    ///
    /// @param of reads one; its [IllegalArgumentException] is replaced by `must`
    /// @param number makes one of a plain number
    /// @param text writes one
    /// @param must what it must be
    record TextForm<V>(Function<String, V> of, LongFunction<V> number, Function<V, String> text, String must)
            implements ValueType<V> {
        @Override
        public V parse(String typed) {
            try {
                return of.apply(typed);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(must, e);
            }
        }

        @Override
        public String text(V value) {
            return text.apply(value);
        }

        @Override
        public void write(ObjectNode to, String key, V value) {
            to.put(key, text(value));
        }

        @Override
        public V read(JsonFields in, String key) {
            try {
                return in.get(key).orElseThrow().isIntegralNumber()
                        ? number.apply(in.whole(key).orElseThrow())
                        : of.apply(in.text(key).orElseThrow());
            } catch (IllegalArgumentException e) {
                throw in.wrong(key, must);
            }
        }
    }
}
