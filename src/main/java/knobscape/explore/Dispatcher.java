package knobscape.explore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;

/// Sends proposals to their evaluators and hands back what arrives. Answers of real tools come as they come.
/// Answers of evaluators that only simulate the time they take come in the order of their simulated ends, of
/// equals the one that was sent first, so that a run with several designs in flight repeats from its seed.
final class Dispatcher {
    /// Something came back: a stage, or a problem instead of the rest.
    ///
    /// @param at simulated time, 0 of real tools
    record Arrival(
            DispatchedProposal flight, Optional<Evaluation> stage, Optional<RuntimeException> problem, double at) {}

    private final boolean simulated;
    private final Executor tools;
    private final CancellationSignal stop;
    private final LinkedBlockingQueue<Arrival> back = new LinkedBlockingQueue<>();
    private final PriorityQueue<Ordered> simulatedBack = new PriorityQueue<>(
            Comparator.comparingDouble((Ordered o) -> o.arrival.at()).thenComparingLong(Ordered::order));
    private long order;
    private double now;

    private record Ordered(Arrival arrival, long order) {}

    /// @param simulated whether all evaluators simulate their time
    /// @param tools runs real evaluations
    /// @param stop given to the evaluators
    Dispatcher(boolean simulated, Executor tools, CancellationSignal stop) {
        this.simulated = simulated;
        this.tools = tools;
        this.stop = stop;
    }

    /// Simulated time of the last arrival, 0 with real tools.
    double now() {
        return now;
    }

    /// Sets the simulated clock to what a replayed stage says.
    void replayed(DispatchedProposal flight) {
        now = simulated ? Math.max(now, flight.now()) : 0;
    }

    void send(DispatchedProposal flight, Evaluator evaluator) {
        EvaluatorInfo info = evaluator.info();
        if (!simulated) {
            tools.execute(() -> evaluate(flight, evaluator, info));
            return;
        }
        double at = flight.now();
        var stages = new ArrayList<Evaluation>();
        evaluator.evaluate(flight.request(info), stages::add, stop);
        checkComplete(flight, stages, info);
        for (Evaluation e : stages) {
            at += e.costSeconds();
            simulatedBack.add(new Ordered(new Arrival(flight, Optional.of(e), Optional.empty(), at), order++));
        }
    }

    /// The last stage is handed back when the evaluator is done with the design, so that its slot is really
    /// free.
    private void evaluate(DispatchedProposal flight, Evaluator evaluator, EvaluatorInfo info) {
        var held = new ArrayList<Evaluation>();
        var all = new ArrayList<Evaluation>();
        try {
            evaluator.evaluate(
                    flight.request(info),
                    e -> {
                        all.add(e);
                        if (flight.isLast(e)) {
                            held.add(e);
                        } else {
                            back.add(new Arrival(flight, Optional.of(e), Optional.empty(), 0));
                        }
                    },
                    stop);
            checkComplete(flight, all, info);
            back.add(new Arrival(flight, Optional.of(held.getFirst()), Optional.empty(), 0));
        } catch (RuntimeException e) {
            back.add(new Arrival(flight, Optional.empty(), Optional.of(e), 0));
        }
    }

    private static void checkComplete(DispatchedProposal flight, List<Evaluation> stages, EvaluatorInfo info) {
        if (stages.isEmpty() || !flight.isLast(stages.getLast())) {
            throw new IllegalStateException(info.name() + " gave no evaluation for "
                    + flight.place().proposal().configuration());
        }
    }

    /// The next arrival. Waits for real tools also where this thread is interrupted: the interrupt becomes a
    /// stop, which the tools obey.
    Arrival next() {
        if (simulated) {
            Arrival next = simulatedBack.remove().arrival;
            now = Math.max(now, next.at());
            return next;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return back.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                    stop.cancel();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// True if nothing but a stop is the problem.
    static boolean isStop(Optional<RuntimeException> problem) {
        return problem.isPresent() && problem.get() instanceof CancellationException;
    }
}
