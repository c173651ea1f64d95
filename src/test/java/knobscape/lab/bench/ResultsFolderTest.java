package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFolderTest {
    @TempDir
    private Path folder;

    private static BenchReport report(String bench, double value) {
        return new BenchReport(
                bench,
                "One, \"two\" and three.",
                BenchReport.Column.list("what", "what", "value", "value"),
                List.of(BenchReport.row(List.of("a, b"), value)),
                List.of(BenchReport.Aim.atMost("aim of " + bench, value, 3)),
                List.of());
    }

    @Test
    void theNewestTableOfEachBenchStandsInTheFolder() throws Exception {
        ResultsFolder.add(folder, report("second", 5), "src/lab/run second");
        ResultsFolder.add(folder, report("first", 2), "src/lab/run first --quick");
        ResultsFolder.add(folder, report("second", 1), "src/lab/run second --seeds 3");
        assertThat(folder.resolve("second.csv")).hasContent("what,value\n\"a, b\",1.0\n");
        assertThat(Files.readAllLines(folder.resolve("runs.csv")))
                .containsExactly(
                        "bench,title,rows,command",
                        "first,\"One, \"\"two\"\" and three.\",1,src/lab/run first --quick",
                        "second,\"One, \"\"two\"\" and three.\",1,src/lab/run second --seeds 3");
        assertThat(Files.readAllLines(folder.resolve("aims.csv")))
                .containsExactly(
                        "bench,aim,value,target,met",
                        "first,aim of first,2,at most 3,yes",
                        "second,aim of second,1,at most 3,yes");
        assertThat(folder.resolve("README.md"))
                .content()
                .contains("| [second](second.csv) | 1 | 1 of 1 | `src/lab/run second --seeds 3` |")
                .contains("| aim of first | 2 | at most 3 | yes |");
    }

    /// The folder in the tree was generated, and nothing else lies in it.
    @Test
    void whatIsInTheTreeIsWhatTheTablesSay() throws Exception {
        Path results = Path.of("src/lab/results");
        List<String> runs = Files.readAllLines(results.resolve("runs.csv"));
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                    Stream.of("README.md", "runs.csv", "aims.csv"),
                                    runs.stream().skip(1).map(r -> r.substring(0, r.indexOf(',')) + ".csv"))
                            .toList());
        }
        assertThat(runs).allMatch(r -> r.startsWith("bench,") || isBench(r.substring(0, r.indexOf(','))));
    }

    private static boolean isBench(String name) {
        return Benches.all().stream().anyMatch(b -> b.name().equals(name));
    }
}
