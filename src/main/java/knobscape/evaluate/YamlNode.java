package knobscape.evaluate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/// A piece of YAML that knows its line, so that errors can name it. Scalars are kept as text: `off` stays
/// `off`.
public sealed interface YamlNode {
    /// Deepest nesting; what any of our files says needs ten at most.
    int MOST_LEVELS = 20;

    /// 1-based line.
    int line();

    /// The kind of the node, for messages.
    String what();

    /// A scalar.
    record Text(String text, int line) implements YamlNode {
        @Override
        public String what() {
            return "'" + text + "'";
        }
    }

    /// A list.
    record Items(List<YamlNode> items, int line) implements YamlNode {
        @Override
        public String what() {
            return "a list";
        }
    }

    /// Keys with their values, in order.
    record Keys(Map<String, YamlNode> values, Map<String, Integer> keyLines, int line) implements YamlNode {
        @Override
        public String what() {
            return "a block of keys";
        }
    }

    /// Reads one YAML document. Anchors and aliases are refused: nothing here needs them, and they can make
    /// small files huge.
    ///
    /// @param name file name for messages
    /// @param kind what the file is, for messages: `directive file`
    static YamlNode parse(String name, String text, String kind) {
        return parse(name, text, kind, false);
    }

    /// The same where a key may be given twice: the last one holds, as in YAML readers of Python.
    static YamlNode parseLenient(String name, String text, String kind) {
        return parse(name, text, kind, true);
    }

    private static YamlNode parse(String name, String text, String kind, boolean twice) {
        try (JsonParser parser = YAMLFactory.builder().build().createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new UserError(name + ": the " + kind + " is empty");
            }
            YamlNode root = read(name, parser, kind, twice, 0);
            if (parser.nextToken() != null) {
                throw error(name, line(parser), "a " + kind + " is a single YAML document");
            }
            return root;
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw new UserError(name + ":" + line + ": this is not YAML: " + firstSentence(e.getOriginalMessage()), e);
        }
    }

    private static YamlNode read(String name, JsonParser parser, String kind, boolean twice, int depth) {
        int line = line(parser);
        if (depth > MOST_LEVELS) {
            throw error(
                    name,
                    line,
                    "lists and blocks nest more than " + MOST_LEVELS + " levels deep here; no " + kind
                            + " needs that, check the brackets and the indentation");
        }
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw error(name, line, "anchors and aliases ('&', '*') are not supported here; write the value out");
        }
        return switch (parser.currentToken()) {
            case START_ARRAY -> {
                var items = new ArrayList<YamlNode>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(name, parser, kind, twice, depth + 1));
                }
                yield new Items(items, line);
            }
            case START_OBJECT -> {
                var values = new LinkedHashMap<String, YamlNode>();
                var lines = new LinkedHashMap<String, Integer>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    int keyLine = line(parser);
                    if (lines.put(key, keyLine) != null && !twice) {
                        throw error(name, keyLine, "'" + key + "' is given twice");
                    }
                    parser.nextToken();
                    values.put(key, read(name, parser, kind, twice, depth + 1));
                }
                yield new Keys(values, lines, line);
            }
            case VALUE_NULL -> new Text("", line);
            default -> new Text(parser.getString(), line);
        };
    }

    private static int line(JsonParser parser) {
        return Math.max(1, parser.currentTokenLocation().getLineNr());
    }

    private static String firstSentence(String message) {
        String line = message.strip()
                .lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty())
                .findFirst()
                .orElse("");
        return line.length() > 160 ? line.substring(0, 160) + "..." : line;
    }

    /// A piece that must be there.
    static YamlNode needed(String file, Keys keys, String key) {
        YamlNode n = keys.values().get(key);
        if (n == null) {
            throw error(file, keys.line(), "'" + key + "' is missing");
        }
        return n;
    }

    /// A scalar.
    static String word(String file, YamlNode n) {
        if (n instanceof Text t) {
            return t.text().strip();
        }
        throw error(file, n.line(), "a single value is wanted, not " + n.what());
    }

    /// A list.
    static List<YamlNode> list(String file, YamlNode n) {
        if (n instanceof Items i) {
            return i.items();
        }
        throw error(file, n.line(), "a list is wanted, not " + n.what());
    }

    /// A block of keys.
    static Keys keys(String file, YamlNode n) {
        if (n instanceof Keys k) {
            return k;
        }
        throw error(file, n.line(), "a block of keys is wanted, not " + n.what());
    }

    /// A count from 1 to 10^15.
    static long count(String file, YamlNode n) {
        String text = word(file, n).replace("_", "");
        if (text.matches("\\d{1,15}") && Long.parseLong(text) > 0) {
            return Long.parseLong(text);
        }
        throw error(file, n.line(), "'" + text + "' is no count from 1");
    }

    /// An error at a line.
    static UserError error(String name, int line, String message) {
        return new UserError(name + ":" + line + ": " + message);
    }
}
