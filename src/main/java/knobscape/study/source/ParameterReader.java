package knobscape.study.source;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.space.Domain;
import knobscape.study.source.Study.StudyParameter;
import knobscape.study.text.Numerals;

/// Reads one parameter: a list of values, `switch`, or a range. Whole numbers become factors, other numbers a
/// range, and everything else names; a range of real numbers is a fine grid, so that spaces stay finite.
record ParameterReader(String file, String name, int line) {
    /// Steps of a range of real numbers.
    static final int REAL_STEPS = 1000;

    private static final int MOST_VALUES = 65_536;
    private static final int DIGITS = 6;
    private static final List<String> KEYS = List.of("values", "from", "to", "step", "scale", "default");

    StudyParameter read(YamlNode node) {
        return switch (node) {
            case YamlNode.Items i -> parameter(values(texts(i)), Optional.empty());
            case YamlNode.Text t -> {
                if (!t.text().equals("switch")) {
                    throw error((t.text().isEmpty() ? "has no value" : "has " + t.what() + " as its values")
                            + "; write a list, 'switch', or a range {from: .., to: ..}");
                }
                yield parameter(new Domain.Toggle(), Optional.empty());
            }
            case YamlNode.Keys k -> keys(k);
        };
    }

    private StudyParameter keys(YamlNode.Keys k) {
        k.values().keySet().stream()
                .filter(key -> !KEYS.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw error("'" + key + "' is not known; known are " + String.join(", ", KEYS));
                });
        Optional<String> usual = text(k, "default");
        YamlNode values = k.values().get("values");
        boolean isLogarithmic = text(k, "scale").filter(this::isLogarithmic).isPresent();
        if (values != null) {
            if (k.values().containsKey("from") || k.values().containsKey("to")) {
                throw error("has both values and a range; keep one");
            }
            Domain domain = values instanceof YamlNode.Items i
                    ? values(texts(i))
                    : values instanceof YamlNode.Text t && t.text().equals("switch")
                            ? new Domain.Toggle()
                            : values(List.of(one(values)));
            return parameter(
                    isLogarithmic && domain instanceof Domain.Numbers n ? numbers(n.values(), true) : domain, usual);
        }
        return parameter(
                range(
                        number(k, "from").orElseThrow(() -> error("needs 'values', or a range with 'from' and 'to'")),
                        number(k, "to").orElseThrow(() -> error("needs 'to', the end of its range")),
                        number(k, "step"),
                        isLogarithmic,
                        Numerals.isWhole(text(k, "from").orElse(""))
                                && Numerals.isWhole(text(k, "to").orElse(""))),
                usual);
    }

    private boolean isLogarithmic(String scale) {
        if (!scale.equals("log") && !scale.equals("linear")) {
            throw error("'scale' is log or linear, not '" + scale + "'");
        }
        return scale.equals("log");
    }

    private Domain range(double from, double to, Optional<Double> step, boolean isLogarithmic, boolean isWhole) {
        if (!(from <= to)) {
            throw error("its range ends before it begins: from " + from + " to " + to);
        }
        if (isLogarithmic && from <= 0) {
            throw error("a logarithmic range begins above 0, not at " + from);
        }
        if (step.isPresent() && (isLogarithmic || step.get() <= 0)) {
            throw error("'step' is above 0 and of a linear range");
        }
        boolean whole = isWhole && step.filter(s -> s != Math.rint(s)).isEmpty();
        double count = step.isPresent() ? Math.floor((to - from) / step.get() * (1 + 1e-12)) : to - from;
        if ((step.isPresent() || (whole && !isLogarithmic)) && count >= MOST_VALUES) {
            throw error("its range has more than " + MOST_VALUES + " values; give a larger step");
        }
        if (step.isPresent() || (whole && !isLogarithmic)) {
            double by = step.orElse(1.0);
            List<Double> all = IntStream.rangeClosed(0, (int) count)
                    .mapToObj(i -> rounded(from + i * by, 12))
                    .toList();
            return whole ? factors(all) : numbers(all, false);
        }
        var all = new TreeSet<Double>();
        for (int i = 0; i <= REAL_STEPS; i++) {
            double share = (double) i / REAL_STEPS;
            double v = i == 0
                    ? from
                    : i == REAL_STEPS
                            ? to
                            : rounded(
                                    isLogarithmic ? from * Math.pow(to / from, share) : from + share * (to - from),
                                    DIGITS);
            all.add(whole ? Math.rint(v) : v);
        }
        return whole && to <= Integer.MAX_VALUE ? factors(List.copyOf(all)) : numbers(List.copyOf(all), isLogarithmic);
    }

    private static double rounded(double v, int digits) {
        return new BigDecimal(v).round(new MathContext(digits)).doubleValue();
    }

    private Domain factors(List<Double> values) {
        return values.getFirst() < Integer.MIN_VALUE || values.getLast() > Integer.MAX_VALUE
                ? numbers(values, false)
                : new Domain.Factors(values.stream().map(Double::intValue).toList());
    }

    private Domain numbers(List<Double> values, boolean isLogarithmic) {
        try {
            return new Domain.Numbers(values, isLogarithmic);
        } catch (IllegalArgumentException e) {
            throw error("has no range: " + e.getMessage());
        }
    }

    private Domain values(List<String> texts) {
        if (texts.isEmpty()) {
            throw error("has no value; give at least one");
        }
        if (texts.size() > MOST_VALUES) {
            throw error("has more than " + MOST_VALUES + " values");
        }
        if (new LinkedHashSet<>(texts).size() < texts.size()) {
            throw error("has a value twice");
        }
        texts.stream()
                .filter(t -> t.isEmpty() || t.indexOf(';') >= 0 || t.indexOf('=') == 0)
                .findFirst()
                .ifPresent(t -> {
                    throw error(t.isEmpty() ? "has an empty value" : "has the value '" + t + "'; ';' cannot be in it");
                });
        List<Optional<Double>> numbers = texts.stream().map(Numerals::number).toList();
        if (texts.stream().allMatch(Numerals::isWhole)) {
            return factors(numbers.stream().map(Optional::get).sorted().toList());
        }
        if (numbers.stream().allMatch(Optional::isPresent)) {
            return numbers(numbers.stream().map(Optional::get).sorted().toList(), false);
        }
        return texts.size() == 2
                        && List.of("false", "off", "no").contains(texts.getFirst())
                        && StudyReader.isYes(texts.getLast())
                ? new Domain.Toggle()
                : new Domain.Categories(texts);
    }

    private StudyParameter parameter(Domain domain, Optional<String> usual) {
        var plain = new StudyParameter(name, domain, Optional.empty(), line);
        return new StudyParameter(
                name,
                domain,
                usual.map(u -> domain.label(
                        plain.level(u).orElseThrow(() -> error("its default '" + u + "' is none of its values")))),
                line);
    }

    private List<String> texts(YamlNode.Items items) {
        var all = new ArrayList<String>();
        items.items().forEach(i -> all.add(one(i)));
        return all;
    }

    private String one(YamlNode node) {
        if (node instanceof YamlNode.Text t) {
            return t.text();
        }
        throw error("its values are numbers or words, not " + node.what());
    }

    private Optional<String> text(YamlNode.Keys keys, String key) {
        return Optional.ofNullable(keys.values().get(key)).map(this::one);
    }

    private Optional<Double> number(YamlNode.Keys keys, String key) {
        return text(keys, key)
                .map(t -> Numerals.number(t).orElseThrow(() -> error("'" + key + "' is a number, not '" + t + "'")));
    }

    private UserError error(String what) {
        return YamlNode.error(file, line, "the parameter '" + name + "' " + what);
    }
}
