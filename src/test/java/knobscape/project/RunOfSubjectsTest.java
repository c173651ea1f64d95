package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.Exploration;
import knobscape.explore.GridSpace;
import knobscape.explore.RandomExplorer;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.hls.HlsSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run of several subjects that is killed anywhere and resumed.
class RunOfSubjectsTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void makeProject() throws Exception {
        BoxTools.makeProject(folder);
    }

    private static List<Subject> twoSubjects() {
        var subjects = new ArrayList<Subject>();
        for (int i = 0; i < 2; i++) {
            var box = new RunStoreTest.Simulated();
            var space = GridSpace.of(6, 5, 4 + i);
            var known = i == 0
                    ? List.<Evaluation>of()
                    : box.evaluate(space.at(java.math.BigInteger.TWO), BoxEvaluator.IMPL, new CancellationSignal());
            subjects.add(new Subject(
                    "part" + i,
                    1 + i,
                    space,
                    new RandomExplorer(space, BoxEvaluator.IMPL, 3, 7 + i),
                    box,
                    box.info().objectives().stream().map(box.info()::metric).toList(),
                    2,
                    new Termination.Never(),
                    known));
        }
        return subjects;
    }

    /// Explores two subjects, three designs in flight, until `events` were told.
    private RunResults runTwo(RunStore store, Optional<Long> resumed, int events) {
        List<Subject> subjects = twoSubjects();
        long id = resumed.orElseGet(() -> store.create(
                HlsSettings.of("k.cpp"),
                BoxTools.settings(6),
                subjects.stream().map(StoredSubject::of).toList(),
                "hash",
                "",
                "",
                Clock.systemUTC().instant()));
        var run = new Exploration(
                subjects,
                Scheduler.roundRobin(),
                new Exploration.Settings(7, 6, 0, 0, 3, 0),
                System::nanoTime,
                Runnable::run);
        var left = new AtomicInteger(events);
        run.addListener(e -> {
            if (!(e instanceof RunEvent.Finished) && left.getAndDecrement() <= 0) {
                throw new CancellationException("killed");
            }
        });
        run.addListener(new RunRecorder(store, id, Clock.systemUTC()));
        run.run(resumed.isEmpty() ? List.of() : store.past(store.find(id).orElseThrow()));
        return store.results(id);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 7, 12, 18, 25, 31, 40, 55, 70, 90})
    void aRunOfSeveralSubjectsContinuesToTheSameEnd(int events) {
        try (Project project = Project.open(folder)) {
            RunStore store = project.lock();
            RunResults whole = runTwo(store, Optional.empty(), Integer.MAX_VALUE);
            assertThat(whole.run().subjects())
                    .extracting(StoredSubject::name, StoredSubject::weight, StoredSubject::spaceSize)
                    .containsExactly(tuple("part0", 1.0, "120"), tuple("part1", 2.0, "150"));
            assertThat(whole.designs()).extracting(Design::subject).contains(0, 1);
            assertThat(whole.front(0)).isNotEmpty().allMatch(d -> d.subject() == 0);
            RunResults killed = runTwo(store, Optional.empty(), events);
            RunResults resumed = runTwo(store, Optional.of(killed.run().id()), Integer.MAX_VALUE);
            assertThat(resumed.designs()).isEqualTo(whole.designs());
            assertThat(resumed.front()).isEqualTo(whole.front());
            assertThat(resumed.run().toolSeconds()).isEqualTo(whole.run().toolSeconds());
            assertThat(resumed.trace())
                    .extracting(
                            RunResults.TracePoint::subject,
                            RunResults.TracePoint::step,
                            RunResults.TracePoint::toolSeconds)
                    .isEqualTo(whole.trace().stream()
                            .map(t -> tuple(t.subject(), t.step(), t.toolSeconds()))
                            .toList());
        }
    }
}
