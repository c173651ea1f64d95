package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import knobscape.evaluate.CancellationSignal;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.space.StrategySpace;

/// A [Searcher] as an explorer, so that its evaluations are stored, shown and resumed like any other. The cost model is so cheap that the search runs ahead on a thread of its own, which ends by itself
/// when its budget is spent; proposals are handed out in the order it made them. A resumed run searches again from the same seed and skips what was answered.
public final class FusionExplorer implements Explorer {
    private final FusionMethod method;
    private final CostModel model;
    private final StrategySpace space;
    private final Constraint constraint;
    private final int evaluations;
    private final long seed;
    private final BlockingQueue<Found> found = new LinkedBlockingQueue<>();
    private boolean started;
    private int handedOut;

    /// What comes from the search: a strategy, a problem, or the end.
    private sealed interface Found {
        record One(Evaluated evaluated) implements Found { }

        record Problem(RuntimeException why) implements Found { }

        record End() implements Found { }
    }

    /// @param method who searches
    /// @param model what is searched
    /// @param space names the entries
    /// @param constraint how strategies that do not fit are seen
    /// @param evaluations most evaluations
    /// @param seed of everything random
    public FusionExplorer(FusionMethod method, CostModel model, StrategySpace space, Constraint constraint, int evaluations, long seed) {
        this.method = method;
        this.model = model;
        this.space = space;
        this.constraint = constraint;
        this.evaluations = evaluations;
        this.seed = seed;
    }

    @Override
    public String name() {
        return method.name();
    }

    /// None: a search begins with its first step.
    @Override
    public List<Proposal> initial() {
        return List.of();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        if (!started) {
            started = true;
            Thread.ofVirtual().name("fusion-search").start(this::search);
        }
        int first = history.steps() * count;
        var proposals = new ArrayList<Proposal>();
        while (handedOut < first + count) {
            Optional<Evaluated> next = next();
            if (next.isEmpty()) {
                break;
            }
            if (handedOut++ >= first) {
                proposals.add(new Proposal(space.configuration(next.get().strategy()), FusionEvaluator.MODEL, Double.NaN, Optional.empty(), method.label()));
            }
        }
        return proposals;
    }

    private Optional<Evaluated> next() {
        try {
            return switch (found.take()) {
                case Found.One one -> Optional.of(one.evaluated());
                case Found.Problem problem -> throw problem.why();
                case Found.End end -> {
                    found.add(end);
                    yield Optional.empty();
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("stopped on request");
        }
    }

    private void search() {
        try {
            Mapping.search(method.searcher(), model, constraint, evaluations, seed, e -> found.add(new Found.One(e)), new CancellationSignal());
            found.add(new Found.End());
        } catch (RuntimeException e) {
            found.add(new Found.Problem(e));
        }
    }
}
