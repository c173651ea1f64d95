package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.explore.Subject;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run whose designs are evaluated outside, opened anew for every question as a command line does.
class AskTellRunTest {
    private static final RunSettings SETTINGS = HlsSettings.defaultRun()
            .with(RunSettings.METHOD, "random")
            .with(RunSettings.TOOLCHAIN, "told")
            .with(RunSettings.SEED, 3L)
            .with(RunSettings.STEPS, 2)
            .with(RunSettings.INITIAL, 2)
            .with(RunSettings.EARLY_STOP, 0);

    @TempDir
    private Path folder;

    private long id;

    @BeforeEach
    void begin() throws Exception {
        Files.writeString(folder.resolve("scale.cpp"), """
                void scale(int a[16], int b[16], int out[16]) {
                first:
                  for (int i = 0; i < 16; i++) { a[i] = a[i] * 3; }
                second:
                  for (int i = 0; i < 16; i++) { out[i] = a[i] * b[i]; }
                }
                """);
        Files.writeString(folder.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"scale.cpp\"}");
        try (Project project = Project.open(folder)) {
            id = AskTellRun.begin(opened(project), SETTINGS, Clock.systemUTC());
        }
    }

    private static Session<HlsWorkbench> opened(Project project) {
        return Session.of(
                project,
                project.file().work(HlsSettings.class),
                s -> HlsWorkbench.open(project, (HlsSettings) s, HlsTools.standard()));
    }

    private interface Question<T> {
        T of(AskTellRun run);
    }

    private <T> T ask(Question<T> question) {
        Project project = Project.open(folder);
        RunRecord record = project.runs().orElseThrow().find(id).orElseThrow();
        try (AskTellRun run = AskTellRun.open(project, record, 0, Clock.systemUTC())) {
            return question.of(run);
        }
    }

    private RunRecord stored() {
        return ask(r -> r.results().run());
    }

    private static Evaluation answer(Subject subject, AskTellRun.Pending p, Fidelity stage, double delay) {
        var values = new LinkedHashMap<String, Double>();
        ReportedResults told = (ReportedResults) subject.evaluator();
        told.info().metrics().forEach(m -> {
            if (told.info().reports(stage, m.name())) {
                values.put(m.name(), delay + p.number());
            }
        });
        return told.evaluation(p.proposal().configuration(), stage, values, Optional.empty(), 60);
    }

    /// Tells all stages of a design.
    private int tell(List<AskTellRun.Pending> designs) {
        return ask(r -> r.tell(subjects -> Map.of(subjects.getFirst(), all(subjects.getFirst(), designs))))
                .asked();
    }

    private static List<Evaluation> all(Subject subject, List<AskTellRun.Pending> designs) {
        var all = new ArrayList<Evaluation>();
        designs.forEach(p -> p.stages().forEach(f -> all.add(answer(subject, p, f, 10))));
        return all;
    }

    @Test
    void designsAreHandedOutAndTakenBackUntilTheRunIsOver() {
        assertThat(stored().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(stored().reason()).isEqualTo("waits to be asked");
        assertThat(ask(AskTellRun::pending)).isEmpty();
        AskTellRun.Handout first = ask(r -> r.ask(2));
        assertThat(first.fresh())
                .hasSize(2)
                .extracting(AskTellRun.Pending::number)
                .containsExactly(1, 2);
        assertThat(first.before()).isEmpty();
        assertThat(first.over()).isEmpty();
        assertThat(stored().reason()).isEqualTo("2 designs wait to be told");
        AskTellRun.Handout second = ask(r -> r.ask(1));
        assertThat(second.before())
                .extracting(AskTellRun.Pending::number, AskTellRun.Pending::proposal, AskTellRun.Pending::stages)
                .isEqualTo(first.fresh().stream()
                        .map(p -> tuple(p.number(), p.proposal(), p.stages()))
                        .toList());
        assertThat(second.fresh())
                .hasSize(1)
                .extracting(AskTellRun.Pending::number)
                .containsExactly(3);
        assertThat(ask(AskTellRun::pending)).hasSize(3);
        assertThat(ask(AskTellRun::pending).getFirst().stages())
                .as("all stages, lowest first")
                .isEqualTo(ask(r -> ((HlsWorkbench) r.bench())
                        .plan(SETTINGS)
                        .subjects()
                        .getFirst()
                        .evaluator()
                        .info()
                        .fidelities()));
        assertThat(tell(first.fresh()))
                .isEqualTo(2 * first.fresh().getFirst().stages().size());
        assertThat(stored().reason()).isEqualTo("1 designs wait to be told");
        tell(second.fresh());
        assertThat(stored().reason()).isEqualTo("waits to be asked");
        Optional<String> over = Optional.empty();
        for (int i = 0; i < 9 && over.isEmpty(); i++) {
            AskTellRun.Handout next = ask(r -> r.ask(1));
            over = next.over();
            tell(next.fresh());
        }
        assertThat(over).contains("all 2 steps are done");
        assertThat(stored().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(stored().reason()).isEqualTo("all 2 steps are done");
        RunResults results = ask(AskTellRun::results);
        assertThat(results.designs()).hasSize(5).allMatch(d -> d.highest().isPresent());
        assertThat(results.front()).isNotEmpty();
    }

    @Test
    void stagesAreToldInOrder() {
        AskTellRun.Pending p = ask(r -> r.ask(1)).fresh().getFirst();
        assertThat(p.stages()).hasSizeGreaterThan(1);
        assertThatThrownBy(() -> ask(r -> r.tell(subjects -> Map.of(
                        subjects.getFirst(),
                        List.of(answer(subjects.getFirst(), p, p.stages().getLast(), 10))))))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(
                        "Of design #1 the stage " + p.stages().getFirst().name() + " is to be told next, not "
                                + p.stages().getLast().name());
        // Told once, and again by a teller that was killed.
        for (AskTellRun.Receipt expected : List.of(new AskTellRun.Receipt(1, 0, 0), new AskTellRun.Receipt(0, 0, 1))) {
            AskTellRun.Receipt taken = ask(r -> r.tell(subjects -> Map.of(
                    subjects.getFirst(),
                    List.of(answer(subjects.getFirst(), p, p.stages().getFirst(), 10)))));
            assertThat(taken).isEqualTo(expected);
        }
        assertThat(ask(AskTellRun::pending))
                .singleElement()
                .satisfies(left -> assertThat(left.stages())
                        .isEqualTo(p.stages().subList(1, p.stages().size())));
        assertThat(stored().reason()).isEqualTo("1 designs wait to be told");
    }

    /// Two designs may have the same figures, and one design told otherwise is no repetition.
    @Test
    void onlyTheSameAnswerOfTheSameDesignIsARepetition() {
        List<AskTellRun.Pending> two = ask(r -> r.ask(2)).fresh();
        for (AskTellRun.Pending p : two) {
            AskTellRun.Receipt first = ask(r -> r.tell(
                    subjects -> told(subjects, p, 10 - p.number(), p.stages().subList(0, 1))));
            assertThat(first).isEqualTo(new AskTellRun.Receipt(1, 0, 0));
        }
        AskTellRun.Pending p = two.getFirst();
        assertThatThrownBy(() -> ask(r ->
                        r.tell(subjects -> told(subjects, p, 99, p.stages().subList(0, 1)))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is to be told next");
        AskTellRun.Receipt again = ask(r ->
                r.tell(subjects -> told(subjects, p, 10 - p.number(), p.stages().subList(0, 2))));
        assertThat(again).isEqualTo(new AskTellRun.Receipt(1, 0, 1));
        assertThat(ask(AskTellRun::pending).getFirst().stages())
                .isEqualTo(p.stages().subList(2, p.stages().size()));
    }

    private static Map<Subject, List<Evaluation>> told(
            List<Subject> subjects, AskTellRun.Pending p, double delay, List<Fidelity> stages) {
        Subject subject = subjects.getFirst();
        return Map.of(
                subject, stages.stream().map(f -> answer(subject, p, f, delay)).toList());
    }

    @Test
    void aDesignThatFailedIsAnswered() {
        AskTellRun.Pending p = ask(r -> r.ask(1)).fresh().getFirst();
        ask(r -> r.tell(subjects -> Map.of(
                subjects.getFirst(),
                List.of(((ReportedResults) subjects.getFirst().evaluator())
                        .evaluation(
                                p.proposal().configuration(),
                                p.stages().getFirst(),
                                Map.of(),
                                Optional.of(new Outcome.Failure(FailureKind.REJECTED, "does not fit", Map.of())),
                                5)))));
        assertThat(ask(AskTellRun::pending)).isEmpty();
        assertThat(ask(AskTellRun::results).design(p.number()).orElseThrow().evaluations())
                .singleElement()
                .matches(e -> !e.isMeasured());
    }

    /// Of designs that nobody asked for.
    @Test
    void whatWasMeasuredElsewhereIsKnown() {
        List<AskTellRun.Pending> asked = ask(r -> r.ask(1)).fresh();
        AskTellRun.Receipt answered = ask(r -> r.tell(subjects -> {
            Subject s = subjects.getFirst();
            var other = s.space()
                    .enumerate()
                    .filter(c -> !c.equals(asked.getFirst().proposal().configuration()))
                    .findFirst()
                    .orElseThrow();
            Evaluation like = answer(s, asked.getFirst(), s.evaluator().info().top(), 3);
            return Map.of(
                    s,
                    List.of(new Evaluation(
                            other, like.fidelity(), like.outcome(), like.costSeconds(), like.provenance())));
        }));
        assertThat(answered).isEqualTo(new AskTellRun.Receipt(0, 1, 0));
        RunResults results = ask(AskTellRun::results);
        assertThat(results.designs()).hasSize(2);
        assertThat(results.designs().getLast().step()).isEqualTo(-1);
        assertThat(ask(AskTellRun::pending))
                .extracting(AskTellRun.Pending::proposal)
                .containsExactly(asked.getFirst().proposal());
    }

    @Test
    void aRunOfAToolIsNotTold() throws Exception {
        Path box = Files.createDirectory(folder.resolve("box"));
        BoxTools.makeProject(box);
        try (Project project = Project.open(box);
                Runner runner = Runner.withSystemClocks()) {
            runner.start(BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(1), List.of())
                    .await();
            RunRecord run = project.lock().find(1).orElseThrow();
            assertThatThrownBy(() -> AskTellRun.open(project, run, 0, Clock.systemUTC()))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("Run 1 is evaluated by box, not told");
        }
    }

    @Test
    void aChangedSourceIsRefused() throws Exception {
        Files.writeString(folder.resolve("scale.cpp"), """
                void scale(int a[16]) {
                only:
                  for (int i = 0; i < 16; i++) { a[i] = a[i] * 3; }
                }
                """);
        assertThatThrownBy(() -> ask(r -> r.ask(1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has changed since run " + id);
    }

    /// Two scripts take turns.
    @Test
    void aProjectThatIsHeldIsWaitedFor() throws Exception {
        Project holder = Project.open(folder);
        holder.lock();
        RunRecord run = holder.runs().orElseThrow().find(id).orElseThrow();
        assertThatThrownBy(() -> ask(AskTellRun::pending))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("in use");
        Thread later = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            holder.close();
        });
        try (AskTellRun waited = AskTellRun.open(Project.open(folder), run, 60, Clock.systemUTC())) {
            assertThat(waited.pending()).isEmpty();
        }
        later.join();
        try (Project free = Project.open(folder)) {
            free.lock();
        }
    }
}
