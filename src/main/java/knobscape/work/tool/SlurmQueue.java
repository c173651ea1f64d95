package knobscape.work.tool;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import knobscape.evaluate.CancellationSignal;
import knobscape.work.tool.SlurmCommands.Answer;

/// Slurm's knowledge of the followed jobs. One `squeue` asks for all of them, however many wait for an answer;
/// those that it has forgotten are looked for in the accounting, where there is one. Thread-safe.
final class SlurmQueue {
    /// The state of a job that Slurm does not know.
    static final String UNKNOWN = "UNKNOWN";

    private static final Set<String> UNDER_WAY = Set.of(
            "PENDING",
            "RUNNING",
            "CONFIGURING",
            "COMPLETING",
            "SUSPENDED",
            "REQUEUED",
            "REQUEUE_FED",
            "REQUEUE_HOLD",
            "SPECIAL_EXIT",
            "RESIZING",
            "SIGNALING",
            "STAGE_OUT",
            "STOPPED");

    private final SlurmCommands commands;
    private final long pauseNanos;
    private final Set<String> followed = ConcurrentHashMap.newKeySet();
    private final ReentrantLock asking = new ReentrantLock();
    private volatile QueueAnswer told = new QueueAnswer(System.nanoTime(), true, Set.of(), Map.of());
    private volatile boolean hasAccounting = true;

    /// @param at `nanoTime` of the question
    /// @param answered whether the controller said anything
    /// @param asked the jobs that were asked for
    private record QueueAnswer(long at, boolean answered, Set<String> asked, Map<String, String> states) {
        /// True if asking for a job again would be too soon.
        boolean isNew(String id, long pauseNanos) {
            return System.nanoTime() - at < pauseNanos && (asked.contains(id) || !answered);
        }
    }

    /// @param pauseMillis time between two questions
    SlurmQueue(SlurmCommands commands, long pauseMillis) {
        this.commands = commands;
        this.pauseNanos = pauseMillis * 1_000_000;
    }

    /// True if a job in this state may still run.
    static boolean isUnderWay(String state) {
        return UNDER_WAY.contains(state);
    }

    void follow(String id) {
        followed.add(id);
    }

    void leave(String id) {
        followed.remove(id);
    }

    /// The state of a followed job in Slurm's words, [#UNKNOWN] where there is no such job, empty where nothing was
    /// heard yet or the controller is silent.
    Optional<String> state(String id) {
        if (!told.isNew(id, pauseNanos) && asking.tryLock()) {
            try {
                if (!told.isNew(id, pauseNanos)) {
                    ask();
                }
            } finally {
                asking.unlock();
            }
        }
        QueueAnswer now = told;
        return now.asked().contains(id) ? Optional.of(now.states().getOrDefault(id, UNKNOWN)) : Optional.empty();
    }

    private void ask() {
        Set<String> asked = Set.copyOf(followed);
        Answer a = commands.ask(
                List.of(
                        "squeue",
                        "--noheader",
                        "--array",
                        "--states=all",
                        "--jobs="
                                + asked.stream()
                                        .map(SlurmQueue::base)
                                        .distinct()
                                        .collect(Collectors.joining(",")),
                        "--format=%i|%T"),
                Optional.empty());
        // A single job that is gone is an error in squeue's eyes.
        if (a.status() != 0 && !a.text().contains("Invalid job id")) {
            told = new QueueAnswer(System.nanoTime(), false, Set.of(), Map.of());
            return;
        }
        Map<String, String> states = new HashMap<>(states(a.text()));
        Set<String> gone = asked.stream().filter(id -> !states.containsKey(id)).collect(Collectors.toSet());
        if (!gone.isEmpty() && hasAccounting) {
            ended(gone).forEach(states::put);
        }
        told = new QueueAnswer(System.nanoTime(), true, asked, Map.copyOf(states));
    }

    /// End states by the accounting. A job that still runs in its eyes, but not in the controller's, is lost.
    private Map<String, String> ended(Set<String> ids) {
        Answer a = commands.ask(
                List.of(
                        "sacct",
                        "--noheader",
                        "--allocations",
                        "--parsable2",
                        "--format=JobID,State",
                        "--jobs=" + String.join(",", ids)),
                Optional.empty());
        if (a.status() != 0) {
            hasAccounting = !a.text().contains("disabled");
            return Map.of();
        }
        return states(a.text()).entrySet().stream()
                .filter(e -> ids.contains(e.getKey()) && !isUnderWay(e.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /// The job of this name that was submitted by an earlier start of the program; empty where there is none.
    Optional<String> named(String name) {
        List<String> command =
                List.of("squeue", "--noheader", "--array", "--states=all", "--name=" + name, "--format=%i|%T");
        long begun = System.nanoTime();
        Answer a = commands.ask(command, Optional.empty());
        while (a.isOutage() && System.nanoTime() - begun < SlurmCommands.NO_CONTROLLER.toNanos()) {
            new CancellationSignal().sleep(Duration.ofNanos(pauseNanos));
            a = commands.ask(command, Optional.empty());
        }
        return states(a.text()).keySet().stream().map(SlurmQueue::base).findFirst();
    }

    /// Lines of `ID|STATE` as `squeue` and `sacct` print them: tasks of arrays as `12_3`, states with remarks
    /// (`CANCELLED by
    /// 0`), several tasks of an array that wait as `12_[3-5%2]`, which name no task. Other lines are left out.
    static Map<String, String> states(String text) {
        var states = new HashMap<String, String>();
        for (String line : text.lines().toList()) {
            String[] words = line.strip().split("\\|", -1);
            if (words.length == 2 && words[0].matches("\\d{1,12}(_\\d{1,9})?")) {
                String state = words[1].strip().split("[ +]", 2)[0];
                if (state.matches("[A-Z_]+")) {
                    states.put(words[0], state);
                }
            }
        }
        return states;
    }

    /// The number of the array that a task belongs to.
    static String base(String id) {
        return id.split("_", 2)[0];
    }
}
