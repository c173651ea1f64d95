package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import knobscape.space.Sha256;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Real processes of every verb that writes, killed at any moment, again and again: resumed (or started again) they
/// end with the folder of an undisturbed one, and leave nothing behind.
///
/// `-Dknobscape.kills=N` kills in all (default 100), `-Dknobscape.kills.seed=N`, `-Dknobscape.kills.minutes=N` for a
/// process at most (default 5).
class KillHarnessTest {
    private static final int KILLS = Integer.getInteger("knobscape.kills", 100);
    private static final Duration PATIENCE = Duration.ofMinutes(Integer.getInteger("knobscape.kills.minutes", 5));

    private static final System.Logger LOG = System.getLogger(KillHarnessTest.class.getName());

    @TempDir
    private Path folder;

    private static final String DONE = "explore product.cpp --method random --steps 2 --init 2 --out .";
    private static final String TOLD =
            "explore product.cpp --method random --toolchain told --steps 20 --init 8 --out .";

    /// Verbs of which no kill can leave anything, and why.
    private static final Map<String, String> WRITE_NOTHING = Map.of(
            "gui", "its runs are those of explore, tune and fuse, in the same loop and store",
            "report", "it reads only",
            "advise", "it reads only",
            "why", "it reads only",
            "what-if", "it reads only",
            "doctor", "it reads only",
            "mcp", "what an agent starts is a process of explore, tune, fuse or study",
            "background", "it lists and stops processes; their runs are those of explore, tune and fuse");

    /// A verb that writes.
    private enum Writing {
        /// A run beside its source, with its results elsewhere.
        EXPLORE("explore product.cpp --method random --steps 30 --early-stop 0 --wait 1e-5 --out results"),
        TUNE("tune zoo:alexnet --device model:t4 --method ga --trials 600 --early-stop 0 --out ."),
        FUSE("fuse zoo:vgg16 --method gsampler --evaluations 12000 --out ."),
        STUDY("study s.study.yaml --method random --trials 12 --init 2 --out ."),
        ASK("ask . --out designs", "ask . --pending --out designs", TOLD),
        TELL("tell . --from answers.json", "tell . --from answers.json", TOLD, "ask . --count 8"),
        RENAME("runs . --rename 1=best", "runs . --rename 1=best", DONE),
        DELETE("runs . --delete 1", "runs . --delete 1", DONE),
        EXPORT("export . --as pragma --design 1 --out it", "export . --as pragma --design 1 --out it", DONE),
        SPACE("space product.cpp --write-directives d.yaml --out ."),
        CALIBRATE("calibrate product.cpp --designs measured.csv"),
        HISTORY("history --import log.json --history h.db"),
        HISTORY_EXPORT(
                "history --export db --history h.db --out copy.db",
                "history --export db --history h.db --out copy.db",
                "history --import log.json --history h.db"),
        FUSION_TRAIN("fusion-train alexnet --model m.seq --steps 600 --lessons 8 --batch 64"),
        GTUNER_TRAIN("gtuner-train n.json --weights w.gat --trials 8 --population 8 --epochs 2");

        private final String words;
        private final String again;
        private final List<String> before;

        Writing(String words) {
            this(words, words);
        }

        /// @param again what is typed after a kill; of runs, once they are stored, it is `--resume`
        /// @param before what makes the folder that the verb writes to
        Writing(String words, String again, String... before) {
            this.words = words;
            this.again = again;
            this.before = List.of(before);
        }

        private boolean isRun() {
            return ordinal() <= STUDY.ordinal();
        }

        private String verb() {
            return words.substring(0, words.indexOf(' '));
        }

        /// What a finished one answers when it is asked again.
        private String nothingLeft() {
            return switch (this) {
                case FUSION_TRAIN, GTUNER_TRAIN -> "already holds a finished model";
                case DELETE -> "There is no run 1";
                case HISTORY_EXPORT -> "exists already";
                default -> "\0";
            };
        }
    }

    private static final String KERNEL = """
            void product(int a[8][8], int b[8][8], int c[8][8]) {
              for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) {
                  int sum = 0;
                  for (int k = 0; k < 8; k++) sum += a[i][k] * b[k][j];
                  c[i][j] = sum;
                }
            }
            """;

    private Process start(String words, String out) throws IOException {
        return new ProcessBuilder(Terminal.program(words.split(" ")))
                .directory(folder.resolve(out).toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    /// Runs a command line to its end; gives how long that took in nanoseconds.
    private long finish(Writing verb, String words, String out) throws Exception {
        long begun = System.nanoTime();
        Process p = start(words, out);
        boolean ended = p.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        p.destroyForcibly();
        assertThat(ended).as(words + " ends within " + PATIENCE).isTrue();
        mustBeDone(verb, p);
        return System.nanoTime() - begun;
    }

    private void mustBeDone(Writing verb, Process p) throws IOException {
        String said = Files.readString(folder.resolve("said"));
        if (!said.contains(verb.nothingLeft())) {
            assertThat(p.exitValue()).as(said).isZero();
        }
    }

    /// What continues a killed process.
    private String next(Writing verb, String out) throws IOException {
        List<RunResults> stored = runs(out);
        if (verb.isRun()) {
            return stored.isEmpty()
                    ? verb.words
                    : verb.verb() + " --resume " + store(out).getParent() + ":1";
        }
        // A design that was handed out is not handed out again.
        return verb == Writing.ASK && stored.getFirst().designs().isEmpty() ? verb.words : verb.again;
    }

    private Path store(String out) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(out))) {
            return files.filter(f -> f.endsWith(RunStore.FILE_NAME))
                    .findFirst()
                    .orElse(folder.resolve(out).resolve(RunStore.FILE_NAME));
        }
    }

    private List<RunResults> runs(String out) throws IOException {
        Path store = store(out);
        if (!Files.exists(store)) {
            return List.of();
        }
        try (Project p = Project.open(store.getParent())) {
            return p.runs().stream()
                    .flatMap(s -> s.list().stream().map(r -> s.results(r.id())))
                    .toList();
        } catch (UserError e) {
            // Killed while the store was being made.
            return List.of();
        }
    }

    /// Every file of a folder, without what differs between any two runs: times, and the folder's own name.
    private Map<String, String> content(String out) throws IOException {
        var all = new TreeMap<String, String>();
        try (Stream<Path> files = Files.walk(folder.resolve(out))) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                String name = folder.resolve(out).relativize(f).toString();
                // A study's program leaves the times it took.
                if (!name.matches(".*(-wal|-shm|\\.lock|\\.owner)|tools/.*")) {
                    all.put(name, content(out, f, name));
                }
            }
        }
        return all;
    }

    private String content(String out, Path file, String name) throws IOException {
        if (file.endsWith(RunStore.FILE_NAME)) {
            return runs(out).stream().map(KillHarnessTest::text).collect(Collectors.joining("\n"));
        }
        if (name.endsWith(".db")) {
            try (TuningHistory h = TuningHistory.existing(file)) {
                return h.tasks().stream()
                        .map(t -> t.task() + " " + h.rows(t.id(), Long.MAX_VALUE))
                        .collect(Collectors.joining("\n"));
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.UTF_8).replace(out, "OUT");
        if (name.endsWith(".jsonl")) {
            // After the line at whose writing a process was killed another follows.
            return text.lines().filter(KillHarnessTest::isJson).collect(Collectors.joining("\n"));
        }
        if (name.endsWith(".json") && isJson(text) && JsonMapper.shared().readTree(text) instanceof ObjectNode o) {
            return o.remove(List.of("algorithmSeconds", "command", "hours", "reason", "files"))
                    .toString();
        }
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            // A report says how long it took and what repeats it, as its JSON does.
            case "md" -> text.replaceAll("(?m)^(\\| Algorithm time |knobscape ).*$", "");
            case "csv", "cpp", "tcl", "yaml", "txt" -> text;
            default -> Sha256.of(bytes);
        };
    }

    /// The first lines that differ of each file.
    private static List<String> differences(Map<String, String> a, Map<String, String> b) {
        return Stream.concat(a.keySet().stream(), b.keySet().stream())
                .distinct()
                .filter(name -> !a.getOrDefault(name, "none").equals(b.getOrDefault(name, "none")))
                .map(name -> {
                    List<String> whole = a.getOrDefault(name, "none").lines().toList();
                    List<String> killed = b.getOrDefault(name, "none").lines().toList();
                    int i = 0;
                    while (i < whole.size() && i < killed.size() && whole.get(i).equals(killed.get(i))) {
                        i++;
                    }
                    return name + ":\n" + (i < whole.size() ? whole.get(i) : "") + "\n"
                            + (i < killed.size() ? killed.get(i) : "");
                })
                .toList();
    }

    private static boolean isJson(String text) {
        try {
            JsonNode node = JsonMapper.shared().readTree(text);
            return node.isContainer();
        } catch (JacksonException e) {
            return false;
        }
    }

    private static String text(RunResults r) {
        RunRecord run = r.run();
        return String.join(
                " ",
                "" + run.id(),
                run.name(),
                run.settings().toString(),
                run.status().toString(),
                "" + run.step(),
                "" + r.damaged(),
                r.designs().stream()
                        .map(d -> d.number() + " " + d.configuration() + " " + d.evaluations() + " " + d.step())
                        .collect(Collectors.joining("\n")),
                r.trace().stream().map(t -> "" + t.hypervolume()).collect(Collectors.joining(" ")));
    }

    /// The folder that a verb begins with.
    private void template(Writing verb) throws Exception {
        Path at = Files.createDirectories(folder.resolve("T"));
        switch (verb) {
            case CALIBRATE ->
                Files.writeString(
                        at.resolve("measured.csv"),
                        "unroll@product/loop_6,lut,ff\n1,900,700\n2,1800,1400\n4,3600,2800\n8,7200,5600\n");
            case HISTORY, HISTORY_EXPORT -> {
                finish(verb, "tune zoo:alexnet --device model:t4 --method random --trials 400 --out ../log", "T");
                finish(verb, "export ../log:1 --as autotvm --out ../log", "T");
                Files.copy(folder.resolve("log/autotvm.json"), at.resolve("log.json"));
            }
            case STUDY -> Files.writeString(at.resolve("s.study.yaml"), """
                        study: 1
                        parameters: {n: {from: 1, to: 40}, m: [1, 2, 3]}
                        objectives: {time: minimise}
                        measure: {command: [echo, '{"values": {"time": {n}}, "seconds": 2}']}
                        """);
            case TELL -> Files.writeString(at.resolve("answers.json"), answers());
            case GTUNER_TRAIN -> {
                try (InputStream in = KillHarnessTest.class.getResourceAsStream("/knobscape/gpu/tuning/small.json")) {
                    Files.write(at.resolve("n.json"), Objects.requireNonNull(in).readAllBytes());
                }
            }
            default -> {}
        }
        if (verb.words.contains("product.cpp") || !verb.before.isEmpty()) {
            Files.writeString(at.resolve("product.cpp"), KERNEL);
        }
        for (String words : verb.before) {
            finish(verb, words, "T");
        }
    }

    private static String answers() {
        return IntStream.rangeClosed(1, 8)
                .boxed()
                .flatMap(design -> Stream.of("hls", "syn", "impl")
                        .map(stage -> "{\"design\": " + design + ", \"stage\": \"" + stage
                                + "\", \"values\": {\"delay\": " + (900 - design) + ", \"lut\": " + (100 + design)
                                + ", \"power\": 1}}"))
                .collect(Collectors.joining(",", "{\"designs\": [", "]}"));
    }

    private void copy(String to) throws IOException {
        Path template = folder.resolve("T");
        try (Stream<Path> all = Files.walk(template)) {
            for (Path f : all.toList()) {
                Files.copy(f, folder.resolve(to).resolve(template.relativize(f).toString()));
            }
        }
    }

    private void delete(String out) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve(out))) {
            for (Path f : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(f);
            }
        }
    }

    @Test
    void everyVerbIsKilledOrWritesNothing() {
        Set<String> here = new TreeSet<>(WRITE_NOTHING.keySet());
        Stream.of(Writing.values()).map(Writing::verb).forEach(here::add);
        assertThat(here).isEqualTo(Main.commandLine().getSubcommands().keySet());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("kill")
    void killedAgainAndAgainItEndsAsIfUndisturbed(Writing verb) throws Exception {
        var random = new Random(Long.getLong("knobscape.kills.seed", 1) + verb.ordinal());
        template(verb);
        copy("whole0");
        long whole = finish(verb, verb.words, "whole0");
        Map<String, String> undisturbed = content("whole0");
        assertThat(undisturbed).isNotEmpty();
        int kills = (KILLS + Writing.values().length - 1) / Writing.values().length;
        int done = 0;
        for (int round = 0; done < kills; round++) {
            String out = "round" + round;
            copy(out);
            String words = verb.words;
            boolean ended = false;
            // A few kills of one run, then it may end.
            for (int i = 1 + random.nextInt(5); i > 0 && done < kills && !ended; i--) {
                Process p = start(words, out);
                ended = p.waitFor((long) (whole * random.nextDouble()), TimeUnit.NANOSECONDS);
                if (ended) {
                    mustBeDone(verb, p);
                } else {
                    p.destroyForcibly().waitFor();
                    done++;
                    assertThat(runs(out)).noneMatch(r -> r.run().status() == RunStatus.RUNNING);
                    words = next(verb, out);
                }
            }
            if (!ended) {
                finish(verb, words, out);
            }
            assertThat(differences(undisturbed, content(out)))
                    .as(out + ", at last by " + words)
                    .isEmpty();
            delete(out);
        }
        LOG.log(System.Logger.Level.INFO, "{0}: {1} kills", verb, done);
    }
}
