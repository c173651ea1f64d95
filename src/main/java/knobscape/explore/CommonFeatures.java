package knobscape.explore;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Features that mean the same for subjects with different domains: of every knob that all of them have, in the order
/// of its name, the binary logarithms of one plus its numbers (of a split, of each part), a real number on its scale,
/// or a column per label that any of them has; then features derived from a configuration.
final class CommonFeatures implements Encoder {
    private static final Pattern NUMBERS =
            Pattern.compile("\\[?\\(?\\s*-?\\d{1,9}(\\s*[,x]\\s*-?\\d{1,9})*\\s*\\)?\\]?");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

    private final int[] positions;
    /// By common knob and level, the values of the knob's columns.
    private final double[][][] table;
    private final Encoder derived;
    private final int length;

    /// @param knobs of the subject
    /// @param others of the subjects it shares columns with
    /// @param derived of the subject
    CommonFeatures(KnobSet knobs, List<KnobSet> others, Encoder derived) {
        this.derived = derived;
        List<String> names = knobs.list().stream()
                .map(Knob::name)
                .filter(n -> others.stream().allMatch(o -> o.indexOf(n).isPresent()))
                .sorted()
                .toList();
        positions = names.stream().mapToInt(n -> knobs.indexOf(n).orElseThrow()).toArray();
        table = new double[names.size()][][];
        int columns = derived.length();
        for (int i = 0; i < table.length; i++) {
            String name = names.get(i);
            table[i] = columns(
                    knobs.get(positions[i]).domain(),
                    others.stream()
                            .map(o -> o.get(o.indexOf(name).orElseThrow()).domain())
                            .toList());
            columns += table[i][0].length;
        }
        length = columns;
    }

    private static double[][] columns(Domain own, List<Domain> others) {
        List<Domain> domains = Stream.concat(Stream.of(own), others.stream()).toList();
        if (domains.stream().allMatch(Domain.Numbers.class::isInstance)) {
            return reals(domains.stream().map(Domain.Numbers.class::cast).toList());
        }
        List<String> labels = own.labels();
        List<String> all = domains.stream()
                .flatMap(d -> d.labels().stream())
                .distinct()
                .sorted()
                .toList();
        long widths = all.stream()
                .map(l -> numbers(l).map(n -> n.length).orElse(0))
                .distinct()
                .count();
        if (widths == 1 && numbers(all.getFirst()).isPresent()) {
            return labels.stream().map(l -> numbers(l).orElseThrow()).toArray(double[][]::new);
        }
        double[][] rows = new double[labels.size()][all.size()];
        for (int level = 0; level < rows.length; level++) {
            rows[level][all.indexOf(labels.get(level))] = 1;
        }
        return rows;
    }

    /// By level of the first its number, its binary logarithm where all are spaced so.
    private static double[][] reals(List<Domain.Numbers> domains) {
        boolean isLogarithmic = domains.stream().allMatch(Domain.Numbers::isLogarithmic);
        return domains.getFirst().values().stream()
                .map(v -> new double[] {isLogarithmic ? Math.log(v) / Math.log(2) : v})
                .toArray(double[][]::new);
    }

    private static Optional<double[]> numbers(String label) {
        return NUMBERS.matcher(label).matches()
                ? Optional.of(NUMBER.matcher(label)
                        .results()
                        .mapToDouble(m -> Math.log(1.0 + Math.max(0, Integer.parseInt(m.group()))) / Math.log(2))
                        .toArray())
                : Optional.empty();
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public double[] encode(Configuration configuration) {
        double[] x = new double[length];
        int at = 0;
        for (int i = 0; i < positions.length; i++) {
            double[] columns = table[i][configuration.level(positions[i])];
            System.arraycopy(columns, 0, x, at, columns.length);
            at += columns.length;
        }
        System.arraycopy(derived.encode(configuration), 0, x, at, derived.length());
        return x;
    }
}
