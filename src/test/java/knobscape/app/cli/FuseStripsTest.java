package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.fusion.search.strip.StripNetworks;
import knobscape.network.Network;
import knobscape.network.table.NetworkJson;
import knobscape.project.BoxTools;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `fuse` with strips, its default, and `fuse sweep`, as a person uses them.
class FuseStripsTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder, BoxTools::tools);

    private void run(String words) {
        assertThat(terminal.run(words.split(" "))).as(terminal::err).isZero();
    }

    private JsonNode read(String file) throws IOException {
        return JsonMapper.builder().build().readTree(Files.readString(folder.resolve(file)));
    }

    private void write(String file, Network network) throws IOException {
        Files.writeString(folder.resolve(file), NetworkJson.write(network).toString());
    }

    @Test
    void theDefaultIsExactAndStandsBesideTheBound() throws IOException {
        run("fuse mobilenet_v2 --buffer 256KB --batch 1 --accelerator edge --out o");
        assertThat(terminal.out())
                .contains("mobilenet_v2, 54 layers, batch 1, accelerator edge, buffer 256.00 kB")
                .contains("faster than every layer alone")
                .contains("times the least possible (3.62 MB)")
                .contains("Proven:")
                .contains("A little more: +64.00 kB of buffer");
        JsonNode s = read("o/strategy.json");
        assertThat(s.get("speedup").doubleValue()).isGreaterThan(3.5);
        long off = s.get("offChipBytes").longValue();
        assertThat(off).isGreaterThanOrEqualTo(s.get("lowerBoundOffChipBytes").longValue());
        long sum = 0;
        for (JsonNode g : s.get("groups")) {
            sum += g.get("inputBytes").longValue()
                    + g.get("outputBytes").longValue()
                    + g.get("weightBytes").longValue()
                    + g.get("loadedAgainBytes").longValue();
        }
        assertThat(sum).isEqualTo(off);
        assertThat(folder.resolve("o"))
                .isDirectoryContaining("glob:**/strategy.csv")
                .isDirectoryContaining("glob:**/report.md");
        double end = 0;
        for (JsonNode e : read("o/trace.json").get("traceEvents")) {
            if (e.get("ph").asString().equals("X") && e.get("tid").intValue() == 0) {
                end = Math.max(end, e.get("ts").doubleValue() + e.get("dur").doubleValue());
            }
        }
        assertThat(end * 1e-6).isCloseTo(s.get("latencySeconds").doubleValue(), withPercentage(1e-6));
    }

    @Test
    void whatIsNoExactAnswerIsNotCalledProven() throws IOException {
        run("fuse squeezenet_v1.1 --buffer 256KB --batch 1 --method none --out o");
        assertThat(terminal.out())
                .contains("Every layer alone takes")
                .contains("Nothing is proven of this answer")
                .doesNotContain("Proven:")
                .doesNotContain("gains nothing")
                .doesNotContain("A little more");
        assertThat(read("o/strategy.json").get("proven").booleanValue()).isFalse();
        run("fuse vgg16 --buffer 100KB --batch 1 --accelerator edge --objective room --out r");
        assertThat(terminal.out())
                .contains("x slower than every layer alone with 100.00 kB")
                .doesNotContain("gains nothing");
        run("runs r");
        assertThat(terminal.out()).contains("exact").doesNotContain("/2000");
    }

    @Test
    void theFrontBeginsWithTheFastestAndMovesLessAndLess() throws IOException {
        run("fuse squeezenet_v1.1 --batch 1 --buffer 256KB --pareto --json --out p");
        JsonNode json = terminal.json();
        assertThat(json.get("costModel").asString()).isEqualTo("strips");
        JsonNode front = json.get("front");
        assertThat(front).isNotEmpty();
        assertThat(front.get(0).get("latencySeconds").doubleValue())
                .isCloseTo(json.get("best").get("latencySeconds").doubleValue(), withPercentage(1e-3));
        // Later points move less, or need less room.
        for (int i = 1; i < front.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(front.get(i).get("offChipBytes").longValue()
                                        < front.get(j).get("offChipBytes").longValue()
                                || front.get(i).get("peakBytes").longValue()
                                        < front.get(j).get("peakBytes").longValue())
                        .as(i + " after " + j)
                        .isTrue();
            }
        }
        assertThat(json.has("hypervolume")).isFalse();
        // The stored run has the same front, bound and words.
        String report = Files.readString(folder.resolve("p/report.md"));
        run("fuse --resume p --json");
        assertThat(terminal.json().get("front")).isEqualTo(front);
        assertThat(terminal.json().get("best")).isEqualTo(json.get("best"));
        assertThat(Files.readString(folder.resolve("p/report.md"))).isEqualTo(report);
        run("export p:1 --as json");
        JsonNode designs = terminal.json().get("designs");
        assertThat(designs.size()).isGreaterThanOrEqualTo(front.size());
    }

    @Test
    void ofAnswersThatAreAsFastTheOneThatMovesLeastIsToldWithItsFront() throws IOException {
        write("unet.json", StripNetworks.unet(256, 16, 4, 1, 2));
        run("fuse unet.json --pareto --buffer 1MiB --accelerator edge --out u");
        JsonNode s = read("u/strategy.json");
        assertThat(s.get("groups")).hasSize(1);
        assertThat(s.get("offChipBytes").longValue()).isEqualTo(530_096);
        assertThat(s.get("offChipBytes")).isEqualTo(s.get("lowerBoundOffChipBytes"));
        assertThat(terminal.out())
                .contains("Exact front of time and off-chip traffic")
                .doesNotContain("no faster, ");
    }

    @Test
    void anAttentionFromAFileTakesItsHeadsForSamples() throws IOException {
        write("prefill.json", StripNetworks.attention(32, 32, 2048, 2048, 128));
        run("fuse prefill.json --buffer 1MiB --accelerator edge --objective traffic --out a");
        assertThat(terminal.out()).contains("32 heads").contains("33.55 MB").contains("1.00 times the least possible");
    }

    @Test
    void aTopologyOfProductsIsOfOneSample() throws IOException {
        Files.writeString(folder.resolve("two.csv"), "Layer, M, N, K,\nL0, 128, 128, 128,\nL1, 128, 128, 128,\n");
        run("fuse two.csv --accelerator edge --buffer 16KiB --objective traffic --out g");
        assertThat(terminal.out()).contains("2 layers, batch 1,");
        assertThat(read("g/strategy.json").get("offChipBytes").longValue()).isEqualTo(120_576);
    }

    @Test
    @Tag("slow")
    void aTableOfManyLayersIsReported() throws IOException {
        var rows = new StringBuilder("Layer, M, N, K,\n");
        for (int i = 0; i < 700; i++) {
            rows.append("L").append(i).append(", 512, 64, ").append(1 + i % 7).append(",\n");
        }
        Files.writeString(folder.resolve("many.csv"), rows);
        run("fuse many.csv --accelerator edge --out m");
        assertThat(terminal.out()).contains("700 layers, batch 1,");
    }

    @Test
    void ofAnswersAsFastTheOneThatMovesLeastIsToldAndStored() throws IOException {
        // An array that the products keep busy: fused or not, it takes as long.
        write("prefill.json", StripNetworks.attention(4, 4, 512, 512, 128));
        Files.writeString(folder.resolve("array.json"), """
            {"format": "knobscape-accelerator", "formatVersion": 1, "pes": 256, "macsPerPe": 1, "frequencyGHz": 1,
             "offChipGBps": 100, "onChipGBps": 1000, "buffer": "4MB", "launchCycles": 0}
            """);
        run("fuse prefill.json --accelerator array.json --out e");
        assertThat(terminal.out())
                .contains("As fast as every layer alone")
                .contains("1.00 times the least possible")
                .contains("Fusion saves traffic")
                .doesNotContain("less traffic;");
        assertThat(read("e/strategy.json").get("groups")).hasSize(1);
    }

    @Test
    void decodingSaysThatFusionGainsNothing() throws IOException {
        write("decode.json", StripNetworks.attention(32, 8, 1, 8192, 128));
        run("fuse decode.json --buffer 1MiB --accelerator edge --out d");
        assertThat(terminal.out()).containsPattern("Fusion gains (nothing|little) here: nearly all traffic is K and V");
    }

    @Test
    void theLeastRoomIsABufferThatWorksAndOneByteLessDoesNot() throws IOException {
        run("fuse squeezenet_v1.1 --batch 1 --accelerator edge --buffer 256KB --objective room --out m");
        assertThat(terminal.out())
                .contains("Runs with a buffer of")
                .contains("alone with 256.00 kB (")
                .contains("none runs with a smaller buffer");
        JsonNode s = read("m/strategy.json");
        assertThat(s.get("objective").asString()).isEqualTo("room");
        long room = s.get("peakBytes").longValue();
        run("fuse squeezenet_v1.1 --batch 1 --accelerator edge --buffer " + room + "B --out n");
        assertThat(read("n/strategy.json").get("latencySeconds")).isEqualTo(s.get("latencySeconds"));
        assertThat(terminal.run(
                        ("fuse squeezenet_v1.1 --batch 1 --accelerator edge --out q --buffer " + (room - 1) + "B")
                                .split(" ")))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("(--buffer " + room + "B)");
    }

    @Test
    void aBufferThatIsTooSmallIsSaidWithTheOneThatWouldDo() {
        assertThat(terminal.run("fuse", "vgg16", "--buffer", "4KB", "--batch", "1", "--out", "v"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("fits the buffer of 4.00 kB; the smallest that does is");
        String needed = terminal.err().replaceAll("(?s).*--buffer (\\d+[kKMG]?i?B).*", "$1");
        run("fuse vgg16 --batch 1 --out w --buffer " + needed);
    }

    @Test
    void aSweepMarksItsKnee() {
        run("fuse sweep mobilenet_v2 squeezenet_v1.1 --accelerator edge --batch 1 --json");
        JsonNode curves = terminal.json().get("curves");
        assertThat(curves).hasSize(2);
        assertThat(curves.get(0).get("knee").isNumber()).isTrue();
        double before = Double.POSITIVE_INFINITY;
        for (JsonNode p : curves.get(0).get("points")) {
            assertThat(p.get("latencySeconds").doubleValue()).isLessThanOrEqualTo(before * (1 + 1e-9));
            before = p.get("latencySeconds").doubleValue();
        }
        run("fuse sweep squeezenet_v1.1 --over batch --values 1,2");
        assertThat(terminal.run("fuse", "sweep", "squeezenet_v1.1", "--values", "much"))
                .isEqualTo(2);
    }

    @Test
    void anAnswerIsAStoredRunThatReportsAndIsResumedToTheSameFiles() throws IOException {
        run("fuse squeezenet_v1.1 --batch 1 --buffer 256KB --out r");
        String report = Files.readString(folder.resolve("r/report.md"));
        assertThat(report)
                .startsWith("# Layer fusion of squeezenet_v1.1")
                .contains("A little more:")
                .contains("times the least possible")
                .doesNotContain("ypervolume");
        JsonNode strategy = read("r/strategy.json");
        assertThat(strategy.get("sensitivities").asString()).contains("off-chip bandwidth");
        assertThat(read("r/run.json").get("front")).hasSize(1);
        run("runs r");
        assertThat(terminal.out()).contains("completed");
        run("fuse --resume r");
        assertThat(read("r/strategy.json")).isEqualTo(strategy);
        assertThat(Files.readString(folder.resolve("r/report.md"))).isEqualTo(report);
    }

    @Test
    void searchesBelongToThePapersModel() {
        assertThat(terminal.run("fuse", "resnet18", "--method", "gsampler", "--cost-model", "strips", "--out", "s"))
                .isEqualTo(2);
        assertThat(terminal.run("fuse", "resnet18", "--pareto", "--cost-model", "paper", "--out", "s"))
                .isEqualTo(2);
        run("fuse resnet18 --cost-model paper --method exact --out t");
        assertThat(terminal.out()).contains("Proven: no strategy that fits is faster");
        assertThat(terminal.err()).doesNotContain("hypervolume", "steps");
        run("fuse --accelerator list");
        assertThat(terminal.out()).contains("tpu-v1").contains("ISCA 2017");
    }
}
