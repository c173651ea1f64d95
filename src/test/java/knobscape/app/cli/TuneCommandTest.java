package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TuneCommandTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @Test
    void aBudgetCanBeRaised() throws IOException {
        assertThat(terminal.run(
                        "tune", "zoo:alexnet", "--method", "random", "--trials", "100", "--json", "--out", "runs"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.run("tune", "--resume", "runs", "--trials", "450", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.err()).contains("resumed after 100");
        JsonNode json = terminal.json();
        assertThat(json.get("evaluations").intValue()).isEqualTo(450);
        JsonNode best = json.get("front").get(1);
        assertThat(best.get("knobs").get("tile_f").stringValue()).matches("\\d+x\\d+x\\d+x\\d+");
        assertThat(best.get("objectives").get("gflops").doubleValue()).isPositive();
        assertThat(json.get("source").stringValue()).isEqualTo("model");
        assertThat(json.get("latencyMs").doubleValue()).isPositive();
        List<String> log = Files.readAllLines(folder.resolve("runs/log.jsonl"));
        assertThat(log).hasSize(450);
        assertThat(JsonMapper.builder().build().readTree(log.getFirst()).has("status"))
                .isTrue();
    }

    /// A run whose time is over before every kernel had a turn says so, not that more trials were needed; what a model
    /// says is marked.
    @Test
    void whoRunsOutOfTimeIsTold() {
        assertThat(terminal.run("tune", "zoo:alexnet", "--method", "random", "--minutes", "0.00001", "--out", "short"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.err()).contains("Ended: the time is over.");
        assertThat(terminal.out())
                .contains("the time was over; continue with --resume and more --minutes.")
                .doesNotContain("--trials");

        assertThat(terminal.run("tune", "zoo:alexnet", "--method", "random", "--trials", "3", "--out", "few"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out())
                .contains(
                        "takes --trials 8 or more", "GFLOPS (model)", "ms (model)", " at the best rate so far (model)");
        assertThat(terminal.err()).contains("at the best rate so far (model)");
    }

    @Test
    void aLogIsKnownBeforeTheSearchBegins() throws IOException {
        assertThat(terminal.run(
                        "tune", "zoo:alexnet", "--method", "random", "--trials", "40", "--json", "--out", "first"))
                .as(terminal::err)
                .isZero();
        double latency = terminal.json().get("latencyMs").doubleValue();
        assertThat(terminal.run("export", "first", "--as", "autotvm", "--out", "."))
                .as(terminal::err)
                .isZero();
        String log = Files.readString(folder.resolve("autotvm.json"));
        String foreign = log.lines().findFirst().orElseThrow().replace("[1,3,224,224]", "[2,3,224,224]");
        Files.writeString(folder.resolve("mixed.json"), log + foreign + "\n" + foreign + "\n{\"input\": [\n");

        assertThat(terminal.run(
                        "tune",
                        "zoo:alexnet",
                        "--method",
                        "random",
                        "--seed",
                        "2",
                        "--trials",
                        "20",
                        "--import",
                        "mixed.json",
                        "--json",
                        "--out",
                        "second"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.err())
                .contains(
                        "Known before: 40 records of mixed.json. 2 records are of other work or other templates, 1 line is left out (mixed.json:43 is not JSON).");
        assertThat(terminal.json().get("known").intValue()).isEqualTo(40);
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(20);
        assertThat(terminal.json().get("latencyMs").doubleValue()).isLessThanOrEqualTo(latency);

        assertThat(terminal.run("tune", "--resume", "second", "--trials", "30", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.err()).contains("resumed after 20");
        assertThat(terminal.json().get("known").intValue()).isEqualTo(40);
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(30);
        List<String> measured = Files.readAllLines(folder.resolve("second/log.jsonl"));
        assertThat(measured).hasSize(70);
        assertThat(measured.stream()
                        .map(l -> JsonMapper.builder().build().readTree(l))
                        .map(n -> n.get("kernel") + " " + n.get("knobs")))
                .doesNotHaveDuplicates();
        assertThat(terminal.run("runs", "second")).isZero();
        assertThat(terminal.out()).containsPattern("completed +30 +all 30");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "absent.json   | There is no file '",
                "sub           | is a folder",
                "binary.json   | binary.json' is no AutoTVM log: it is not UTF-8 text",
                "empty.json    | empty.json' holds no record of AutoTVM",
                "prose.json    | prose.json' holds no record of AutoTVM that can be used: line 1 is not JSON",
                "foreign.json  | foreign.json' has 1 record, but none is of a kernel of 'alexnet'"
            })
    void aLogThatCannotBeUsedIsOneSentenceAndNoRun(String log, String words) throws IOException {
        Files.createDirectory(folder.resolve("sub"));
        Files.write(folder.resolve("binary.json"), new byte[] {(byte) 0xC3, 1, 2, (byte) 0xFF});
        Files.writeString(folder.resolve("empty.json"), "");
        Files.writeString(folder.resolve("prose.json"), "This is a note.\n");
        Files.writeString(
                folder.resolve("foreign.json"),
                "{\"input\":[\"cuda\",\"dense_small_batch.cuda\",[[\"TENSOR\",[1,64],\"float32\"],[\"TENSOR\",[32,64],\"float32\"],null,\"float32\"],{}],"
                        + "\"config\":{\"entity\":[[\"tile_k\",\"sp\",[-1,8]]]},\"result\":[[0.001],0,1,0]}\n");
        assertThat(terminal.run("tune", "zoo:alexnet", "--trials", "8", "--import", log, "--out", "o"))
                .isEqualTo(1);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err().strip().lines()).hasSize(1);
        assertThat(terminal.err()).contains(words).doesNotContain("Exception");
        assertThat(folder.resolve("o")).doesNotExist();
        assertThat(terminal.run("tune", "--resume", "o", "--import", "empty.json"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("a run is resumed as it began");
    }

    @Test
    void aMeasuredSetIsItsOwnTask() throws IOException {
        var text = new StringBuilder("a,b,status,time_ms\n");
        for (int i = 0; i < 100; i++) {
            text.append(i / 10)
                    .append(',')
                    .append(i % 10)
                    .append(i == 55 ? ",run_failed,\n" : ",ok," + (1 + Math.abs(i - 42)) + "\n");
        }
        Files.writeString(folder.resolve("set.csv"), text);
        assertThat(terminal.run("tune", "--device", "replay:set.csv", "--method", "random", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json()
                        .get("front")
                        .get(0)
                        .get("objectives")
                        .get("time")
                        .doubleValue())
                .isEqualTo(1);
        assertThat(terminal.json().get("front").get(0).get("knobs").get("a").stringValue())
                .isEqualTo("4");
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(100);
    }

    @Test
    void aProjectIsTunedResumedListedAndMoved() throws IOException {
        Path project = Files.createDirectories(folder.resolve("mine"));
        Files.writeString(
                project.resolve("net.csv"),
                "layer,name,type,K,C,Y,X,R,S,stride,pad,Yo,Xo,pool,Yp,Xp,skip_from,skip_proj\n1,a,CONV,16,3,16,16,3,3,1,1,16,16,none,16,16,,0\n"
                        + "2,b,CONV,16,16,16,16,1,1,1,0,16,16,none,16,16,,0\n");
        Files.writeString(
                project.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"kind\": \"gpu\", \"source\": \"net.csv\", \"device\": \"model:t4\", \"run\": {\"method\": \"random\", \"trials\": 20, \"seed\": 7}}");
        assertThat(terminal.run("tune", "mine", "--json")).as(terminal::err).isZero();
        assertThat(terminal.json().get("seed").intValue()).isEqualTo(7);
        assertThat(terminal.json().get("device").stringValue()).isEqualTo("model:t4");
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(20);
        assertThat(project.resolve("tuning.json")).isRegularFile();

        Path moved = folder.resolve("moved");
        Files.move(project, moved);
        assertThat(terminal.run("tune", "--resume", "moved", "--trials", "30", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(30);
        terminal.run("tune", "moved/knobscape.json", "--method", "grid", "--trials", "4", "--out", "apart", "--json");
        assertThat(terminal.json().get("method").stringValue()).isEqualTo("grid");
        assertThat(terminal.run("tune", "--resume", "apart", "--trials", "6", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(6);
        assertThat(terminal.run("runs", "moved")).as(terminal::err).isZero();
        assertThat(terminal.out()).contains("random", "model:t4", "30");
        assertThat(terminal.run("fuse", "moved")).isNotZero();
        assertThat(terminal.err()).contains("knobscape tune");
        assertThat(terminal.run("explore", "moved")).isNotZero();
        assertThat(terminal.err()).contains("knobscape tune");
        assertThat(terminal.run("tune", ".")).isNotZero();
        assertThat(terminal.err()).contains("without knobscape.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"source\": \"zoo:alexnet\", \"devise\": \"cuda\"         | is not a known key",
                "\"device\": \"model:t4\"                                  | names no source",
                "\"source\": \"zoo:alexnet\", \"batch\": 0                | batch must be a whole number from 1",
                "\"source\": \"zoo:alexnet\", \"templates\": \"some\"       | templates must be first, all, sketches or tensor-cores",
                "\"source\": \"zoo:alexnet\", \"fused\": \"yes\"            | fused must be true or false",
                "\"source\": \"zoo:alexnet\", \"run\": {\"features\": \"x\"} | run.features must be knob, itervar or curve",
                "\"source\": \"zoo:alexnet\", \"run\": {\"minutes\": -1}    | run.minutes must be a number from 0",
                "\"source\": \"gone.onnx\"                                  | gone.onnx"
            })
    void badProjectsAreOneSentence(String fields, String words) throws IOException {
        Files.writeString(
                folder.resolve("knobscape.json"), "{\"formatVersion\": 1, \"kind\": \"gpu\", " + fields + "}");
        assertThat(terminal.run("tune", ".")).isNotZero();
        assertThat(terminal.err().strip().lines()).hasSize(1);
        assertThat(terminal.err()).contains(words).doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tune zoo:alexnet --device model:gtx9        | 1 | no model of a GPU called 'gtx9'",
                "tune zoo:alexnet --device abacus            | 2 | There is no device 'abacus'",
                "tune zoo:nope                               | 1 | no built-in network 'nope'",
                "tune absent.onnx                            | 1 | absent.onnx",
                "tune cut.onnx                               | 1 | cut.onnx",
                "tune nothing.csv                            | 1 | nothing",
                "tune --device replay:absent.csv             | 1 | absent.csv does not exist",
                "tune --resume .                             | 1 | without knobscape.json",
                "tune zoo:alexnet --method bao               | 2 | There is no method 'bao'",
                "tune zoo:alexnet --trials -3                | 2 | --trials must be a whole number from 0",
                "tune zoo:alexnet --features colour          | 2 | eatures must be knob, itervar or curve, not 'colour'",
                "tune                                        | 2 | Name a network"
            })
    void badInputIsOneSentence(String line, int code, String words) throws IOException {
        Files.write(folder.resolve("cut.onnx"), new byte[] {8, 7, 58, (byte) 0xFF, 1, 2});
        Files.writeString(folder.resolve("nothing.csv"), "name,type\nrelu,relu\n");
        assertThat(terminal.run(line.strip().split(" +"))).as(terminal::err).isEqualTo(code);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err().strip().lines()).hasSize(1);
        assertThat(terminal.err()).contains(words).doesNotContain("Exception");
    }
}
