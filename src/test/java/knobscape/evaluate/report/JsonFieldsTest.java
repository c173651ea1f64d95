package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Every value is what it was asked to be, or one sentence says file, key and what it must be.
class JsonFieldsTest {
    @TempDir
    private Path folder;

    private static JsonFields of(String text) {
        return JsonFields.parse("a.json", text);
    }

    private static void refused(String text, Consumer<JsonFields> read, String message) {
        assertThatThrownBy(() -> read.accept(of(text)))
                .isInstanceOf(UserError.class)
                .hasMessage(message);
    }

    @Test
    void valuesAreReadByKind() {
        var f = of("""
                {"t": "x", "n": 2.5, "w": 7, "b": true, "l": ["p", "q"], "m": {"k": "v", "one": 1}, "c": {"lut": 3},
                 "o": {"in": {"deep": 4}}, "os": [{"a": 1}, {"a": 2}], "nothing": null, "kind": "timed-out"}""");
        assertThat(f.text("t")).contains("x");
        assertThat(f.number("n")).contains(2.5);
        assertThat(f.number("w")).contains(7.0);
        assertThat(f.whole("w")).contains(7L);
        assertThat(f.count("w", 1)).isEqualTo(7);
        assertThat(f.flag("b", false)).isTrue();
        assertThat(f.texts("l")).containsExactly("p", "q");
        assertThat(f.map("m")).containsExactly(Map.entry("k", "v"), Map.entry("one", "1"));
        assertThat(f.counts("c")).containsExactly(Map.entry("lut", 3L));
        assertThat(f.object("o").flatMap(o -> o.object("in")).map(JsonFields::prefix))
                .contains("o.in.");
        assertThat(f.objects("os").stream().map(o -> o.whole("a").orElseThrow()))
                .containsExactly(1L, 2L);
        assertThat(f.choice("kind", FailureKind.class)).contains(FailureKind.TIMED_OUT);
        assertThat(f.get("n").map(JsonNode::isNumber)).contains(true);
    }

    @Test
    void whatIsAbsentOrNullIsEmptyOrTheDefault() {
        var f = of("{\"nothing\": null}");
        for (String key : List.of("nothing", "absent")) {
            for (Function<String, Object> read : List.<Function<String, Object>>of(
                    f::get, f::text, f::number, f::whole, f::object, k -> f.choice(k, FailureKind.class))) {
                assertThat(read.apply(key)).isEqualTo(java.util.Optional.empty());
            }
            assertThat(f.texts(key)).isEmpty();
            assertThat(f.map(key)).isEmpty();
            assertThat(f.counts(key)).isEmpty();
            assertThat(f.objects(key)).isEmpty();
            assertThat(f.count(key, 3)).isEqualTo(3);
            assertThat(f.flag(key, true)).isTrue();
            assertThat(f.flag(key, false)).isFalse();
            assertThat(f.objectOrEmpty(key).prefix()).isEqualTo(key + ".");
        }
    }

    static List<Object[]> wrongs() {
        return List.of(
                wrong("1", f -> f.text("k"), "a string"),
                wrong("\"a\\u0000b\"", f -> f.text("k"), "text without NUL and without halves of characters"),
                wrong("\"a\\ud800b\"", f -> f.text("k"), "text without NUL and without halves of characters"),
                wrong("\"a\\udfffb\"", f -> f.text("k"), "text without NUL and without halves of characters"),
                wrong("[\"a\\u0000\"]", f -> f.texts("k"), "text without NUL and without halves of characters"),
                wrong("\"1\"", f -> f.number("k"), "a number"),
                wrong("1e999", f -> f.number("k"), "a number"),
                wrong("1.5", f -> f.whole("k"), "a whole number"),
                wrong("99999999999999999999", f -> f.whole("k"), "a whole number"),
                wrong("-1", f -> f.count("k", 0), "a count"),
                wrong("2147483648", f -> f.count("k", 0), "a count"),
                wrong("\"true\"", f -> f.flag("k", false), "true or false"),
                wrong("\"a\"", f -> f.texts("k"), "a list of strings"),
                wrong("[1]", f -> f.texts("k"), "a list of strings"),
                wrong("[]", f -> f.map("k"), "an object of strings"),
                wrong("{\"a\": []}", f -> f.map("k"), "an object of strings"),
                wrong("1", f -> f.object("k"), "an object"),
                wrong("1", f -> f.objectOrEmpty("k"), "an object"),
                wrong("{}", f -> f.objects("k"), "a list of objects"),
                wrong("[1]", f -> f.objects("k"), "a list of objects"));
    }

    private static Object[] wrong(String value, Consumer<JsonFields> read, String what) {
        return new Object[] {value, read, what};
    }

    @ParameterizedTest
    @MethodSource("wrongs")
    void anotherKindIsNamedWithItsPlace(String value, Consumer<JsonFields> read, String what) {
        refused("{\"k\": " + value + "}", read, "a.json: k must be " + what + ".");
        refused(
                "{\"list\": [{}, {\"k\": " + value + "}]}",
                f -> read.accept(f.objects("list").get(1)),
                "a.json: list[1].k must be " + what + ".");
    }

    @Test
    void countsAndChoicesNameTheirPlace() {
        refused("{\"c\": {\"lut\": 0}}", f -> f.counts("c"), "a.json: c.lut must be a count from 1.");
        refused("{\"c\": {\"lut\": null}}", f -> f.counts("c"), "a.json: c.lut must be a count from 1.");
        assertThatThrownBy(() -> of("{\"k\": \"TIMED-OUT\"}").choice("k", FailureKind.class))
                .hasMessageContaining("k must be one of ")
                .hasMessageContaining("does-not-fit");
        assertThat(of("{\"k\": 0, \"big\": 2147483647}").count("k", 1)).isZero();
        assertThat(of("{\"big\": 2147483647}").count("big", 1)).isEqualTo(Integer.MAX_VALUE);
        assertThat(of("{\"c\": {\"lut\": 1}}").counts("c")).containsEntry("lut", 1L);
    }

    @Test
    void formatAndVersionAreChecked() {
        refused("{}", f -> f.checkFormat("x", 2), "a.json must say \"format\": \"x\".");
        refused(
                "{\"format\": \"x\"}",
                f -> f.checkFormat("x", 2),
                "a.json has no formatVersion; write \"formatVersion\": 1.");
        refused(
                "{\"format\": \"x\", \"formatVersion\": 0}",
                f -> f.checkFormat("x", 2),
                "a.json: formatVersion must be a number from 1.");
        refused(
                "{\"format\": \"x\", \"formatVersion\": 3}",
                f -> f.checkFormat("x", 2),
                "a.json is of format version 3, written by a newer Knobscape; this one reads up to 2.");
        of("{\"format\": \"x\", \"formatVersion\": 1}").checkFormat("x", 2);
        of("{\"format\": \"x\", \"formatVersion\": 2}").checkFormat("x", 2);
    }

    @Test
    void anUnknownKeyIsNamedWithTheNearest() {
        of("{\"colour\": 1}").onlyKnown(List.of("size", "colour"));
        refused(
                "{\"color\": 1}",
                f -> f.onlyKnown(List.of("size", "colour")),
                "a.json: 'color' is not a known key (did you mean 'colour'?); known are colour, size.");
    }

    @Test
    void whatIsNoObjectIsSaidWithItsLine() throws Exception {
        assertThatThrownBy(() -> of("")).hasMessage("a.json is empty.");
        assertThatThrownBy(() -> of("[1]")).hasMessage("a.json must hold one JSON object.");
        assertThatThrownBy(() -> of("{\n\"a\": 1,\n\"a\": 2}"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("a.json:3 is not valid JSON: ");
        assertThatThrownBy(() -> JsonFields.read(folder, 100)).hasMessageEndingWith("is a folder; name a JSON file.");
        assertThatThrownBy(() -> JsonFields.read(folder.resolve("absent"), 100))
                .hasMessageStartingWith("There is no file");
        Path bytes = Files.write(folder.resolve("b"), new byte[] {(byte) 0xff});
        assertThatThrownBy(() -> JsonFields.read(bytes, 100)).hasMessageContaining("no UTF-8 text");
        assertThat(JsonFields.read(Files.writeString(folder.resolve("c"), "{\"a\": 1}"), 100)
                        .whole("a"))
                .contains(1L);
    }
}
