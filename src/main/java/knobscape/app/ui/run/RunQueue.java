package knobscape.app.ui.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.task.Background;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.work.Area;
import knobscape.work.RunSettings;

/// Starts runs of the open project one after the other. Used from the JavaFX thread; they are set up away from it.
final class RunQueue {
    private final Background background;
    private final Runner runner;
    private final RunPictures pictures;
    private final Messages messages;
    private final BiConsumer<LiveRun, RunNews> news;
    private final Consumer<Status> status;
    private final Consumer<LiveRun.LiveStart> begins;
    private final Predicate<Exception> fails;
    private final Deque<Area.Work> queue = new ArrayDeque<>();
    /// The tasks that wait for the run that is being set up.
    private final List<Runnable> waiting = new ArrayList<>();
    private int begun;
    private int generation;

    /// @param messages takes why a run cannot begin
    /// @param news takes what the runs do
    /// @param status takes that one is being set up
    /// @param begins takes one that has begun
    /// @param fails hears why one cannot begin, and whether that is said elsewhere
    RunQueue(
            Background background,
            Runner runner,
            RunPictures pictures,
            Messages messages,
            BiConsumer<LiveRun, RunNews> news,
            Consumer<Status> status,
            Consumer<LiveRun.LiveStart> begins,
            Predicate<Exception> fails) {
        this.background = background;
        this.runner = runner;
        this.pictures = pictures;
        this.news = news;
        this.messages = messages;
        this.status = status;
        this.begins = begins;
        this.fails = fails;
    }

    /// Starts the first of them; [#next] starts those that follow.
    void start(Session<?> open, List<Area.Work> works) {
        if (!works.stream().allMatch(w -> mayStart(open, w.run(), () -> start(open, works)))) {
            return;
        }
        queue.addAll(works);
        begun = 0;
        next(open);
    }

    /// Starts the next one, where there is one.
    void next(Session<?> open) {
        if (queue.isEmpty()) {
            return;
        }
        begun++;
        Area.Work work = queue.remove();
        launch("The run cannot start", () -> {
            Session<?> bench = open.with(pictures.settings(open, work));
            return LiveRun.begin(
                    background,
                    pictures,
                    bench,
                    pictures.begin(bench, work.run()),
                    work,
                    news,
                    monitor -> runner.start(bench, work.run(), List.of(monitor)));
        });
    }

    /// Continues a stored run.
    void resume(Session<?> open, RunRecord run, RunSettings settings) {
        if (!mayStart(open, settings, () -> resume(open, run, settings))) {
            return;
        }
        begun = 1;
        launch("The run cannot be resumed", () -> {
            Session<?> bench = open.with(run.work());
            return LiveRun.begin(
                    background,
                    pictures,
                    bench,
                    pictures.stored(bench, bench.project().runs().orElseThrow().results(run.id())),
                    new Area.Work(run.work(), settings),
                    news,
                    monitor -> runner.resume(bench, run.id(), settings, List.of(monitor)));
        });
    }

    /// True if nothing has to be asked before; else asks, and does `then` after a yes if the project is still open and
    /// nothing runs in it.
    private boolean mayStart(Session<?> open, RunSettings settings, Runnable then) {
        int asked = generation;
        return OwnProgram.mayStart(messages, open.project(), open.bench().starts(settings), () -> {
            if (asked == generation
                    && queue.isEmpty()
                    && runner.active(open.project()).isEmpty()) {
                then.run();
            }
        });
    }

    private void launch(String problem, Callable<LiveRun.LiveStart> work) {
        int asked = generation;
        status.accept(counted(Status.starting()));
        background.compute(
                work,
                b -> {
                    if (asked != generation) {
                        b.live().session.stop();
                        return;
                    }
                    begins.accept(b);
                    List<Runnable> now = List.copyOf(waiting);
                    waiting.clear();
                    now.forEach(Runnable::run);
                },
                e -> {
                    if (asked == generation) {
                        queue.clear();
                        waiting.clear();
                    }
                    if (asked != generation || !fails.test(e)) {
                        messages.fail(problem, e);
                    }
                });
    }

    /// Does something once the run that is being set up has begun; nothing where it cannot begin.
    void afterStart(Runnable then) {
        waiting.add(then);
    }

    /// True if none waits for its turn.
    boolean isEmpty() {
        return queue.isEmpty();
    }

    /// Those that wait for their turn are not started.
    void clear() {
        queue.clear();
    }

    /// The same for those of a method.
    void drop(String method) {
        queue.removeIf(w -> w.run().method().equals(method));
    }

    /// Nor is what is being set up now, for its project is closed.
    void forget() {
        generation++;
        queue.clear();
        waiting.clear();
    }

    /// A status with which of how many runs it is of.
    Status counted(Status now) {
        return now.of(begun, begun + queue.size());
    }
}
