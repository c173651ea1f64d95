package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a loop's limit reads from arrays.
class LoopLimitTest {
    @TempDir
    private Path folder;

    private static List<String> own(BodyFacts body) {
        return body.accesses().stream()
                .map(a -> a.kind() + " " + a.array().substring(4) + " in "
                        + a.loop().replace("top/", ""))
                .sorted()
                .toList();
    }

    private Loop loop(String body) {
        Kernel k =
                new Snippets(folder).top("k.cpp", "void top(int row[65], int v[256], int o[64]) {" + body + "}", "top");
        return Snippets.loop(k, "I");
    }

    /// Once for each entry.
    @Test
    void aSparseRowReadsBothItsEndsInTheLoopAround() {
        Loop i = loop("I: for (int i = 0; i < 64; i++) { int s = 0;"
                + " J: for (int j = row[i]; j < row[i + 1]; j++) s += v[j]; o[i] = s; }");
        assertThat(own(i.body())).containsExactly("READ row in I", "READ row in I", "WRITE o in I");
        assertThat(own(i.body().loops().getFirst().body())).containsExactly("READ v in J");
    }

    /// In every iteration.
    @Test
    void aLimitThatTheBodyChangesIsReadEachTime() {
        Loop i = loop("I: for (int i = 0; i < row[3]; i++) row[i] = v[i];");
        assertThat(own(i.body())).containsExactly("READ row in I", "READ v in I", "WRITE row in I");
    }

    @Test
    void aLimitAtTheCounterIsReadEachTime() {
        assertThat(own(loop("int i = 0; I: do { i++; } while (i < row[i]);").body()))
                .containsExactly("READ row in I");
    }
}
