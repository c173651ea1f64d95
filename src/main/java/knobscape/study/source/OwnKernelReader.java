package knobscape.study.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import knobscape.evaluate.Formula;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.study.source.OwnKernel.Amount;
import knobscape.study.source.OwnKernel.Argument;
import knobscape.study.source.OwnKernel.Code;
import knobscape.study.source.OwnKernel.NumberType;
import knobscape.study.text.Numerals;
import knobscape.work.device.ComputeDevice.Language;

/// Reads `measure: kernel:` of a study file.
final class OwnKernelReader {
    private static final List<String> KEYS = List.of(
            "file",
            "name",
            "device",
            "constants",
            "options",
            "arguments",
            "global",
            "groups",
            "local",
            "reference",
            "tolerance",
            "operations",
            "bytes");
    private static final List<String> OF_REFERENCE = List.of("file", "name", "options", "global", "groups", "local");
    private static final List<String> OF_BUFFER = List.of("buffer", "length", "fill", "file", "output", "expected");
    private static final String SHARED = "local";
    private static final List<String> OF_SHARED = List.of(SHARED, "length");
    private static final List<String> OF_NUMBER = List.of("number", "value");
    /// In place of a reference: the kernel itself, every parameter at its default.
    private static final String DEFAULT = "default";
    private static final String SUM = "sum";
    private static final int MOST_ARGUMENTS = 64;
    private static final double TOLERANCE = 1e-4;

    private final String file;
    private final Set<String> names;

    /// @param file for messages
    /// @param parameters of the study
    OwnKernelReader(String file, Set<String> parameters) {
        this.file = file;
        this.names = new TreeSet<>(parameters);
    }

    OwnKernel read(YamlNode node) {
        YamlNode.Keys keys = YamlNode.keys(file, node);
        onlyKnown(keys, KEYS, "kernel");
        Map<String, String> constants = constants(keys);
        names.addAll(constants.keySet());
        Code code = code(keys);
        List<Argument> arguments = arguments(keys);
        YamlNode reference = keys.values().get("reference");
        boolean atDefault = reference instanceof YamlNode.Text t && t.text().equals(DEFAULT);
        return new OwnKernel(
                code,
                device(keys, code.language()),
                constants,
                arguments,
                atDefault
                        ? Optional.of(code)
                        : Optional.ofNullable(reference).map(r -> {
                            YamlNode.Keys of = YamlNode.keys(file, r);
                            onlyKnown(of, OF_REFERENCE, "reference");
                            return code(of);
                        }),
                atDefault,
                word(keys, "tolerance")
                        .map(t -> Numerals.number(t)
                                .filter(v -> v >= 0)
                                .orElseThrow(() -> error(keys, "tolerance", "'tolerance' is a number from 0")))
                        .orElse(TOLERANCE),
                amount(keys, "operations"),
                amount(keys, "bytes"));
    }

    private Code code(YamlNode.Keys keys) {
        String source = YamlNode.word(file, YamlNode.needed(file, keys, "file"));
        Language language;
        if (source.endsWith(".cl")) {
            language = Language.OPENCL;
        } else if (source.endsWith(".cu")) {
            language = Language.CUDA;
        } else {
            throw error(keys, "file", "a kernel's file ends in .cl (OpenCL) or .cu (CUDA), not '" + source + "'");
        }
        boolean inGroups = keys.values().containsKey("groups");
        if (inGroups == keys.values().containsKey("global")) {
            throw YamlNode.error(
                    file,
                    keys.line(),
                    "a kernel has either 'global', its work items, or 'groups', its work groups (CUDA: blocks),"
                            + " such as 'groups: [M / TILE, N / TILE]'");
        }
        String grid = inGroups ? "groups" : "global";
        List<Amount> sizes = amounts(keys, grid);
        List<Amount> local = amounts(keys, "local");
        if (sizes.size() != local.size()) {
            throw error(
                    keys, "local", "'" + grid + "' has " + sizes.size() + " dimensions and 'local' " + local.size());
        }
        return new Code(
                language,
                source,
                YamlNode.word(file, YamlNode.needed(file, keys, "name")),
                keys.values().containsKey("options")
                        ? YamlNode.list(file, keys.values().get("options")).stream()
                                .map(o -> YamlNode.word(file, o))
                                .toList()
                        : List.of(),
                inGroups,
                sizes,
                local);
    }

    private int device(YamlNode.Keys keys, Language language) {
        String kind = language.name().toLowerCase(Locale.ROOT);
        String word = word(keys, "device").orElse(kind);
        if (!word.matches(kind + "(:\\d{1,3})?")) {
            throw error(
                    keys,
                    "device",
                    "a kernel in this language runs on '" + kind + "' or '" + kind + ":1', not on '" + word + "'");
        }
        return word.equals(kind) ? 0 : Integer.parseInt(word.substring(kind.length() + 1));
    }

    private Map<String, String> constants(YamlNode.Keys keys) {
        var found = new LinkedHashMap<String, String>();
        YamlNode node = keys.values().get("constants");
        if (node != null) {
            YamlNode.keys(file, node).values().forEach((name, value) -> {
                String text = YamlNode.word(file, value);
                if (!name.matches("[A-Za-z_]\\w*") || names.contains(name)) {
                    throw YamlNode.error(
                            file,
                            value.line(),
                            "'" + name + "' cannot be a constant: it is "
                                    + (names.contains(name) ? "a parameter" : "no name of a macro"));
                }
                if (Numerals.number(text).isEmpty()) {
                    throw YamlNode.error(
                            file, value.line(), "the constant '" + name + "' is a number, not '" + text + "'");
                }
                found.put(name, text);
            });
        }
        return found;
    }

    private List<Argument> arguments(YamlNode.Keys keys) {
        YamlNode node = YamlNode.needed(file, keys, "arguments");
        List<YamlNode> items = YamlNode.list(file, node);
        if (items.isEmpty() || items.size() > MOST_ARGUMENTS) {
            throw YamlNode.error(file, node.line(), "a kernel has 1 to " + MOST_ARGUMENTS + " arguments");
        }
        var found = new ArrayList<Argument>();
        for (YamlNode item : items) {
            YamlNode.Keys a = YamlNode.keys(file, item);
            boolean isNumber = a.values().containsKey("number");
            boolean isShared = a.values().containsKey(SHARED);
            onlyKnown(a, isNumber ? OF_NUMBER : isShared ? OF_SHARED : OF_BUFFER, "arguments");
            found.add(isNumber ? number(a) : isShared ? shared(a) : buffer(a));
        }
        if (found.stream().noneMatch(Argument::isOutput)) {
            throw YamlNode.error(
                    file, node.line(), "no argument has 'output: true'; a kernel that writes nothing is not measured");
        }
        return found;
    }

    private Argument number(YamlNode.Keys a) {
        return new Argument(
                type(a, "number"), Optional.empty(), Optional.of(needed(a, "value")), "", false, "", false, false);
    }

    private Argument shared(YamlNode.Keys a) {
        return new Argument(
                type(a, SHARED), Optional.of(needed(a, "length")), Optional.empty(), "", false, "", true, false);
    }

    private Argument buffer(YamlNode.Keys a) {
        NumberType type = type(a, "buffer");
        String fill = word(a, "fill").orElse("random");
        boolean isSum = word(a, "output").filter(SUM::equals).isPresent();
        boolean isOutput = isSum || word(a, "output").filter(StudyReader::isYes).isPresent();
        String from = word(a, "file").orElse("");
        String expected = word(a, "expected").orElse("");
        boolean isBare = from.isEmpty() && !a.values().containsKey("fill");
        if (!expected.isEmpty() && !isOutput) {
            throw error(a, "expected", "'expected' belongs to an argument with 'output: true'");
        }
        if (!from.isEmpty() && a.values().containsKey("fill")) {
            throw error(a, "fill", "a buffer has 'file' or 'fill', not both");
        }
        return new Argument(
                type,
                Optional.of(needed(a, "length")),
                isBare && isSum
                        ? Optional.of(new Amount(Formula.parse("0"), a.line()))
                        : fill.equals("random") ? Optional.empty() : amount(a, "fill"),
                // An output that names no content is only written; what it leaves out adds nothing to a sum.
                isBare && isOutput && !isSum ? OwnKernel.WRITTEN : from,
                isOutput,
                expected,
                false,
                isSum);
    }

    private NumberType type(YamlNode.Keys a, String key) {
        YamlNode node = YamlNode.needed(file, a, key);
        String word = YamlNode.word(file, node);
        return Arrays.stream(NumberType.values())
                .filter(t -> t.name().toLowerCase(Locale.ROOT).equals(word.replaceFirst("^unsigned ", "u")))
                .findFirst()
                .orElseThrow(() -> YamlNode.error(
                        file,
                        node.line(),
                        "'" + word + "' is no type that is known here; known are "
                                + String.join(
                                        ", ",
                                        Arrays.stream(NumberType.values())
                                                .map(t -> t.name().toLowerCase(Locale.ROOT))
                                                .toList())));
    }

    private List<Amount> amounts(YamlNode.Keys keys, String key) {
        YamlNode node = YamlNode.needed(file, keys, key);
        List<YamlNode> items = node instanceof YamlNode.Items i ? i.items() : List.of(node);
        if (items.isEmpty() || items.size() > 3) {
            throw YamlNode.error(file, node.line(), "'" + key + "' has 1 to 3 dimensions");
        }
        return items.stream().map(this::amount).toList();
    }

    private Amount needed(YamlNode.Keys keys, String key) {
        return amount(YamlNode.needed(file, keys, key));
    }

    private Optional<Amount> amount(YamlNode.Keys keys, String key) {
        return Optional.ofNullable(keys.values().get(key)).map(this::amount);
    }

    private Amount amount(YamlNode node) {
        String text = YamlNode.word(file, node);
        try {
            Formula f = Formula.parse(text);
            f.columns().stream().filter(c -> !names.contains(c)).findFirst().ifPresent(c -> {
                throw YamlNode.error(
                        file,
                        node.line(),
                        "'" + c + "' is neither a parameter nor a constant"
                                + NameSuggestions.didYouMean(c, List.copyOf(names)));
            });
            return new Amount(f, node.line());
        } catch (IllegalArgumentException e) {
            throw YamlNode.error(file, node.line(), "'" + text + "' is no formula: " + e.getMessage());
        }
    }

    private Optional<String> word(YamlNode.Keys keys, String key) {
        return Optional.ofNullable(keys.values().get(key)).map(n -> YamlNode.word(file, n));
    }

    private UserError error(YamlNode.Keys keys, String key, String message) {
        YamlNode at = keys.values().get(key);
        return YamlNode.error(file, at == null ? keys.line() : at.line(), message);
    }

    private void onlyKnown(YamlNode.Keys keys, List<String> known, String where) {
        StudyReader.onlyKnown(file, keys, known, where);
    }
}
