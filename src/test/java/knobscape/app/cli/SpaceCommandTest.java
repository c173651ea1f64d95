package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `space` on a real source, with the real parts.
class SpaceCommandTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void makeSource() throws Exception {
        Files.writeString(folder.resolve("k.cpp"), """
                #define N 16
                float table[N];
                static int pick(const int a[N], int n) {
                  int best = 0;
                  for (int i = 0; i < n; i++) {
                    best += a[i];
                  }
                  return best;
                }
                void k(const int a[N], int b[N][2 * N], int n) {
                outer:
                  for (int i = 0; i < N; i++) {
                  inner:
                    for (int j = 0; j < 2 * N; j++) {
                #pragma HLS pipeline II=2
                      b[i][j] = a[i] + pick(a, n);
                    }
                  }
                }
                void unused(int x[N]) { for (int i = 0; i < N; i++) x[i] = 0; }
                """);
    }

    private JsonNode json(String... arguments) {
        assertThat(terminal.run(arguments)).as(terminal.err()).isZero();
        return terminal.json();
    }

    @Test
    void softPruningKeepsWhatHardPruningLeavesOut() {
        var hard = new java.math.BigInteger(json("space", "k.cpp", "--top", "k", "--json")
                .get("size")
                .get("pruned")
                .stringValue());
        JsonNode soft = json("space", "k.cpp", "--top", "k", "--pruning", "soft", "--json");
        assertThat(new java.math.BigInteger(soft.get("size").get("pruned").stringValue()))
                .isGreaterThan(hard);
        assertThat(terminal.run("space", "k.cpp", "--top", "k", "--pruning", "soft"))
                .isZero();
        assertThat(terminal.out()).contains("soft pruning: what the rules below dislike is kept");
    }

    @Test
    void everyLoopHasARowOfTheEstimate() {
        JsonNode rows = json("space", "k.cpp", "--top", "k", "--json").get("estimatedLoops");
        JsonNode inner = rows.valueStream()
                .filter(r -> r.get("loop").stringValue().equals("k/inner"))
                .findFirst()
                .orElseThrow();
        assertThat(inner.get("state").stringValue()).isEqualTo("sequential");
        assertThat(inner.get("limit").stringValue()).startsWith("cannot be pipelined");
        assertThat(inner.get("depth").intValue()).isPositive();
        assertThat(terminal.run("space", "k.cpp", "--top", "k")).isZero();
        assertThat(terminal.out())
                .contains("Loops of the source as it stands, by the built-in estimate:")
                .containsPattern("k/inner +\\d+ +\\d+ +\\d+ +sequential +cannot be pipelined");
    }

    @Test
    void everyDesignOfTheFrontHasRowsOfItsLoops() {
        JsonNode front =
                json("explore", "k.cpp", "--top", "k", "--steps", "4", "--json").get("front");
        assertThat(front)
                .isNotEmpty()
                .allSatisfy(d -> assertThat(d.get("loops"))
                        .anySatisfy(r -> assertThat(r.get("loop").stringValue()).isEqualTo("k/outer")));
    }

    /// Copies are accesses of the loop that they stand in, and the depth of a port is said, not taken for a size.
    @Test
    void copiesAndDepthsAreTold() throws Exception {
        Files.writeString(folder.resolve("c.cpp"), """
                #include <string.h>
                void c(const int *in, int *out) {
                #pragma HLS interface m_axi port=in depth=1024
                  int buf[64];
                  for (int i = 0; i < 16; i++) {
                    memcpy(buf, in + i * 64, sizeof(buf));
                    memcpy(out + i * 64, buf, sizeof(buf));
                  }
                }
                """);
        JsonNode c = json("space", "c.cpp", "--json").get("functions").get(0);
        assertThat(c.get("loops")
                        .get(0)
                        .get("accesses")
                        .valueStream()
                        .map(a -> a.get("array").stringValue() + " "
                                + a.get("kind").stringValue()))
                .containsExactly("c/buf write", "c/in read", "c/out write", "c/buf read");
        JsonNode in = c.get("arrays").get(0);
        assertThat(in.get("dims").get(0).isNull()).isTrue();
        assertThat(in.get("statedDepth").stringValue()).isEqualTo("1024");
        assertThat(c.get("arrays").get(1).has("statedDepth")).isFalse();
        assertThat(terminal.run("space", "c.cpp")).isZero();
        assertThat(terminal.out()).contains("[?] depth 1024 by the pragma in line 3");
    }

    @Test
    void jsonHasTheAgreedShape() {
        JsonNode root = json("space", "k.cpp", "--top", "k", "--json");
        assertThat(root.get("top").stringValue()).isEqualTo("k");
        assertThat(root.get("functions").valueStream().map(f -> f.get("name").stringValue()))
                .containsExactly("pick", "k");
        JsonNode k = root.get("functions").get(1);
        assertThat(k.get("line").intValue()).isEqualTo(10);
        JsonNode outer = k.get("loops").get(0);
        JsonNode inner = k.get("loops").get(1);
        assertThat(outer.get("id").stringValue()).isEqualTo("k/outer");
        assertThat(outer.get("label").stringValue()).isEqualTo("outer");
        assertThat(outer.get("line").intValue()).isEqualTo(12);
        assertThat(outer.get("depth").intValue()).isZero();
        assertThat(outer.get("column").intValue()).isEqualTo(3);
        assertThat(outer.get("file").stringValue()).endsWith("k.cpp");
        assertThat(outer.get("body").stringValue()).isEqualTo("braced");
        assertThat(outer.get("pragmas")).isEmpty();
        assertThat(inner.get("pragmas").valueStream().map(JsonNode::stringValue))
                .containsExactly("HLS pipeline II=2");
        JsonNode access = inner.get("accesses").get(0);
        assertThat(access.get("forms").get(0).get("coefficients").get("k/outer").intValue())
                .isEqualTo(1);
        assertThat(access.get("forms").get(0).get("constant").intValue()).isZero();
        assertThat(root.get("notReached").valueStream().map(JsonNode::stringValue))
                .containsExactly("unused");
        assertThat(root.get("warnings").valueStream().map(JsonNode::stringValue))
                .anyMatch(w -> w.contains("1 function is not reached from 'k': unused"));
        assertThat(outer.get("parent").isNull()).isTrue();
        assertThat(inner.get("parent").stringValue()).isEqualTo("k/outer");
        assertThat(inner.get("trip").get("min").intValue()).isEqualTo(32);
        assertThat(inner.get("trip").get("max").intValue()).isEqualTo(32);
        assertThat(inner.get("trip").get("exact").booleanValue()).isTrue();
        assertThat(root.get("functions")
                        .get(0)
                        .get("loops")
                        .get(0)
                        .get("trip")
                        .path("exact")
                        .asBoolean(false))
                .as("its trip count is not known exactly")
                .isFalse();
        JsonNode b = k.get("arrays").get(1);
        assertThat(b.get("name").stringValue()).isEqualTo("b");
        assertThat(b.get("dims").valueStream().map(JsonNode::intValue)).containsExactly(16, 32);
        assertThat(b.get("type").stringValue()).isEqualTo("int");
        assertThat(b.get("bits").intValue()).isEqualTo(32);
        assertThat(root.get("knobs").valueStream().map(n -> n.get("name").stringValue()))
                .contains("unroll@k/inner", "pipeline@pick/L5");
        BigInteger full = new BigInteger(root.get("size").get("full").stringValue());
        BigInteger pruned = new BigInteger(root.get("size").get("pruned").stringValue());
        assertThat(pruned).isPositive().isLessThan(full);
        assertThat(root.get("warnings").valueStream().map(JsonNode::stringValue))
                .as("what the estimate assumes is said")
                .anyMatch(w -> w.startsWith("built-in estimate: ") && w.contains("pick/L5"));
    }

    @Test
    void aPersonSeesTheSame() {
        assertThat(terminal.run("space", "k.cpp", "--top", "k")).isZero();
        assertThat(terminal.err()).contains("1 function is not reached from 'k': unused");
        assertThat(terminal.out())
                .contains("Top function k in ")
                .contains("Function pick")
                .contains("k/outer")
                .contains("  k/inner")
                .contains("[16][32]")
                .contains("b written")
                .contains("unroll@k/inner")
                .contains("before pruning");
    }

    @Test
    void theDirectiveFileWrittenGivesTheSameSpace() throws Exception {
        JsonNode before = json("space", "k.cpp", "--json");
        assertThat(terminal.run("space", "k.cpp", "--write-directives", "all.yaml"))
                .isZero();
        assertThat(terminal.out()).as("the file stands in its place").contains("Space: ");
        JsonNode after = json("space", "k.cpp", "--json", "--directives", "all.yaml");
        assertThat(after.get("knobs")).isEqualTo(before.get("knobs"));
        assertThat(after.get("size")).isEqualTo(before.get("size"));
        assertThat(terminal.run("space", "k.cpp", "--write-directives")).isZero();
        assertThat(terminal.out()).isEqualTo(Files.readString(folder.resolve("all.yaml")));
    }

    @Test
    void aDirectiveFileNarrowsTheSpaceAndNamesTopPartAndClock() throws Exception {
        Files.writeString(
                folder.resolve("few.yaml"),
                "version: 1\ntop: pick\npart: xc7z020-1\nclock: 5\nknobs:\n  - {kind: unroll, at: pick/L5, factors: [1, 2]}\n");
        JsonNode root = json("space", "k.cpp", "--directives", "few.yaml", "--json");
        assertThat(root.get("top").stringValue()).isEqualTo("pick");
        assertThat(root.get("size").get("full").stringValue()).isEqualTo("2");
        assertThat(json("space", "k.cpp", "--directives", "few.yaml", "--top", "pick", "--json", "--out", "there")
                        .get("top")
                        .stringValue())
                .isEqualTo("pick");
        assertThat(folder.resolve("there").resolve("space.json")).exists();
    }
}
