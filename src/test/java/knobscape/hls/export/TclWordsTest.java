package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TclWordsTest {

    @Test
    void plainNamesStayReadable() {
        assertThat(TclWords.bare("m1")).isEqualTo("m1");
        assertThat(TclWords.quoted("gemm/dot")).isEqualTo("\"gemm/dot\"");
    }

    /// A word that begins like an option is set apart from the options around it.
    @Test
    void aLeadingDashIsBraced() {
        assertThat(TclWords.bare("-factor")).isEqualTo("{-factor}");
        assertThat(TclWords.quoted("-factor")).isEqualTo("{-factor}");
        assertThat(TclWords.bare("a-b")).isEqualTo("a-b");
    }

    /// Tcl itself reads every word as the text it stands for.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tclReadsBackWhatWasMeant(long seed) {
        var random = new Random(seed);
        String alphabet = "ab/ {}[]$\\\"';#-\n\t<>&|";
        var texts = new java.util.ArrayList<>(
                List.of("", "a b", "$x", "[exit 3]", "a}b", "{", "\\", "a\\", "-factor", "#c", "a;b", "\"", "x$"));
        for (int i = 0; i < 200; i++) {
            var b = new StringBuilder();
            for (int k = random.nextInt(8); k >= 0; k--) {
                b.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            texts.add(b.toString());
        }
        var script = new StringBuilder();
        for (String t : texts) {
            script.append("puts [binary encode hex [encoding convertto utf-8 ")
                    .append(TclWords.quoted(t))
                    .append("]]\n");
            script.append("puts [binary encode hex [encoding convertto utf-8 ")
                    .append(TclWords.bare(t))
                    .append("]]\n");
        }
        List<String> printed = Tclsh.run(script.toString()).lines().toList();
        assertThat(printed).hasSize(2 * texts.size());
        for (int i = 0; i < texts.size(); i++) {
            String hex =
                    java.util.HexFormat.of().formatHex(texts.get(i).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThat(printed.get(2 * i)).isEqualTo(hex);
            assertThat(printed.get(2 * i + 1)).isEqualTo(hex);
        }
    }

    @Test
    void commandsAreReadAsTclReadsThem() {
        assertThat(TclWords.commands("a b;c  d\n# no } { \\\nstill no\n\n e \\\n  f \\\r\n g;;\n"))
                .containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e", "f", "g"));
        assertThat(TclWords.commands("set x {a {b} $c \\n}\nputs \"a b\\t\\$\\n\\r\\\"\" c#d\\ e"))
                .containsExactly(List.of("set", "x", "a {b} $c \\n"), List.of("puts", "a b\t$\n\r\"", "c#d e"));
        assertThat(TclWords.commands("")).isEmpty();
        assertThat(TclWords.commands("# only this")).isEmpty();
        assertThat(TclWords.commands("a {b {c}")).containsExactly(List.of("a", "b {c}"));
        assertThat(TclWords.commands("a \"b c")).containsExactly(List.of("a", "b c"));
        assertThat(TclWords.commands("a \\")).containsExactly(List.of("a", "\\"));
        assertThat(TclWords.commands("a \\\nb")).containsExactly(List.of("a", "b"));
        assertThat(TclWords.commands("a b\\")).containsExactly(List.of("a", "b\\"));
    }

    /// What is written is read back.
    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void wordsWrittenAreReadBack(long seed) {
        var random = new Random(seed);
        String alphabet = "ab/ {}[]$\\\"';#-\n\t<>&|";
        for (int i = 0; i < 200; i++) {
            var words = new java.util.ArrayList<String>(List.of("set"));
            var script = new StringBuilder("set");
            for (int w = random.nextInt(4); w >= 0; w--) {
                String word = random.ints(random.nextInt(8), 0, alphabet.length())
                        .collect(StringBuilder::new, (b, k) -> b.append(alphabet.charAt(k)), StringBuilder::append)
                        .toString();
                words.add(word);
                script.append(' ').append(random.nextBoolean() ? TclWords.bare(word) : TclWords.quoted(word));
            }
            assertThat(TclWords.commands(script.toString())).containsExactly(words);
        }
    }
}
