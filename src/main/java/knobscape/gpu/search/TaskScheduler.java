package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// Which kernel of a network to search next: each once, then the one from which the network is expected to gain most per round (Ansor, OSDI 2020, section 6): the more negative
/// `weight * (0.2 backward + 0.8 forward)`, where `backward` is the slope of the best time over the last rounds and `forward` the better of two guesses, that the time
/// falls as 1/rounds and that it comes near to the best rate of a similar kernel. A kernel of which nothing has run yet has its even share of the rounds first, and no more: it must
/// not eat up what the others could use. Pure arithmetic; whoever searches tells it what came out.
public final class TaskScheduler {
    private static final double BACKWARD = 0.2;
    private static final int WINDOW = 3;
    private static final double SIMILAR = 2;
    private static final double GOLDEN = (1 + Math.sqrt(5)) / 2;

    /// A kernel.
    ///
    /// @param weight how often the network runs it
    /// @param flops of one run, 0 where they are not counted
    /// @param tag kernels of one tag and about as many operations are similar
    public record Task(double weight, double flops, String tag) {
        boolean resembles(Task other) {
            return tag.equals(other.tag) && flops > 0 && other.flops > 0
                    && Math.floor(Math.log(flops) / Math.log(GOLDEN)) == Math.floor(Math.log(other.flops) / Math.log(GOLDEN));
        }
    }

    private final List<Task> tasks;
    /// Best time after every round, positive infinity while nothing ran.
    private final List<List<Double>> best = new ArrayList<>();
    private final boolean[] done;

    /// @param tasks the kernels
    public TaskScheduler(List<Task> tasks) {
        this.tasks = List.copyOf(tasks);
        done = new boolean[tasks.size()];
        tasks.forEach(t -> best.add(new ArrayList<>()));
    }

    /// The next one; empty where all are done. Ties go to the first.
    public OptionalInt next() {
        List<Integer> open = IntStream.range(0, done.length).filter(i -> !done[i]).boxed().toList();
        double share = best.stream().mapToInt(List::size).average().orElse(0);
        Comparator<Integer> byRounds = Comparator.comparingInt(i -> best.get(i).size());
        Optional<Integer> due = open.stream().filter(i -> isFruitless(i) && best.get(i).size() <= share).min(byRounds);
        Optional<Integer> steepest = open.stream().filter(i -> !isFruitless(i)).min(Comparator.comparingDouble(this::gain));
        return due.or(() -> steepest).or(() -> open.stream().min(byRounds)).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    private boolean isFruitless(int task) {
        List<Double> rounds = best.get(task);
        return rounds.isEmpty() || Double.isInfinite(rounds.getLast());
    }

    /// Expected change of the network's time by one more round of a task: negative infinity for one of which nothing has run.
    public double gain(int task) {
        List<Double> rounds = best.get(task);
        if (isFruitless(task)) {
            return Double.NEGATIVE_INFINITY;
        }
        double now = rounds.getLast();
        int n = rounds.size();
        double earlier = rounds.get(Math.max(0, n - 1 - WINDOW));
        double backward = n > 1 && Double.isFinite(earlier) ? (now - earlier) / Math.min(WINDOW, n - 1) : 0;
        double hoped = now * (1 - 1.0 / n);
        Task t = tasks.get(task);
        double rate = 0;
        for (int i = 0; i < tasks.size(); i++) {
            if (t.resembles(tasks.get(i)) && !best.get(i).isEmpty() && Double.isFinite(best.get(i).getLast())) {
                rate = Math.max(rate, tasks.get(i).flops / best.get(i).getLast());
            }
        }
        // The guess from similar kernels bounds the hope from above, as long as it is below what is reached.
        double forward = Math.min(hoped, rate > 0 ? SIMILAR * t.flops / rate : hoped) - now;
        return t.weight * (BACKWARD * backward + (1 - BACKWARD) * Math.min(0, forward));
    }

    /// Notes a round.
    ///
    /// @param time best time of the task so far, positive infinity where nothing valid was found
    public void rounded(int task, double time) {
        best.get(task).add(time);
    }

    /// Takes a task out.
    public void finish(int task) {
        done[task] = true;
    }

    /// Whether a task was taken out.
    public boolean isDone(int task) {
        return done[task];
    }
}
