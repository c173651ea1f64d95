package knobscape.hls.space;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/// A piece of YAML that knows its line, so that errors can name it. Scalars are kept as text: `off` stays
/// `off`.
sealed interface YamlNode {
    /// Deepest nesting; what directive files say needs five levels.
    int MOST_LEVELS = 20;

    /// 1-based line.
    int line();

    /// What it is, for messages.
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
    static YamlNode parse(String name, String text) {
        try (JsonParser parser = YAMLFactory.builder().build().createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new UserError(name + ": the directive file is empty");
            }
            YamlNode root = read(name, parser, 0);
            if (parser.nextToken() != null) {
                throw error(name, line(parser), "a directive file is a single YAML document");
            }
            return root;
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw new UserError(name + ":" + line + ": this is not YAML: " + firstSentence(e.getOriginalMessage()), e);
        }
    }

    private static YamlNode read(String name, JsonParser parser, int depth) {
        int line = line(parser);
        if (depth > MOST_LEVELS) {
            throw error(
                    name,
                    line,
                    "lists and blocks nest more than " + MOST_LEVELS
                            + " levels deep here; no directive file needs that, check the brackets and the indentation");
        }
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw error(name, line, "anchors and aliases ('&', '*') are not supported here; write the value out");
        }
        return switch (parser.currentToken()) {
            case START_ARRAY -> {
                var items = new ArrayList<YamlNode>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(name, parser, depth + 1));
                }
                yield new Items(items, line);
            }
            case START_OBJECT -> {
                var values = new LinkedHashMap<String, YamlNode>();
                var lines = new LinkedHashMap<String, Integer>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    int keyLine = line(parser);
                    if (lines.put(key, keyLine) != null) {
                        throw error(name, keyLine, "'" + key + "' is given twice");
                    }
                    parser.nextToken();
                    values.put(key, read(name, parser, depth + 1));
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

    static UserError error(String name, int line, String message) {
        return new UserError(name + ":" + line + ": " + message);
    }
}
