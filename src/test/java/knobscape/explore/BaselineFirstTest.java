package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import knobscape.space.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The user's own design in a run.
class BaselineFirstTest {
    private final GridSpace space = GridSpace.of(6, 6, 6);
    private final Configuration baseline = Configuration.of(space.knobs(), new int[] {5, 0, 3});
    private final ExecutorService tools = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        tools.close();
    }

    private Explorer search() {
        return new RandomExplorer(space, BoxEvaluator.IMPL, 4, 7);
    }

    private List<RunEvent> run(Explorer explorer, List<RunEvent> past) {
        var events = new ArrayList<RunEvent>();
        var evaluator = new BoxEvaluator();
        var exploration = new Exploration(
                List.of(Subject.of(
                        "box",
                        space,
                        explorer,
                        evaluator,
                        evaluator.info().objectives().stream()
                                .map(evaluator.info()::metric)
                                .toList(),
                        Termination.of(0))),
                Scheduler.roundRobin(),
                Exploration.Settings.steps(7, 3),
                System::nanoTime,
                tools);
        exploration.addListener(events::add);
        exploration.run(past);
        return events;
    }

    private static List<RunEvent.Evaluated> evaluated(List<RunEvent> events) {
        return events.stream()
                .filter(RunEvent.Evaluated.class::isInstance)
                .map(RunEvent.Evaluated.class::cast)
                .toList();
    }

    @Test
    void whatTheSearchRemarksIsHeard() {
        Explorer remarking = new Explorer() {
            @Override
            public String name() {
                return "remarking";
            }

            @Override
            public List<Proposal> initial() {
                return List.of();
            }

            @Override
            public List<Proposal> ask(History history, int count) {
                return List.of();
            }

            @Override
            public List<String> remarks() {
                return List.of("Begins with nothing.");
            }
        };
        assertThat(new BaselineFirst(remarking, baseline, BoxEvaluator.IMPL, "baseline").remarks())
                .containsExactly("Begins with nothing.");
    }

    @Test
    void baselineIsEvaluatedFirstUpToTheTopAndTheSearchKeepsItsOwnDesigns() {
        List<RunEvent.Evaluated> with =
                evaluated(run(new BaselineFirst(search(), baseline, BoxEvaluator.IMPL, "baseline"), List.of()));
        assertThat(with.getFirst().proposal().configuration()).isEqualTo(baseline);
        assertThat(with.getFirst().proposal().reason()).isEqualTo("baseline");
        assertThat(with.getFirst().evaluations().getLast().fidelity()).isEqualTo(BoxEvaluator.IMPL);
        assertThat(with.stream().skip(1).map(e -> e.proposal().configuration()))
                .containsExactlyElementsOf(evaluated(run(search(), List.of())).stream()
                        .map(e -> e.proposal().configuration())
                        .toList());
    }

    @Test
    void aBaselineThatTheSearchDrawsItselfIsEvaluatedOnce() {
        Configuration drawn = search().initial().get(2).configuration();
        assertThat(new BaselineFirst(search(), drawn, BoxEvaluator.IMPL, "baseline").initial())
                .extracting(Proposal::configuration)
                .hasSize(4)
                .doesNotHaveDuplicates()
                .startsWith(drawn);
    }

    /// A run of an earlier version, stored without its baseline, resumes as it was asked.
    @Test
    void aRunThatBeganWithoutItResumesWithoutIt() {
        List<RunEvent> whole = run(search(), List.of());
        int cut = whole.indexOf(evaluated(whole).get(1)) + 1;
        List<RunEvent> rest =
                run(new BaselineFirst(search(), baseline, BoxEvaluator.IMPL, "baseline"), whole.subList(0, cut));
        assertThat(evaluated(rest))
                .extracting(e -> e.proposal().configuration())
                .containsExactlyElementsOf(evaluated(whole).stream()
                        .skip(2)
                        .map(e -> e.proposal().configuration())
                        .toList());
    }

    /// The oldest stores kept answers and no questions: each answer finds its design.
    @Test
    void answersStoredWithoutTheirQuestionsAreFoundByTheirDesigns() {
        List<RunEvent> answers = run(search(), List.of()).stream()
                .filter(e -> e instanceof RunEvent.StageDone d && d.step() == 0)
                .toList();
        List<RunEvent> rest = run(new BaselineFirst(search(), baseline, BoxEvaluator.IMPL, "baseline"), answers);
        assertThat(rest).noneMatch(RunEvent.Note.class::isInstance);
        assertThat(evaluated(rest).getFirst().proposal().configuration()).isEqualTo(baseline);
        assertThat(evaluated(rest)).hasSize(1 + 3);
    }
}
