package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.List;

/// When a task reads or writes a queue: the same access again and again, in loops around loops.
///
/// @param queue number of its memory
/// @param writes whether it puts words in, else it takes them out
/// @param first cycle of the first access from the task's start
/// @param rounds the loops, innermost first
record QueueUse(int queue, boolean writes, double first, List<Round> rounds) {
    /// A loop.
    ///
    /// @param times iterations
    /// @param apart cycles between two
    record Round(long times, double apart) {}

    QueueUse {
        rounds = List.copyOf(rounds);
    }

    /// Number of a queue: one of an array of queues has one of its own.
    ///
    /// @param piece which of the array
    /// @param memories how many there are
    static int number(int memory, long piece, int memories) {
        return memory + memories * (int) Math.max(0, piece);
    }

    /// The same some cycles later.
    QueueUse later(double cycles) {
        return new QueueUse(queue, writes, first + cycles, rounds);
    }

    /// The same of another queue.
    QueueUse of(int other) {
        return new QueueUse(other, writes, first, rounds);
    }

    /// The same in a loop.
    QueueUse repeated(double times, double apart) {
        var more = new ArrayList<>(rounds);
        more.add(new Round(Math.max(0, Math.round(times)), apart));
        return new QueueUse(queue, writes, first, more);
    }

    /// Words.
    double words() {
        double all = 1;
        for (Round r : rounds) {
            all *= r.times();
        }
        return all;
    }

    /// Cycle of an access from the task's start.
    double at(long access) {
        double cycle = first;
        long left = access;
        for (Round r : rounds) {
            cycle += r.apart() * (left % Math.max(1, r.times()));
            left /= Math.max(1, r.times());
        }
        return cycle;
    }
}
