package knobscape.study.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Formula;

/// Which part of the work a group of a kernel does, as the body says it. Its coordinates are formulas of the place of
/// the group and of the item in it. How much a coordinate grows from one group to the next is what a group does; every
/// parameter stands for another prime there, so that the factors of the growth name them.
final class KernelGrid {
    private static final Pattern DECLARATION = Pattern.compile(
            "\\b(?:(?:const|unsigned|signed|u?int|size_t|u?long|u?short|auto|u?int(?:32|64)_t)\\s+)+(\\w+\\s*=[^;]*);");
    private static final Pattern CAST =
            Pattern.compile("\\(\\s*(?:unsigned\\s+)?(?:u?int|size_t|u?long|u?short)\\s*\\)");
    private static final Pattern STEPS = Pattern.compile("for\\s*\\([^;]*;[^;]*;\\s*(\\w+)\\s*\\+=\\s*(\\w+)\\s*\\)");
    private static final Pattern IN_GROUP = Pattern.compile("(?i).*(block|wgs|wgd|local|thread|tile|dim|group|wg).*");
    private static final List<String> AXES = List.of("x", "y", "z");
    /// Names in formulas: the place of the group, of the item in it, and items of a group.
    private static final String GROUP = "group__";
    private static final String ITEM = "item__";
    private static final String ITEMS = "items__";
    private static final String GRID = "grid__";
    private static final int MOST_DEPTH = 8;
    private static final int MOST_LENGTH = 4000;

    private final String body;
    private final List<String> parameters;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<String, Double> primes = new TreeMap<>();
    private final List<String> local = new ArrayList<>();
    private final List<String> parts = new ArrayList<>();

    /// @param body of the kernel, without comments
    /// @param parameters that it is tuned by
    /// @param inBody whether the source uses a parameter at all; one that it does not is a size of a group
    /// @param told sizes of a group that the kernel requires, none where it requires none
    /// @param dimensions of the grid
    KernelGrid(
            String body, Collection<String> parameters, Predicate<String> inBody, List<String> told, int dimensions) {
        this.body = places(body);
        this.parameters = List.copyOf(parameters);
        declarations();
        double prime = 101;
        for (String name : parameters) {
            primes.put(name, prime);
            prime = java.math.BigInteger.valueOf((long) prime)
                    .nextProbablePrime()
                    .doubleValue();
        }
        primes.put(ITEMS, prime);
        // What the kernel does not name, the host sizes its groups with.
        List<String> free = new ArrayList<>(parameters.stream()
                .filter(p -> IN_GROUP.matcher(p).matches() || (!inBody.test(p) && p.matches("(?i).*[xyz0-2]")))
                .sorted(Comparator.comparing(inBody::test))
                .toList());
        parameters.stream().filter(p -> !inBody.test(p) && !free.contains(p)).forEach(free::add);
        for (int d = 0; d < dimensions; d++) {
            int axis = d;
            List<String> grows = factors(rate(steepest(d), GROUP + d));
            List<String> more = factors(rate(steepest(d), ITEM + d));
            String size = !told.isEmpty()
                    ? told.get(d)
                    : parameters.contains("block_size_" + AXES.get(d))
                            ? "block_size_" + AXES.get(d)
                            : stepped(d).orElseGet(() -> size(grows, more, free, AXES.get(axis), dimensions));
            if (free.size() > 1) {
                free.remove(size);
            }
            local.add(size);
            List<String> part = new ArrayList<>(grows.isEmpty() ? List.of(size) : replaced(grows, size));
            strides(d).forEach(part::add);
            parts.add(String.join(" * ", part));
        }
    }

    /// Work items of a group in each dimension, formulas of parameters.
    List<String> local() {
        return List.copyOf(local);
    }

    /// The share of each dimension that a group does, formulas of parameters.
    List<String> parts() {
        return List.copyOf(parts);
    }

    /// The bound of a dimension's coordinate: the name that a condition compares it with.
    Optional<String> bound(int d, Collection<String> names) {
        return variables.entrySet().stream()
                .filter(e -> rate(e.getValue(), GROUP + d) > 0)
                .map(Map.Entry::getKey)
                .flatMap(v -> names.stream()
                        .filter(n -> Pattern.compile("\\b" + v + "\\s*<=?\\s*" + n + "\\b")
                                .matcher(body)
                                .find()))
                .findFirst();
    }

    /// True if a variable begins at the group's place.
    boolean isPlaced(String variable) {
        return expanded(variable).contains(GROUP);
    }

    /// True if an index is the place of the group and nothing else: what is put there are parts.
    boolean isOfGroup(String index, int dimensions) {
        return IntStream.range(0, dimensions)
                .allMatch(d -> rate(places(index), GROUP + d) == 1 && rate(places(index), ITEM + d) == 0);
    }

    /// The power of a size of the work with which an index grows; empty where it is no formula.
    Optional<Integer> degree(String index, Collection<String> sizes) {
        OptionalDouble small = value(places(index), n -> sizes.contains(n) ? 1e3 : 1);
        OptionalDouble large = value(places(index), n -> sizes.contains(n) ? 1e6 : 1);
        return small.isEmpty() || large.isEmpty() || small.getAsDouble() <= 0
                ? Optional.empty()
                : Optional.of((int) Math.max(
                        0,
                        Math.round(Math.log(Math.max(1, large.getAsDouble() / small.getAsDouble())) / Math.log(1e3))));
    }

    private static String places(String text) {
        String one = text;
        for (int d = 0; d < 3; d++) {
            String call = "\\s*\\(\\s*" + d + "\\s*\\)";
            String axis = "\\s*\\.\\s*" + AXES.get(d) + "\\b";
            one = one.replaceAll("\\bget_group_id" + call + "|\\bblockIdx" + axis, GROUP + d)
                    .replaceAll("\\bget_local_id" + call + "|\\bthreadIdx" + axis, ITEM + d)
                    .replaceAll("\\bget_global_size" + call, GRID + d)
                    .replaceAll("\\bget_local_size" + call + "|\\bblockDim" + axis, ITEMS)
                    .replaceAll("\\bget_global_id" + call, "(" + GROUP + d + " * " + ITEMS + " + " + ITEM + d + ")");
        }
        return CAST.matcher(one).replaceAll("").replaceAll("\\b(\\d+)[uUlL]+\\b", "$1");
    }

    private void declarations() {
        DECLARATION.matcher(body).results().map(r -> r.group(1)).forEach(all -> {
            int depth = 0;
            int from = 0;
            for (int i = 0; i <= all.length(); i++) {
                char c = i < all.length() ? all.charAt(i) : ',';
                depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
                if (c == ',' && depth == 0) {
                    String[] sides = all.substring(from, i).split("=", 2);
                    // What begins at a number counts or sums.
                    if (sides.length == 2
                            && sides[0].strip().matches("\\w+")
                            && !sides[1].strip().matches("\\d+")) {
                        variables.putIfAbsent(sides[0].strip(), sides[1].strip());
                    }
                    from = i + 1;
                }
            }
        });
    }

    private String expanded(String text) {
        String one = text;
        for (int i = 0; i < MOST_DEPTH && one.length() < MOST_LENGTH; i++) {
            String next = Pattern.compile("\\b[A-Za-z_]\\w*\\b").matcher(one).replaceAll((MatchResult m) -> {
                String value = variables.get(m.group());
                return Matcher.quoteReplacement(
                        value == null || value.matches(".*\\b" + m.group() + "\\b.*") ? m.group() : "(" + value + ")");
            });
            if (next.equals(one)) {
                return one;
            }
            one = next;
        }
        return one;
    }

    /// The value where names have values; a name of nothing known is 1.
    private OptionalDouble value(String text, Function<String, Integer> place, Function<String, Double> names) {
        String one = expanded(text);
        if (one.length() > MOST_LENGTH) {
            return OptionalDouble.empty();
        }
        try {
            return Formula.parse(one)
                    .value(n -> OptionalDouble.of(
                            n.startsWith(GROUP) || n.matches(ITEM + "\\d") ? place.apply(n) : names.apply(n)));
        } catch (IllegalArgumentException e) {
            return OptionalDouble.empty();
        }
    }

    private OptionalDouble value(String text, Function<String, Double> names) {
        return value(text, _ -> 1, names);
    }

    /// How much a formula grows with one place; 0 where it does not or is no formula.
    private double rate(String text, String by) {
        Function<String, Double> names = n -> primes.getOrDefault(n, 1.0);
        OptionalDouble first = value(text, _ -> 0, names);
        OptionalDouble second = value(text, n -> n.equals(by) ? 1 : 0, names);
        return first.isEmpty() || second.isEmpty() ? 0 : Math.max(0, second.getAsDouble() - first.getAsDouble());
    }

    /// The coordinate that grows most from a group to the next: of variables, else of what stands in brackets.
    private String steepest(int d) {
        List<String> all =
                variables.values().stream().filter(v -> rate(v, GROUP + d) > 0).toList();
        if (all.isEmpty()) {
            all = Pattern.compile("\\[([^\\[\\]]*)]")
                    .matcher(body)
                    .results()
                    .map(r -> r.group(1))
                    .toList();
        }
        return all.stream()
                .max(Comparator.comparingDouble(v -> rate(v, GROUP + d)))
                .orElse("0");
    }

    /// Parameters that count the steps of a loop that goes by the whole grid.
    private Stream<String> strides(int d) {
        return Pattern.compile("\\b(\\w+)\\s*\\*\\s*" + GRID + d + "\\b")
                .matcher(body)
                .results()
                .flatMap(r -> limits(r.group(1)))
                .filter(parameters::contains)
                .distinct();
    }

    /// Names that a loop's variable stays below.
    private Stream<String> limits(String variable) {
        return Pattern.compile("for\\s*\\([^;]*;\\s*" + variable + "\\s*<\\s*(\\w+)\\s*;")
                .matcher(body)
                .results()
                .map(r -> r.group(1));
    }

    /// The length of memory that has this index, a formula of parameters; empty where the index is of other names.
    Optional<String> length(String index) {
        String one = expanded(places(index));
        for (int d = 0; d < local.size(); d++) {
            one = one.replace(ITEM + d, "(" + local.get(d) + ")").replace(ITEMS, "(" + local.get(d) + ")");
        }
        one = Pattern.compile("\\b[A-Za-z_]\\w*\\b")
                .matcher(one)
                .replaceAll((MatchResult m) -> Matcher.quoteReplacement(
                        parameters.contains(m.group())
                                ? m.group()
                                : limits(m.group()).findFirst().orElse(m.group())));
        try {
            return Optional.of(one)
                    .filter(t -> parameters.containsAll(Formula.parse(t).columns()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// The names of a product's factors, and what is left as a number.
    private List<String> factors(double product) {
        var found = new ArrayList<String>();
        double left = product;
        for (var e : primes.entrySet()) {
            while (left >= e.getValue() && left % e.getValue() == 0) {
                left /= e.getValue();
                found.add(e.getKey());
            }
        }
        if (left != 1 && left != 0) {
            found.add(Long.toString(Math.round(left)));
        }
        return found;
    }

    /// The step of a loop over what an item of a dimension does: `tile[item + j]` where `j += ROWS`.
    private Optional<String> stepped(int d) {
        return STEPS.matcher(body)
                .results()
                .filter(r -> parameters.contains(r.group(2)))
                .filter(r -> Pattern.compile("\\[([^\\[\\]]*)]")
                        .matcher(body)
                        .results()
                        .map(x -> expanded(x.group(1)))
                        .anyMatch(x -> x.matches(".*" + ITEM + d + "[\\s)]*\\+\\s*" + r.group(1) + "\\b.*")))
                .map(r -> r.group(2))
                .findFirst();
    }

    private static String size(List<String> grows, List<String> more, List<String> free, String axis, int dimensions) {
        String usual = dimensions == 1 ? "64" : dimensions == 2 ? "16" : "4";
        if (grows.isEmpty() || grows.contains(ITEMS)) {
            return free.stream()
                    .filter(f -> f.toLowerCase(Locale.ROOT).endsWith(axis))
                    .findFirst()
                    .orElse(free.isEmpty() ? usual : free.getFirst());
        }
        var left = new ArrayList<>(grows);
        more.forEach(left::remove);
        if (!more.isEmpty() && left.size() + more.size() > grows.size()) {
            return String.join(" * ", grows) + " // " + String.join(" // ", more);
        }
        return left.stream()
                .filter(f -> IN_GROUP.matcher(f).matches())
                .findFirst()
                .or(() -> left.stream().findFirst())
                .orElse(usual);
    }

    private static List<String> replaced(List<String> factors, String size) {
        return factors.stream()
                .map(f -> f.equals(ITEMS) ? (size.matches("\\w+") ? size : "(" + size + ")") : f)
                .toList();
    }
}
