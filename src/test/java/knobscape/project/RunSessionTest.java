package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.RunEvent;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.study.StudyWorkbench;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run that works, as its process and others ask things of it.
class RunSessionTest {
    @TempDir
    private Path folder;

    private final Semaphore answers = new Semaphore(0);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final Runner runner = Runner.withSystemClocks();
    private Project project;

    @BeforeEach
    void open() throws Exception {
        BoxTools.makeProject(folder);
        project = Project.open(folder);
    }

    @AfterEach
    void close() {
        answers.release(1000);
        runner.close();
        project.close();
    }

    /// The tool answers as often as it is allowed to.
    private HlsTools slow() {
        return BoxTools.tools(job -> new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                asked.countDown();
                var cancelled = new CountDownLatch(1);
                cancel.onCancel(cancelled::countDown);
                try {
                    while (!answers.tryAcquire(20, TimeUnit.MILLISECONDS)) {
                        if (cancelled.getCount() == 0) {
                            throw new CancellationException();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new CancellationException();
                }
                super.evaluate(request, stageDone, cancel);
            }
        });
    }

    private RunSession started(int steps) {
        return runner.start(BoxTools.opened(project, slow()), BoxTools.settings(steps), List.of());
    }

    /// Waits for a state, however long a busy machine takes; a run that ends meanwhile never comes to another.
    private static void until(RunSession s, BooleanSupplier there) throws InterruptedException {
        while (!there.getAsBoolean()) {
            if (s.state() == RunSession.State.ENDED) {
                assertThat(there.getAsBoolean()).as("the run has ended").isTrue();
                return;
            }
            Thread.sleep(20);
        }
    }

    @Test
    void aPauseWaitsForWhatIsInFlight() throws Exception {
        RunSession s = started(3);
        assertThat(s.state()).isEqualTo(RunSession.State.RUNNING);
        s.resume();
        assertThat(s.state()).as("it runs already").isEqualTo(RunSession.State.RUNNING);
        asked.await();
        s.pause();
        assertThat(s.state()).isEqualTo(RunSession.State.PAUSING);
        s.pause();
        assertThat(s.state()).isEqualTo(RunSession.State.PAUSING);
        answers.release(1000);
        until(s, () -> s.state() == RunSession.State.PAUSED);
        until(s, () -> RunControl.isPaused(folder, s.id()));
        assertThat(s.results().designs().size()).isLessThan(9);
        s.pause();
        assertThat(s.state()).isEqualTo(RunSession.State.PAUSED);
        s.resume();
        assertThat(s.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(s.state()).isEqualTo(RunSession.State.ENDED);
        assertThat(RunControl.isPaused(folder, s.id())).isFalse();
        s.pause();
        s.resume();
        s.stop();
        assertThat(s.state()).as("over is over").isEqualTo(RunSession.State.ENDED);
        assertThat(s.results().events())
                .extracting(RunResults.LogLine::text)
                .containsSubsequence("Started.", "Paused.", "Running again.");
    }

    @Test
    void aPauseThatIsTakenBackBeforeItCameGoesOn() throws Exception {
        RunSession s = started(2);
        s.pause();
        s.resume();
        assertThat(s.state()).isEqualTo(RunSession.State.RUNNING);
        answers.release(1000);
        assertThat(s.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
    }

    @Test
    void aStopKeepsWhatArrived() throws Exception {
        RunSession s = started(3);
        answers.release(2);
        until(
                s,
                () -> s.results().designs().stream()
                                .filter(d -> !d.evaluations().isEmpty())
                                .count()
                        == 2);
        s.stop();
        RunEvent.Finished end = s.await();
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.STOPPED);
        assertThat(s.ending().toCompletableFuture().get()).isEqualTo(end);
        assertThat(s.results().designs().stream().filter(d -> !d.evaluations().isEmpty()))
                .hasSize(2);
        assertThat(s.results().run().status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void designsHaveTheNumbersOfTheStore() throws Exception {
        answers.release(1000);
        RunSession s = started(2);
        s.await();
        assertThat(s.results().designs())
                .hasSize(7)
                .allSatisfy(d -> assertThat(s.number(d.configuration())).isEqualTo(d.number()));
        var never = s.opened()
                .bench()
                .plan(s.settings())
                .subjects()
                .getFirst()
                .space()
                .enumerate()
                .filter(c -> s.results().designs().stream()
                        .noneMatch(d -> d.configuration().equals(c)))
                .findFirst()
                .orElseThrow();
        assertThat(s.number(never)).isZero();
        assertThat(s.settings()).isEqualTo(BoxTools.settings(2));
        assertThat(s.opened().project()).isSameAs(project);
        assertThat(s.opened().bench(HlsWorkbench.class)).isSameAs(s.opened().bench());
        assertThatThrownBy(() -> s.opened().bench(StudyWorkbench.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("HlsWorkbench is no StudyWorkbench");
    }

    /// As `knobscape runs --stop` of another process asks.
    @Test
    void anotherProcessMayStopARun() throws Exception {
        RunSession s = started(3);
        RunControl.ask(folder, s.id(), RunControl.Wish.STOP);
        assertThat(s.await().ending()).isEqualTo(RunEvent.Ending.STOPPED);
    }

    /// The threads of runs behind a window give way to it.
    @Test
    void runsBehindAWindowGiveWayAndStopWithTheirProject() throws Exception {
        var priority = new AtomicInteger();
        try (Runner behind = Runner.behindWindow()) {
            RunSession s = behind.start(
                    BoxTools.opened(project, slow()),
                    BoxTools.settings(3),
                    List.of(e -> priority.set(Thread.currentThread().getPriority())));
            asked.await();
            assertThat(behind.active(project)).containsExactly(s);
            behind.stop(project);
            assertThat(s.state()).isEqualTo(RunSession.State.ENDED);
            assertThat(behind.active()).isEmpty();
            assertThat(s.results().run().status()).isEqualTo(RunStatus.STOPPED);
        }
        assertThat(priority).hasValue(Thread.MIN_PRIORITY);
    }

    /// As `knobscape runs --pause` of another process asks.
    @Test
    void whatOtherProcessesAskIsDone() throws Exception {
        RunSession s = started(3);
        asked.await();
        RunControl.ask(folder, s.id(), RunControl.Wish.PAUSE);
        until(s, () -> s.state() == RunSession.State.PAUSING);
        answers.release(1000);
        until(s, () -> RunControl.isPaused(folder, s.id()));
        // Of another run: nobody takes it, and it is still there when the next wish is looked for.
        RunControl.ask(folder, s.id() + 1, RunControl.Wish.RESUME);
        assertThat(RunControl.take(folder, s.id())).isEmpty();
        assertThat(RunControl.asked(folder, s.id() + 1)).contains(RunControl.Wish.RESUME);
        assertThat(s.state()).isEqualTo(RunSession.State.PAUSED);
        RunControl.ask(folder, s.id(), RunControl.Wish.RESUME);
        until(s, () -> s.state() == RunSession.State.ENDED);
        assertThat(s.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
    }

    @Test
    void aStopOfAnotherProcessIsDone() throws Exception {
        RunSession s = started(3);
        RunControl.ask(folder, s.id(), RunControl.Wish.STOP);
        assertThat(s.await().ending()).isEqualTo(RunEvent.Ending.STOPPED);
    }

    /// What was asked of a run that had ended is not held against its next start.
    @Test
    void aWishOfBeforeIsForgottenWhenTheRunBegins() throws Exception {
        RunSession s = started(3);
        s.stop();
        s.await();
        RunControl.ask(folder, s.id(), RunControl.Wish.STOP);
        answers.release(1000);
        RunSession again = runner.resume(s.opened(), s.id(), List.of());
        assertThat(again.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
    }

    @Test
    void theRunnerKnowsItsRunsAndStopsThoseOfAProject() throws Exception {
        assertThat(runner.active()).isEmpty();
        RunSession s = started(3);
        assertThat(runner.active()).containsExactly(s);
        assertThat(runner.active(project)).containsExactly(s);
        try (Project other = Project.open(folder)) {
            assertThat(runner.active(other)).isEmpty();
            runner.stop(other);
        }
        assertThat(s.state()).isEqualTo(RunSession.State.RUNNING);
        assertThatThrownBy(() -> runner.resume(s.opened(), s.id(), List.of()))
                .isInstanceOf(UserError.class)
                .hasMessage("Run 1 is running already.");
        runner.stop(project);
        assertThat(s.state()).isEqualTo(RunSession.State.ENDED);
        assertThat(runner.active()).isEmpty();
        assertThat(s.results().run().status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void whatCannotBeResumedIsNamed() throws Exception {
        answers.release(1000);
        RunSession s = started(1);
        s.await();
        assertThatThrownBy(() -> runner.resume(s.opened(), 9, List.of()))
                .isInstanceOf(UserError.class)
                .hasMessage("There is no run 9 in " + project.runsFolder() + ".");
        assertThatThrownBy(
                        () -> runner.resume(s.opened(), 9, BoxTools.settings(1).with(RunSettings.SEED, 1L), List.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no run 9");
        assertThatThrownBy(
                        () -> runner.resume(s.opened(), 1, BoxTools.settings(1).with(RunSettings.SEED, 8L), List.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("start a new run for other settings");
        for (Runnable told : List.<Runnable>of(
                () -> runner.start(s.opened(), BoxTools.settings(1).with(RunSettings.TOOLCHAIN, "told"), List.of()),
                () -> runner.resume(
                        s.opened(), 1, BoxTools.settings(1).with(RunSettings.TOOLCHAIN, "told"), List.of()))) {
            assertThatThrownBy(told::run).isInstanceOf(UserError.class).hasMessageContaining("knobscape ask");
        }
        var more = runner.resume(
                s.opened(),
                1,
                BoxTools.settings(4)
                        .with(RunSettings.WAIT, 2.0)
                        .with(RunSettings.STEPS, 4)
                        .with(RunSettings.INITIAL, 4)
                        .with(RunSettings.EARLY_STOP, 9),
                List.of());
        assertThat(more.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(more.results().designs()).hasSize(9);
        assertThat(more.results().run().settings())
                .isEqualTo(BoxTools.settings(4)
                        .with(RunSettings.WAIT, 2.0)
                        .with(RunSettings.STEPS, 4)
                        .with(RunSettings.INITIAL, 4)
                        .with(RunSettings.EARLY_STOP, 9));
        assertThat(more.results().run().command()).contains("--steps 4");
    }

    @Test
    void theWatchersAreToldFromTheFirstEventOn() throws Exception {
        answers.release(1000);
        List<RunEvent> told = Collections.synchronizedList(new ArrayList<>());
        var count = new AtomicInteger();
        RunSession s = runner.start(
                BoxTools.opened(project, slow()),
                BoxTools.settings(1),
                List.of(told::add, e -> count.incrementAndGet()));
        RunEvent.Finished end = s.await();
        assertThat(told.getFirst()).isInstanceOf(RunEvent.Started.class);
        assertThat(told.getLast()).isEqualTo(end);
        assertThat(count.get()).isEqualTo(told.size());
    }
}
