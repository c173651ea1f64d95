package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.RandomExplorer;
import knobscape.hls.HlsTools;
import knobscape.hls.Toolchain;
import knobscape.project.BoxTools;
import knobscape.project.ProjectFile;
import knobscape.space.Configuration;
import knobscape.work.Choices;
import knobscape.work.Method;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The samples bench on a tool with a known answer, where the "learner" knows the front beforehand.
class SamplesBenchTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void makeSamples() throws Exception {
        for (String name : List.of("one", "two")) {
            Path p = Files.createDirectories(folder.resolve("samples").resolve(name));
            Files.writeString(p.resolve("k.cpp"), "void " + name + "() {}\n");
            Files.writeString(
                    p.resolve(ProjectFile.FILE_NAME),
                    "{\"formatVersion\": 1, \"name\": \"" + name + "\", \"source\": \"k.cpp\"}");
        }
    }

    /// @param calls counts evaluations
    private HlsTools tools(AtomicInteger calls) {
        HlsTools box = BoxTools.tools();
        var toolchain = new Toolchain("estimator", "Box", "A tool with a known answer.", job -> new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                calls.incrementAndGet();
                super.evaluate(request, stageDone, cancel);
            }
        });
        var random = new Method(
                "random",
                "Random",
                "Uniform draws.",
                p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed()));
        // Walks the front of the box: the space is small enough to know it.
        var knowing = new Method("cgp", "Knowing", "Knows the front.", p -> {
            var reference = ReferenceFront.of(
                    "box", p.space(), new BoxEvaluator(), p.objectives(), 1000, 1, new CancellationSignal());
            List<Configuration> front = p.space()
                    .enumerate()
                    .filter(c -> reference
                            .vector(new BoxEvaluator()
                                    .evaluate(c, BoxEvaluator.IMPL, new CancellationSignal())
                                    .getLast())
                            .filter(y -> java.util.Arrays.stream(reference.vectors())
                                    .anyMatch(v -> java.util.Arrays.equals(v, y)))
                            .isPresent())
                    .toList();
            return new Explorer() {
                @Override
                public String name() {
                    return "cgp";
                }

                @Override
                public List<Proposal> initial() {
                    return new RandomExplorer(p.space(), p.info().top(), 4, p.seed()).initial();
                }

                @Override
                public List<Proposal> ask(History history, int count) {
                    return front.stream()
                            .filter(c -> history.find(c, BoxEvaluator.IMPL).isEmpty())
                            .limit(count)
                            .map(c -> new Proposal(c, BoxEvaluator.IMPL, 0, Optional.empty(), "known"))
                            .toList();
                }
            };
        });
        return new HlsTools(
                box.reader(),
                box.spaces(),
                new Choices<>("toolchain", List.of(toolchain)),
                new Choices<>("method", List.of(knowing, random)));
    }

    private Bench.Job job(AtomicInteger calls, int seeds, CancellationSignal cancel, List<String> progress) {
        return Jobs.into(folder.resolve("out"))
                .tools(tools(calls))
                .samples(folder.resolve("samples"))
                .full()
                .seeds(seeds)
                .telling(progress::add)
                .cancelledBy(cancel)
                .job();
    }

    @Test
    void tellsTheBetterMethodAndKeepsItsTable() throws Exception {
        var calls = new AtomicInteger();
        var progress = java.util.Collections.synchronizedList(new ArrayList<String>());
        BenchReport report = Benches.run(new SamplesBench(), job(calls, 3, new CancellationSignal(), progress));
        assertThat(report.rows()).hasSize(4);
        assertThat(report.aims())
                .extracting(BenchReport.Aim::met)
                .as("a learner that knows the front wins")
                .containsOnly(true);
        assertThat(report.aims()).hasSize(4);
        assertThat(progress).hasSize(2 * (1 + 2 * 3));
        assertThat(folder.resolve("out").resolve("samples.csv")).content().startsWith("sample,space,method,adrsMean");
        assertThat(folder.resolve("out").resolve("samples.md"))
                .content()
                .contains("| all samples: mean ADRS of CGP over random's at equal tool hours |");
        assertThat(folder.resolve("out").resolve("curves.csv")).content().contains("one,cgp,1,");

        int before = calls.get();
        assertThat(new SamplesBench()
                        .run(job(calls, 3, new CancellationSignal(), progress))
                        .rows())
                .as("kept")
                .isEqualTo(report.rows());
        assertThat(calls.get()).as("nothing is evaluated again").isEqualTo(before);
    }

    @Test
    void theYardstickSpendsNoMoreThanTheLearner() {
        new SamplesBench().run(job(new AtomicInteger(), 2, new CancellationSignal(), new ArrayList<>()));
        var log = new TrialLog<>(folder.resolve("out").resolve("trials.jsonl"), Trial.class);
        String keyPart = "seed=1";
        var lines = read("trials.jsonl").stream()
                .filter(l -> l.contains(keyPart + "\"") || l.contains(keyPart))
                .toList();
        assertThat(log).isNotNull();
        assertThat(lines).hasSize(4);
        for (int i = 0; i < lines.size(); i += 2) {
            assertThat(hours(lines.get(i + 1)))
                    .isLessThanOrEqualTo(hours(lines.get(i)))
                    .isGreaterThan(hours(lines.get(i)) - 0.26);
        }
    }

    @Test
    void aStoppedBenchContinuesWithWhatIsMissing() throws Exception {
        var cancel = new CancellationSignal();
        var calls = new AtomicInteger();
        var progress = new ArrayList<String>() {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized boolean add(String line) {
                if (line.startsWith("two: ")) {
                    cancel.cancel();
                }
                return super.add(line);
            }
        };
        assertThatThrownBy(() -> new SamplesBench().run(job(calls, 2, cancel, progress)))
                .isInstanceOf(CancellationException.class);
        assertThat(read("trials.jsonl")).hasSize(4);
        // The line being written when the power failed.
        Files.writeString(
                folder.resolve("out").resolve("trials.jsonl"),
                read("trials.jsonl").stream().limit(3).reduce("", (a, b) -> a + b + "\n") + "{\"key\": \"prot");
        BenchReport resumed = new SamplesBench().run(job(calls, 2, new CancellationSignal(), new ArrayList<>()));
        assertThat(resumed.rows()).hasSize(4);
        assertThat(new SamplesBench()
                                .run(Jobs.into(folder.resolve("fresh"))
                                        .tools(tools(calls))
                                        .samples(folder.resolve("samples"))
                                        .full()
                                        .seeds(2)
                                        .job())
                                .rows()
                                .stream()
                                .map(r -> r.subList(0, 8))
                                .toList())
                .isEqualTo(resumed.rows().stream().map(r -> r.subList(0, 8)).toList());
    }

    @Test
    void withoutSamplesThereIsOneSentence() {
        var job = Jobs.into(folder).tools(tools(new AtomicInteger())).full().job();
        assertThatThrownBy(() -> new SamplesBench().run(job))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("sample projects were not found");
        assertThatThrownBy(() -> Benches.named("sample"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'samples'?");
    }

    private List<String> read(String name) {
        try {
            return Files.readAllLines(folder.resolve("out").resolve(name));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static double hours(String line) {
        return tools.jackson.databind.json.JsonMapper.builder()
                .build()
                .readTree(line)
                .get("trial")
                .get("toolHours")
                .doubleValue();
    }
}
