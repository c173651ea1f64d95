package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignJson;
import knobscape.evaluate.report.DesignJsonReader;
import knobscape.evaluate.report.DesignTable;
import knobscape.evaluate.report.FileGuard;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.space.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Result files, and how runs are named.
class RunFilesTest {
    @TempDir
    private Path folder;

    private Path out;

    @BeforeEach
    void run() throws Exception {
        out = folder.resolve("out");
        Files.writeString(folder.resolve("k.cpp"), "void k() {}\n");
        Files.writeString(
                folder.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"name\": \"box\", \"source\": \"k.cpp\"}");
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            for (int i = 0; i < 2; i++) {
                RunSession s = runner.start(
                        BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(20 - 10 * i), List.of());
                s.await();
                if (i == 0) {
                    RunFiles.write(project, s.results(), out, FileGuard.standard());
                }
            }
        }
    }

    @Test
    void jsonHasTheAgreedShape() throws Exception {
        JsonNode root = JsonMapper.builder().build().readTree(Files.readString(out.resolve("run.json")));
        assertThat(root.get("run").stringValue()).isEqualTo(folder.toRealPath() + ":1");
        assertThat(root.get("method").stringValue()).isEqualTo("random");
        assertThat(root.get("seed").longValue()).isEqualTo(7);
        assertThat(root.get("designs").intValue()).isEqualTo(25);
        assertThat(root.get("evaluations").intValue()).isBetween(73, 75);
        assertThat(root.get("hours").doubleValue()).isBetween(25 * 0.25 - 1, 25 * 0.25);
        assertThat(root.get("algorithmSeconds").isNumber()).isTrue();
        assertThat(root.get("hypervolume").doubleValue()).isPositive();
        JsonNode front = root.get("front");
        assertThat(front.size()).isPositive();
        assertThat(front.get(0).get("design").isInt()).isTrue();
        assertThat(front.get(0).get("knobs").propertyNames()).containsExactly("k0", "k1", "k2");
        assertThat(front.get(0).get("objectives").propertyNames()).containsExactly("power", "delay", "lut");
    }

    @Test
    void designsAreReadBackFromJsonAndCountedInCsv() throws Exception {
        try (Project project = Project.open(folder)) {
            RunResults results = project.runs().orElseThrow().results(1);
            var table = RunFiles.table(project, results, results.designs());
            assertThat(DesignJsonReader.read(new DesignJson().write(table), "text"))
                    .isEqualTo(table);
            assertThat(Files.readAllLines(out.resolve("designs.csv"))).hasSize(26);
            assertThat(Files.readAllLines(out.resolve("front.csv")))
                    .hasSize(results.front().size() + 1);
        }
    }

    @Test
    void reportSaysWhatWasDoneAndWithWhichNumbers() throws Exception {
        assertThat(Files.readString(out.resolve("report.md")))
                .contains("# box: run 1 (Random search, seed 7)")
                .contains("| Toolchain | box (model) |")
                .contains("completed: all 20 steps are done")
                .contains("reference point: Power 11 W")
                .contains("knobscape explore ")
                .contains("| #");
    }

    @Test
    void theFrontIsShownFromItsBestOnWithTheKnobsOfEachDesign() throws Exception {
        try (Project project = Project.open(folder)) {
            RunResults results = project.runs().orElseThrow().results(1);
            List<Design> front = RunFiles.front(results);
            assertThat(front).hasSizeGreaterThan(2).hasSameSizeAs(results.front());
            assertThat(front)
                    .extracting(d -> d.at(results.run().info().top())
                            .orElseThrow()
                            .value("power")
                            .orElseThrow())
                    .isSorted();
            List<String> rows = Files.readAllLines(out.resolve("report.md")).stream()
                    .filter(l -> l.startsWith("| #"))
                    .toList();
            assertThat(rows).hasSameSizeAs(front);
            for (int i = 0; i < front.size(); i++) {
                assertThat(rows.get(i))
                        .startsWith("| #" + front.get(i).number() + " |")
                        .endsWith("| "
                                + front.get(i).configuration().toMap().entrySet().stream()
                                        .map(Object::toString)
                                        .collect(Collectors.joining(", "))
                                + " |");
            }
            JsonNode reference = JsonMapper.builder()
                    .build()
                    .readTree(Files.readString(out.resolve("run.json")))
                    .get("referencePoint");
            assertThat(reference.get("power").doubleValue()).isCloseTo(11, within(0.5));
        }
    }

    /// Those noted by the run, and those that lie beside a store that does not say where.
    @Test
    void resultsOfAnEarlierStartAreFound() throws Exception {
        try (Project project = Project.open(folder)) {
            RunStore store = project.runs().orElseThrow();
            RunRecord first = store.find(1).orElseThrow();
            RunRecord second = store.find(2).orElseThrow();
            Path runs = project.runsFolder();
            assertThat(RunFiles.earlier(project, first)).contains(runs.resolve("out"));
            assertThat(RunFiles.earlier(project, second)).isEmpty();
            RunFiles.write(project, store.results(1), runs, FileGuard.standard());
            assertThat(RunFiles.earlier(project, second))
                    .as("those are another run's")
                    .isEmpty();
            RunFiles.write(project, store.results(2), runs, FileGuard.standard());
            assertThat(RunFiles.earlier(project, second)).contains(runs);
        }
        try (Project project = Project.open(folder)) {
            project.lock().results(2, project.runsFolder());
            assertThat(project.runs().orElseThrow().find(2).orElseThrow().results())
                    .contains(project.runsFolder());
        }
    }

    /// What is written is named, and noted where the project is held.
    @Test
    void whatIsWrittenIsNamed() throws Exception {
        try (Stream<Path> there = Files.list(out)) {
            assertThat(there.map(p -> p.getFileName().toString()).filter(n -> !n.startsWith(".")))
                    .containsExactlyInAnyOrderElementsOf(RunFiles.names());
        }
        Path other = folder.resolve("other");
        try (Project project = Project.open(folder)) {
            project.lock();
            RunResults results = project.runs().orElseThrow().results(2);
            assertThat(RunFiles.write(project, results, other, FileGuard.standard()))
                    .containsExactlyElementsOf(
                            RunFiles.names().stream().map(other::resolve).toList());
            assertThat(project.runs().orElseThrow().find(2).orElseThrow().results())
                    .contains(project.runsFolder().resolve("other"));
        }
    }

    /// A place outside the folder of runs is written at once, one inside is noted alone.
    @Test
    void aPlaceIsPromisedBeforeThereAreResults(@TempDir Path outside) throws Exception {
        Path inside = folder.resolve("later");
        try (Project project = Project.open(folder)) {
            RunFiles.promise(project, 2, inside, FileGuard.standard());
            assertThat(project.lock().find(2).orElseThrow().results())
                    .contains(project.runsFolder().resolve("later"));
            assertThat(inside).doesNotExist();
            RunFiles.promise(project, 2, outside.resolve("later"), FileGuard.standard());
            assertThat(project.lock().find(2).orElseThrow().results()).contains(outside.resolve("later"));
            assertThat(outside.resolve("later/run.json")).exists();
        }
    }

    @Test
    void aTableSaysHowItsDesignsCameAboutAndWhichAreOnTheFront() {
        try (Project project = Project.open(folder)) {
            RunResults results = project.runs().orElseThrow().results(1);
            var table = RunFiles.table(project, results, results.designs());
            assertThat(table.designs())
                    .filteredOn(DesignTable.Row::front)
                    .extracting(DesignTable.Row::number)
                    .containsExactlyInAnyOrderElementsOf(
                            results.front().stream().map(Design::number).toList());
            assertThat(RunFiles.origin(project, results.run()))
                    .containsEntry("run", project.runsFolder() + ":1")
                    .containsEntry("method", "random")
                    .containsEntry("seed", "7")
                    .containsEntry("toolchain", "box (model)")
                    .containsEntry("program", "Knobscape " + results.run().program())
                    .containsAllEntriesOf(results.run().work().facts());
        }
    }

    @ParameterizedTest
    @CsvSource({"999999999999, 999999999999", "1000000000000, 1.00e+12", "216, 216", "1234567..., more than 10^6"})
    void theReportSaysWhereItsFiguresComeFrom(String size, String shown) throws Exception {
        Files.writeString(
                folder.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"name\": \"box\", \"description\": \"Of a box.\", \"source\": \"k.cpp\"}");
        try (Project project = Project.open(folder)) {
            RunResults results = project.runs().orElseThrow().results(1);
            RunRecord run = results.run();
            StoredSubject s = run.subjects().getFirst();
            var sized = new RunRecord(
                    run.id(),
                    run.name(),
                    run.work(),
                    run.settings(),
                    List.of(new StoredSubject(
                            s.number(), s.name(), s.weight(), s.knobs(), size, s.info(), s.objectives())),
                    run.origin(),
                    run.standing(),
                    run.results());
            var all = new RunResults(sized, results.designs(), results.trace(), results.events(), 0);
            Path report = RunFiles.write(project, all, folder.resolve("sized"), FileGuard.standard())
                    .getLast();
            assertThat(Files.readString(report))
                    .contains("\n\nOf a box.\n\n")
                    .contains("| Space | " + shown + " configurations, 3 knobs |")
                    .contains(String.format(Locale.ROOT, "| Simulated hours | %.2f |", run.toolSeconds() / 3600))
                    .contains("| design | Power (W) | Delay (ns) | LUT | knobs |")
                    .contains(run.work().facts().entrySet().stream()
                            .map(e -> "| " + Character.toUpperCase(e.getKey().charAt(0))
                                    + e.getKey().substring(1) + " | " + e.getValue() + " |")
                            .toList());
            assertThat(Files.readAllLines(report))
                    .filteredOn(l -> l.startsWith("| #"))
                    .allMatch(l -> l.split("\\|").length == 6);
        }
    }

    @Test
    void aDesignIsFoundByItsNumberOrIdentifier() {
        try (Project project = Project.open(folder)) {
            RunResults results = project.runs().orElseThrow().results(1);
            Design third = results.designs().get(2);
            for (String id : List.of(
                    "3",
                    "#3",
                    third.configuration().id(),
                    third.configuration().id().toUpperCase(Locale.ROOT))) {
                assertThat(results.named(id)).as(id).isEqualTo(third);
            }
            assertThatThrownBy(() -> results.named("#99"))
                    .isInstanceOf(UserError.class)
                    .hasMessage("Run 1 has no design #99; it has #1 to #25.");
            assertThat(results.found())
                    .hasSameSizeAs(results.designs().stream()
                            .flatMap(d -> d.evaluations().stream())
                            .toList())
                    .allSatisfy(e ->
                            assertThat(e.evaluation().provenance().toolchain()).isEqualTo("box"));
        }
    }

    @Test
    void configurationsAreRankedByAMetricsDirection() {
        try (Project project = Project.open(folder)) {
            RunResults results = project.runs().orElseThrow().results(1);
            Map<Configuration, Double> power = new HashMap<>();
            results.designs().forEach(d -> d.value("power").ifPresent(v -> power.put(d.configuration(), v)));
            for (Metric.Direction direction : List.of(Metric.Direction.MINIMISE, Metric.Direction.MAXIMISE)) {
                var metric = new Metric("power", "Power", "W", direction, Double.NaN);
                List<Double> values = Design.ranked(results.designs(), metric).stream()
                        .map(power::get)
                        .toList();
                assertThat(values).hasSameSizeAs(power.keySet());
                assertThat(values)
                        .isSortedAccordingTo(
                                direction == Metric.Direction.MINIMISE
                                        ? Comparator.naturalOrder()
                                        : Comparator.reverseOrder());
            }
            assertThat(Design.ranked(
                            results.designs(),
                            new Metric("unknown", "Unknown", "", Metric.Direction.MINIMISE, Double.NaN)))
                    .isEmpty();
        }
    }

    /// The project's file and its sources are never written over, whatever may be.
    @Test
    void sourcesAreKeptFromOutput() {
        try (Project project = Project.open(folder)) {
            assertThat(project.area()).isSameAs(project.area(project.file().work()));
            FileGuard guard = project.guard(true, project.file().work());
            for (String kept : List.of("k.cpp", ProjectFile.FILE_NAME)) {
                assertThatThrownBy(() -> guard.write(folder, Map.of(kept, new byte[1])))
                        .as(kept)
                        .isInstanceOf(UserError.class);
            }
            RunRecord run = project.runs().orElseThrow().find(1).orElseThrow();
            assertThat(project.summary(run).reference()).isEqualTo(project.text(1));
        }
    }

    @Test
    void aStoreCountsAndListsWhatCameBack() {
        try (Project project = Project.open(folder)) {
            RunStore store = project.runs().orElseThrow();
            assertThat(store.evaluations(1))
                    .containsOnlyKeys(0)
                    .hasEntrySatisfying(0, n -> assertThat(n).isBetween(73L, 75L));
            assertThat(store.arrivals(1, 5)).hasSize(5);
            assertThatThrownBy(() -> store.results(9))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("There is no run 9 in ");
        }
    }

    /// A deleted run leaves nothing behind once its project is opened for writing.
    @Test
    void aDeletedRunIsRemovedFromEveryTable() throws Exception {
        try (Project project = Project.open(folder)) {
            project.lock().delete(1);
        }
        try (Project project = Project.open(folder)) {
            assertThat(project.lock().list()).extracting(RunRecord::id).containsExactly(2L);
        }
        try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(RunStore.FILE_NAME));
                Statement s = db.createStatement()) {
            for (String table : List.of("events", "steps", "evaluations", "proposals", "designs", "subjects")) {
                try (ResultSet r = s.executeQuery("SELECT count(*), min(run) FROM " + table)) {
                    assertThat(r.getInt(1)).as(table).isPositive();
                    assertThat(r.getInt(2)).as(table).isEqualTo(2);
                }
            }
        }
    }

    @Test
    void runsAreNamedInSeveralWays() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        for (String text :
                List.of(folder + ":1", out.toString(), out.resolve("run.json").toString())) {
            assertThat(id(text, elsewhere)).as(text).isEqualTo(1);
        }
        assertThat(id(folder.toString(), elsewhere)).as("the newest").isEqualTo(2);
        assertThat(id("1", folder)).isEqualTo(1);
        assertThat(id("out", folder)).isEqualTo(1);
        assertThat(id("..", elsewhere)).isEqualTo(2);
        assertThat(id("..:1", elsewhere)).isEqualTo(1);
    }

    private static long id(String text, Path here) {
        RunReference reference = RunReference.parse(text, here);
        try (Project p = reference.open()) {
            return reference.run(p).id();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        nonsense       | 'nonsense' is no run
        7              | There is no run 7 in
        elsewhere      | without knobscape.json
        elsewhere:1    | without knobscape.json
        none:1         | There is no file or folder
        other.json     | does not say which run it is of
        broken.json    | cannot be read as the results of a run
        """)
    void whatIsNoRunGetsOneSentence(String text, String expected) throws Exception {
        Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(folder.resolve("other.json"), "{}");
        Files.writeString(folder.resolve("broken.json"), "{");
        assertThatThrownBy(() -> id(text, folder)).isInstanceOf(UserError.class).hasMessageContaining(expected);
    }

    @Test
    void aNumberWithoutAProjectAroundItGetsOneSentence() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        assertThatThrownBy(() -> RunReference.parse("3", elsewhere))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("PROJECT:3");
    }

    @Test
    void aReadOnlyProjectStoresItsRunsInTheFolderGiven() throws Exception {
        Path source = Files.writeString(folder.resolve("only.cpp"), "void only() {}\n");
        Path results = folder.resolve("results");
        try (Project project = Project.open(source, Optional.of(results));
                Runner runner = Runner.withSystemClocks()) {
            RunSession s = runner.start(BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(3), List.of());
            s.await();
            RunFiles.write(project, s.results(), results, FileGuard.standard());
            assertThat(s.results().run().command())
                    .contains(source.toString())
                    .contains("--out " + results.toRealPath());
        }
        RunReference reference = RunReference.parse("results", folder);
        try (Project project = reference.open()) {
            assertThat(HlsWorkbench.open(project, reference.run(project).work(HlsSettings.class), BoxTools.tools())
                            .kernel()
                            .text())
                    .contains("only");
        }
    }
}
