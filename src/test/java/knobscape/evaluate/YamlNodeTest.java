package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import knobscape.evaluate.YamlNode.Items;
import knobscape.evaluate.YamlNode.Keys;
import knobscape.evaluate.YamlNode.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlNodeTest {
    private static Keys keys(String text) {
        return YamlNode.keys("f", YamlNode.parse("f", text, "mapping"));
    }

    private static void fails(String sentence, Runnable work) {
        assertThatThrownBy(work::run).isInstanceOf(UserError.class).hasMessageContaining(sentence);
    }

    @Test
    void everyPieceKnowsItsLineAndScalarsStayText() {
        Keys k = keys("a: off\nb:\n  - 1\n  -\nc: {d: 2}\n");
        assertThat(k.line()).isEqualTo(1);
        assertThat(k.keyLines()).containsEntry("a", 1).containsEntry("b", 2).containsEntry("c", 5);
        assertThat(k.values().get("a")).isEqualTo(new Text("off", 1));
        assertThat(YamlNode.list("f", YamlNode.needed("f", k, "b"))).containsExactly(new Text("1", 3), new Text("", 4));
        assertThat(YamlNode.needed("f", YamlNode.keys("f", YamlNode.needed("f", k, "c")), "d"))
                .isEqualTo(new Text("2", 5));
    }

    @Test
    void whatIsNoYamlOrNotOneDocumentIsSaid() {
        fails("f: the mapping is empty", () -> YamlNode.parse("f", "", "mapping"));
        fails("f:2: a mapping is a single YAML document", () -> YamlNode.parse("f", "a\n--- b\n", "mapping"));
        fails("f:2: this is not YAML: ", () -> YamlNode.parse("f", "a: [1,\nb: ]}", "mapping"));
        fails("f:2: anchors and aliases", () -> YamlNode.parse("f", "a: &x 1\nb: *x\n", "mapping"));
        fails("f:1: anchors and aliases", () -> YamlNode.parse("f", "a: &x {b: 1}\n", "mapping"));
        fails("f:1: anchors and aliases", () -> YamlNode.parse("f", "a: &x [1]\n", "mapping"));
        fails("f:2: 'a' is given twice", () -> keys("a: 1\na: 2\n"));
        assertThat(YamlNode.keys("f", YamlNode.parseLenient("f", "a: 1\na: 2\n", "mapping"))
                        .values())
                .containsEntry("a", new Text("2", 2));
    }

    @Test
    void nestingIsBounded() {
        int most = YamlNode.MOST_LEVELS;
        assertThat(YamlNode.parse("f", "[".repeat(most) + "1" + "]".repeat(most), "mapping"))
                .isInstanceOf(Items.class);
        fails(
                "nest more than " + most + " levels deep here; no mapping needs that",
                () -> YamlNode.parse("f", "[".repeat(most + 1) + "1" + "]".repeat(most + 1), "mapping"));
        fails(
                "levels deep",
                () -> YamlNode.parse("f", "{a: ".repeat(most + 1) + "1" + "}".repeat(most + 1), "mapping"));
    }

    @Test
    void whatIsWantedIsNamedWithWhatIsThere() {
        Keys k = keys("a: ' x '\nb: [1]\nc: {d: 2}\n");
        assertThat(YamlNode.word("f", k.values().get("a"))).isEqualTo("x");
        fails(
                "f:2: a single value is wanted, not a list",
                () -> YamlNode.word("f", k.values().get("b")));
        fails(
                "f:3: a single value is wanted, not a block of keys",
                () -> YamlNode.word("f", k.values().get("c")));
        fails(
                "f:1: a list is wanted, not ' x '",
                () -> YamlNode.list("f", k.values().get("a")));
        fails(
                "f:1: a block of keys is wanted, not ' x '",
                () -> YamlNode.keys("f", k.values().get("a")));
        fails("f:1: 'e' is missing", () -> YamlNode.needed("f", k, "e"));
        assertThat(List.of(new Text("x", 1).what(), new Items(List.of(), 1).what()))
                .containsExactly("'x'", "a list");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1_000, 1000", "999999999999999, 999999999999999"})
    void countsAreFromOne(String text, long count) {
        assertThat(YamlNode.count("f", new Text(text, 1))).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "1.5", "1000000000000000", "x", "''"})
    void othersAreNone(String text) {
        fails("f:7: '" + text + "' is no count from 1", () -> YamlNode.count("f", new Text(text, 7)));
    }
}
