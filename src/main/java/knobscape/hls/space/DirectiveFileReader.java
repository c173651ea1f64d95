package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;

/// Reads the form of a directive file; see [DirectiveFile] for the format.
final class DirectiveFileReader {
    private static final int VERSION = 1;
    private static final List<String> TOP_KEYS =
            List.of("version", "part", "clock", "top", "defaults", "prune", "knobs");

    private final String name;

    DirectiveFileReader(String name) {
        this.name = name;
    }

    DirectiveFile read(String text) {
        if (!(YamlNode.parse(name, text, "directive file") instanceof YamlNode.Keys root)) {
            throw YamlNode.error(name, 1, "a directive file starts with keys such as 'version: 1' and 'knobs:'");
        }
        checkKeys(root, TOP_KEYS, "a directive file");
        version(root);
        Map<String, YamlNode> values = root.values();
        List<DirectiveFile.Entry> entries = new ArrayList<>();
        if (values.containsKey("knobs")) {
            items(values.get("knobs"), "knobs").forEach(e -> entries.add(entry(e)));
        }
        return new DirectiveFile(
                name,
                text(root, "part"),
                clock(root),
                text(root, "top"),
                defaults(root),
                flag(root, "prune", true),
                entries);
    }

    private void version(YamlNode.Keys root) {
        YamlNode node = root.values().get("version");
        if (node == null) {
            throw YamlNode.error(name, root.line(), "'version: " + VERSION + "' is missing");
        }
        int version = number(node, "version");
        if (version > VERSION) {
            throw YamlNode.error(
                    name,
                    node.line(),
                    "this file is of version " + version + ", made for a newer program; this one knows version "
                            + VERSION);
        }
        if (version < 1) {
            throw YamlNode.error(name, node.line(), "there is no version " + version + "; the version is " + VERSION);
        }
    }

    private OptionalDouble clock(YamlNode.Keys root) {
        Optional<String> text = text(root, "clock");
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        String number = text.get().replaceFirst("\\s*ns$", "");
        if (!number.matches("\\d{1,6}(\\.\\d{1,6})?") || Double.parseDouble(number) <= 0) {
            throw YamlNode.error(
                    name,
                    requireNonNull(root.values().get("clock")).line(),
                    "the clock period is a positive number of ns, not '" + text.get() + "'");
        }
        return OptionalDouble.of(Double.parseDouble(number));
    }

    private Set<KnobKind> defaults(YamlNode.Keys root) {
        YamlNode node = root.values().get("defaults");
        if (node == null) {
            return root.values().containsKey("knobs") ? Set.of() : KnobKind.defaults();
        }
        if (node instanceof YamlNode.Items items) {
            var kinds = EnumSet.noneOf(KnobKind.class);
            items.items().forEach(i -> kinds.add(kind(i)));
            return kinds;
        }
        return flag(root, "defaults", true) ? KnobKind.defaults() : Set.of();
    }

    private DirectiveFile.Entry entry(YamlNode node) {
        if (!(node instanceof YamlNode.Keys keys)) {
            throw YamlNode.error(
                    name,
                    node.line(),
                    "an entry of 'knobs' has keys, as in {kind: unroll, at: f/loop, factors: [1, 2]}; found "
                            + node.what());
        }
        if (!keys.values().containsKey("kind")) {
            throw YamlNode.error(
                    name, node.line(), "'kind' is missing; it is one of " + String.join(", ", KnobKind.words()));
        }
        KnobKind kind = kind(keys.values().get("kind"));
        checkKeys(keys, keysOf(kind), "a knob of kind " + kind.word());
        if (!keys.values().containsKey("at")) {
            throw YamlNode.error(
                    name, node.line(), "'at' is missing: the loop, array or function that the knob belongs to");
        }
        var places = new ArrayList<DirectiveFile.Place>();
        for (YamlNode place : list(keys.values().get("at"))) {
            places.add(new DirectiveFile.Place(text(place, "at"), place.line()));
        }
        if (places.isEmpty()) {
            throw YamlNode.error(name, requireNonNull(keys.keyLines().get("at")), "'at' names nothing");
        }
        YamlNode dim = keys.values().get("dim");
        Optional<List<Integer>> factors =
                Optional.ofNullable(keys.values().get("factors")).map(this::factors);
        Optional<List<String>> values = Optional.ofNullable(
                        keys.values().get(kind == KnobKind.PARTITION ? "types" : "values"))
                .map(v -> labels(v, kind));
        return new DirectiveFile.Entry(
                kind,
                places,
                dim == null ? OptionalInt.empty() : OptionalInt.of(number(dim, "dim")),
                factors,
                values,
                node.line());
    }

    private static List<String> keysOf(KnobKind kind) {
        return switch (kind) {
            case UNROLL -> List.of("kind", "at", "factors");
            case PARTITION -> List.of("kind", "at", "dim", "types", "factors");
            case RESHAPE -> List.of("kind", "at", "dim", "factors");
            default -> List.of("kind", "at", "values");
        };
    }

    private List<Integer> factors(YamlNode node) {
        var factors = new ArrayList<Integer>();
        for (YamlNode item : list(node)) {
            int factor = number(item, "a factor");
            if (factor < 1) {
                throw YamlNode.error(name, item.line(), "a factor is at least 1, not " + factor);
            }
            factors.add(factor);
        }
        if (factors.isEmpty()) {
            throw YamlNode.error(name, node.line(), "'factors' is empty; leave it out for the default ones");
        }
        return factors;
    }

    private List<String> labels(YamlNode node, KnobKind kind) {
        List<String> known = switch (kind) {
            case PARTITION -> KnobPlan.TYPES;
            case MULTIPLIER -> KnobPlan.CORES;
            case STORAGE -> KnobPlan.STORAGES;
            case BURST, OUTSTANDING, FIFO, ALLOCATION -> List.of("auto");
            default -> KnobPlan.OFF_ON;
        };
        var labels = new ArrayList<String>();
        for (YamlNode item : list(node)) {
            String label = text(item, "a value").replace(" ", "");
            boolean pipelines = kind == KnobKind.PIPELINE || kind == KnobKind.FUNCTION_PIPELINE;
            boolean free = kind == KnobKind.BUNDLE
                    ? label.matches("[A-Za-z_]\\w*")
                    : KnobPlan.NUMBERED.contains(kind)
                            ? label.matches("[1-9]\\d{0,5}")
                            : pipelines && label.matches("ii=[1-9]\\d{0,5}");
            if (kind == KnobKind.BUNDLE && !free) {
                throw YamlNode.error(
                        name, item.line(), "'" + label + "' is no name of a bundle; letters, digits and _ make one");
            }
            if (!known.contains(label) && !free) {
                throw YamlNode.error(
                        name,
                        item.line(),
                        "'" + label + "' is not a value of " + kind.word() + "; choose from " + String.join(", ", known)
                                + (pipelines ? ", ii=N" : KnobPlan.NUMBERED.contains(kind) ? " or a number" : "")
                                + NameSuggestions.didYouMean(label, known));
            }
            if (!labels.contains(label)) {
                labels.add(label);
            }
        }
        if (labels.isEmpty()) {
            throw YamlNode.error(name, node.line(), "the list of values is empty; leave it out for the default ones");
        }
        return labels;
    }

    private KnobKind kind(YamlNode node) {
        String word = text(node, "kind");
        return KnobKind.of(word)
                .orElseThrow(() -> YamlNode.error(
                        name,
                        node.line(),
                        "there is no kind of knob '" + word + "'; it is one of " + String.join(", ", KnobKind.words())
                                + NameSuggestions.didYouMean(word, KnobKind.words())));
    }

    private void checkKeys(YamlNode.Keys keys, Collection<String> known, String where) {
        keys.keyLines().forEach((key, line) -> {
            if (!known.contains(key)) {
                throw YamlNode.error(
                        name,
                        line,
                        where + " has no '" + key + "'; it has "
                                + known.stream().collect(Collectors.joining(", "))
                                + NameSuggestions.didYouMean(key, known));
            }
        });
    }

    private List<YamlNode> items(YamlNode node, String key) {
        if (node instanceof YamlNode.Items items) {
            return items.items();
        }
        if (node instanceof YamlNode.Text t && t.text().isEmpty()) {
            return List.of();
        }
        throw YamlNode.error(name, node.line(), "'" + key + "' is a list; found " + node.what());
    }

    private static List<YamlNode> list(YamlNode node) {
        return node instanceof YamlNode.Items items ? items.items() : List.of(node);
    }

    private Optional<String> text(YamlNode.Keys keys, String key) {
        return Optional.ofNullable(keys.values().get(key)).map(n -> text(n, key));
    }

    private String text(YamlNode node, String what) {
        if (node instanceof YamlNode.Text t && !t.text().isBlank()) {
            return t.text().strip();
        }
        throw YamlNode.error(
                name,
                node.line(),
                "'" + what + "' wants a word; found " + (node instanceof YamlNode.Text ? "nothing" : node.what()));
    }

    private int number(YamlNode node, String what) {
        String text = text(node, what);
        if (!text.matches("-?\\d{1,9}")) {
            throw YamlNode.error(name, node.line(), what + " is a whole number, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private boolean flag(YamlNode.Keys root, String key, boolean otherwise) {
        return text(root, key)
                .map(t -> switch (t) {
                    case "true" -> true;
                    case "false" -> false;
                    default ->
                        throw new UserError(name + ":"
                                + requireNonNull(root.values().get(key)).line() + ": '" + key + "' is true or false"
                                + (key.equals("defaults") ? ", or a list of kinds" : "") + ", not '" + t + "'");
                })
                .orElse(otherwise);
    }
}
