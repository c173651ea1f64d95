package knobscape.evaluate;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The few values of an outcome in their order; cannot be changed. A run of 100 000 designs has some 300 000 of
/// these, and a map with a table, entries and boxes takes four times the memory.
final class MetricValues extends AbstractMap<String, Double> {
    private final String[] names;
    private final double[] values;

    private MetricValues(String[] names, double[] values) {
        this.names = names;
        this.values = values;
    }

    /// The same values in the same order; later changes of the map are not seen.
    static MetricValues of(Map<String, Double> map) {
        return map instanceof MetricValues m
                ? m
                : new MetricValues(
                        map.keySet().stream().map(String::intern).toArray(String[]::new),
                        map.values().stream().mapToDouble(Double::doubleValue).toArray());
    }

    private int at(Object name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /// The value of that name, NaN where there is none.
    double valueOrNaN(String name) {
        int i = at(name);
        return i < 0 ? Double.NaN : values[i];
    }

    @Override
    public @Nullable Double get(Object name) {
        int i = at(name);
        return i < 0 ? null : values[i];
    }

    @Override
    public boolean containsKey(Object name) {
        return at(name) >= 0;
    }

    @Override
    public Set<Entry<String, Double>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return names.length;
            }

            @Override
            public Iterator<Entry<String, Double>> iterator() {
                return new Iterator<>() {
                    private int next;

                    @Override
                    public boolean hasNext() {
                        return next < names.length;
                    }

                    @Override
                    public Entry<String, Double> next() {
                        if (next == names.length) {
                            throw new NoSuchElementException();
                        }
                        int i = next++;
                        return Map.entry(names[i], values[i]);
                    }
                };
            }
        };
    }
}
