package knobscape.evaluate.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Typed look-ups in a JSON object of a file that a person or another program wrote, with errors ([UserError])
/// that name file and key.
///
/// @param file name of the file, for messages
/// @param node the object
/// @param prefix path of the object in the file with a dot behind it, empty for the outermost
public record JsonFields(String file, JsonNode node, String prefix) {
    private static final Pattern NOT_JSON = Pattern.compile("token '([+-]?(?:NaN|Infinity|INF))'");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /// Reads the outermost object of a file of at most `largest` bytes.
    public static JsonFields read(Path file, long largest) {
        try {
            if (Files.isDirectory(file)) {
                throw new UserError("'" + file + "' is a folder; name a JSON file.");
            }
            if (!Files.exists(file)) {
                throw new UserError("There is no file '" + file + "'.");
            }
            return parse(file.toString(), InputFile.text(file, largest));
        } catch (IOException e) {
            throw new UserError("Cannot read '" + file + "': it is no UTF-8 text or not readable.", e);
        }
    }

    /// Reads the outermost object of a text.
    public static JsonFields parse(String file, String text) {
        try {
            JsonNode root = JSON.readTree(text);
            if (root.isMissingNode()) {
                throw new UserError(file + " is empty.");
            }
            if (!root.isObject()) {
                throw new UserError(file + " must hold one JSON object.");
            }
            return new JsonFields(file, root, "");
        } catch (JacksonException e) {
            throw invalid(file, e);
        }
    }

    /// The message to a person about a text that is no JSON: file, line and what is wrong, without what concerns
    /// the parser alone.
    public static UserError invalid(String file, JacksonException e) {
        var at = e.getLocation();
        String why = e.getOriginalMessage() == null
                ? ""
                : e.getOriginalMessage()
                        .lines()
                        .findFirst()
                        .orElse("")
                        .replaceAll(" \\(start marker at .*|, from `[^`]*`", "")
                        .replaceAll("\\.$", "");
        Matcher number = NOT_JSON.matcher(why);
        if (number.find()) {
            return new UserError(
                    file + (at == null || at.getLineNr() < 1 ? "" : ":" + at.getLineNr())
                            + " is not valid JSON: it holds "
                            + number.group(1)
                            + ", which Python writes and JSON does not have; write null or leave the value out.",
                    e);
        }
        return new UserError(
                file + (at == null || at.getLineNr() < 1 ? "" : ":" + at.getLineNr()) + " is not valid JSON: " + why
                        + ".",
                e);
    }

    /// Makes sure that the file is of this format and of no newer version than `newest`.
    public void checkFormat(String format, int newest) {
        if (!text("format").orElse("").equals(format)) {
            throw new UserError(file + " must say \"format\": \"" + format + "\".");
        }
        long version = whole("formatVersion")
                .orElseThrow(() -> new UserError(file + " has no formatVersion; write \"formatVersion\": 1."));
        if (version < 1) {
            throw wrong("formatVersion", "a number from 1");
        }
        if (version > newest) {
            throw new UserError(file + " is of format version " + version
                    + ", written by a newer Knobscape; this one reads up to " + newest + ".");
        }
    }

    /// Makes sure that no other keys are there.
    public void onlyKnown(Collection<String> known) {
        for (String key : node.propertyNames()) {
            if (!known.contains(key)) {
                throw new UserError(
                        file + ": '" + prefix + key + "' is not a known key" + NameSuggestions.didYouMean(key, known)
                                + "; known are " + String.join(", ", new TreeSet<>(known)) + ".");
            }
        }
    }

    /// The value of a key, empty where it is absent or null.
    public Optional<JsonNode> get(String key) {
        JsonNode v = node.get(key);
        return v == null || v.isNull() ? Optional.empty() : Optional.of(v);
    }

    /// A text.
    public Optional<String> text(String key) {
        return get(key).map(v -> {
            if (!v.isString()) {
                throw wrong(key, "a string");
            }
            return plain(key, v.stringValue());
        });
    }

    /// A text that a file name or a table can hold.
    private String plain(String key, String text) {
        boolean isPlain = text.codePoints()
                .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
        if (!isPlain) {
            throw wrong(key, "text without NUL and without halves of characters");
        }
        return text;
    }

    /// A finite number.
    public Optional<Double> number(String key) {
        return get(key).map(v -> {
            if (!v.isNumber() || !Double.isFinite(v.doubleValue())) {
                throw wrong(key, "a number");
            }
            return v.doubleValue();
        });
    }

    /// A whole number.
    public Optional<Long> whole(String key) {
        return get(key).map(v -> {
            if (!v.isIntegralNumber() || !v.canConvertToLong()) {
                throw wrong(key, "a whole number");
            }
            return v.longValue();
        });
    }

    /// `true` or `false`, `otherwise` where the key is absent.
    public boolean flag(String key, boolean otherwise) {
        return get(key).map(v -> {
                    if (!v.isBoolean()) {
                        throw wrong(key, "true or false");
                    }
                    return v.booleanValue();
                })
                .orElse(otherwise);
    }

    /// A whole number from 0, `otherwise` where the key is absent.
    public int count(String key, int otherwise) {
        long v = whole(key).orElse((long) otherwise);
        if (v < 0 || v > Integer.MAX_VALUE) {
            throw wrong(key, "a count");
        }
        return (int) v;
    }

    /// A list of texts, empty where the key is absent.
    public List<String> texts(String key) {
        var all = new ArrayList<String>();
        get(key).ifPresent(v -> {
            if (!v.isArray() || !v.valueStream().allMatch(JsonNode::isString)) {
                throw wrong(key, "a list of strings");
            }
            v.forEach(each -> all.add(plain(key, each.stringValue())));
        });
        return List.copyOf(all);
    }

    /// An object of texts (numbers count as their text), empty where the key is absent.
    public Map<String, String> map(String key) {
        var all = new LinkedHashMap<String, String>();
        get(key).ifPresent(v -> {
            if (!v.isObject() || !v.valueStream().allMatch(JsonNode::isValueNode)) {
                throw wrong(key, "an object of strings");
            }
            v.properties()
                    .forEach(e -> all.put(
                            plain(key, e.getKey()), plain(key, e.getValue().asString())));
        });
        return Collections.unmodifiableMap(all);
    }

    /// Whole numbers from 1 by name, empty where the key is absent.
    public Map<String, Long> counts(String key) {
        var all = new LinkedHashMap<String, Long>();
        object(key).ifPresent(inner -> {
            for (String name : inner.node().propertyNames()) {
                all.put(
                        name,
                        inner.whole(name).filter(v -> v >= 1).orElseThrow(() -> inner.wrong(name, "a count from 1")));
            }
        });
        return Collections.unmodifiableMap(all);
    }

    /// An object.
    public Optional<JsonFields> object(String key) {
        return get(key).map(v -> {
            if (!v.isObject()) {
                throw wrong(key, "an object");
            }
            return new JsonFields(file, v, prefix + key + ".");
        });
    }

    /// A list of objects, empty where the key is absent.
    public List<JsonFields> objects(String key) {
        var all = new ArrayList<JsonFields>();
        get(key).ifPresent(v -> {
            if (!v.isArray() || !v.valueStream().allMatch(JsonNode::isObject)) {
                throw wrong(key, "a list of objects");
            }
            v.forEach(each -> all.add(new JsonFields(file, each, prefix + key + "[" + all.size() + "].")));
        });
        return List.copyOf(all);
    }

    /// An object, one without keys where the key is absent.
    public JsonFields objectOrEmpty(String key) {
        return object(key).orElseGet(() -> new JsonFields(file, JSON.createObjectNode(), prefix + key + "."));
    }

    /// One of an enum's constants by its name in lower case.
    public <E extends Enum<E>> Optional<E> choice(String key, Class<E> type) {
        return text(key).map(v -> {
            for (E constant : type.getEnumConstants()) {
                if (word(constant).equals(v)) {
                    return constant;
                }
            }
            throw wrong(
                    key,
                    "one of "
                            + String.join(
                                    ", ",
                                    java.util.Arrays.stream(type.getEnumConstants())
                                            .map(JsonFields::word)
                                            .toList()));
        });
    }

    /// How an enum's constant is written in files: `LAST_ONE` as `last-one`.
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    /// The error for a value of another kind than wanted.
    public UserError wrong(String key, String what) {
        return new UserError(file + ": " + prefix + key + " must be " + what + ".");
    }
}
