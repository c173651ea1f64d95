package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluation;
import knobscape.explore.History;
import knobscape.explore.SearchStanding;
import knobscape.gpu.space.feature.SubgraphFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.surrogate.graph.GraphModel;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.NodeGraph;

/// The shared records of a run: all that was measured of its kernels, as cost models see it, and the model that
/// was trained before. Searches of the run see it in the order in which answers came, so that a resumed run sees the
/// same.
public final class RunRecords {
    private final Optional<GraphModel> stored;
    private final List<Kernel> kernels = new ArrayList<>();
    /// Rows by kernel that the model of now learns from; empty before the first.
    private List<Integer> learned = List.of();
    /// The records that [#fitted] has learned from.
    private List<Integer> fittedTo = List.of(-1);
    private Optional<ScheduleScorer.Scorer> fitted = Optional.empty();

    /// One measurement.
    ///
    /// @param score of the evaluation, 0 for a failure
    /// @param milliseconds of one call, positive infinity for a failure
    record Row(ScheduleFeatures features, double score, double milliseconds) {}

    private static final class Kernel {
        private final KernelNests nests;
        private final ToDoubleFunction<Evaluation> score;
        private final NodeGraph graph;
        private final List<Row> rows = new ArrayList<>();
        private final Map<Object, Row> known = new HashMap<>();
        private int seen;

        Kernel(KernelNests nests, ToDoubleFunction<Evaluation> score, NodeGraph graph) {
            this.nests = nests;
            this.score = score;
            this.graph = graph;
        }
    }

    /// @param stored a model trained before the run
    public RunRecords(Optional<GraphModel> stored) {
        this.stored = stored;
    }

    /// The model trained before.
    Optional<GraphModel> stored() {
        return stored;
    }

    /// Adds a kernel of sketches; its number, in the order of the calls.
    ///
    /// @param score how good an evaluation is, 0 for a failure
    int add(KernelNests nests, ToDoubleFunction<Evaluation> score) {
        NodeGraph graph = SubgraphFeatures.of(((SketchSource) nests.source()).computation(nests.tail()));
        kernels.add(new Kernel(nests, score, graph));
        return kernels.size() - 1;
    }

    /// Sees what all kernels have learned, which are the first subjects of a run; to be called before every turn.
    public void look(List<SearchStanding> subjects) {
        for (int k = 0; k < kernels.size(); k++) {
            look(k, subjects.get(k).history());
        }
    }

    /// Sees what a kernel has learned.
    void look(int kernel, History history) {
        Kernel k = kernels.get(kernel);
        List<Evaluation> all = history.evaluations();
        for (; k.seen < all.size(); k.seen++) {
            Evaluation e = all.get(k.seen);
            if (!k.known.containsKey(e.configuration())) {
                double score = k.score.applyAsDouble(e);
                var row = new Row(
                        ScheduleFeatures.of(k.nests.schedule(e.configuration())),
                        score,
                        score <= 0 ? Double.POSITIVE_INFINITY : e.value("time").orElse(1 / score));
                k.known.put(e.configuration(), row);
                k.rows.add(row);
            }
        }
    }

    /// Measurements in all.
    int size() {
        return kernels.stream().mapToInt(k -> k.rows.size()).sum();
    }

    /// The graph of a kernel.
    NodeGraph graph(int kernel) {
        return kernels.get(kernel).graph;
    }

    /// All measurements by kernel.
    List<List<Row>> rows() {
        return kernels.stream().map(k -> List.copyOf(k.rows)).toList();
    }

    /// All measurements of kernels of which anything ran; the target is the natural logarithm of milliseconds, of a
    /// failure that of twice the longest time of its kernel.
    GraphRows graphRows() {
        return GraphRows.join(kernels.stream()
                .filter(k -> k.rows.stream().anyMatch(r -> r.score > 0))
                .map(k -> graphRows(k.graph, k.rows))
                .toList());
    }

    /// Natural logarithms of milliseconds, of a failure that of twice the longest time.
    ///
    /// @param rows of one kernel, of which at least one ran
    static double[] logMilliseconds(List<Row> rows) {
        double longest = rows.stream()
                .mapToDouble(Row::milliseconds)
                .filter(Double::isFinite)
                .max()
                .orElseThrow();
        return rows.stream()
                .mapToDouble(r -> Math.log(Math.min(2 * longest, r.milliseconds)))
                .toArray();
    }

    static GraphRows graphRows(NodeGraph graph, List<Row> rows) {
        return new GraphRows(
                List.of(graph),
                new int[rows.size()],
                rows.stream().map(r -> r.features.joined()).toArray(float[][]::new),
                logMilliseconds(rows));
    }

    /// The model of what is known, the same for whichever search asks: it learns again when there are as many more rows
    /// than it has seen as it has patience for.
    Optional<ScheduleScorer.Scorer> model(ScheduleScorer model) {
        List<Integer> now = kernels.stream().map(k -> k.rows.size()).toList();
        int before = sum(learned);
        if (learned.isEmpty() || sum(now) - before >= model.patience(this, before)) {
            learned = now;
        }
        if (!learned.equals(fittedTo)) {
            RunRecords seen = upTo(learned);
            fitted = model.fit(seen, 1 + seen.size());
            fittedTo = learned;
        }
        return fitted;
    }

    private static int sum(List<Integer> counts) {
        return counts.stream().mapToInt(c -> c).sum();
    }

    private RunRecords upTo(List<Integer> counts) {
        var some = new RunRecords(stored);
        for (int k = 0; k < kernels.size(); k++) {
            Kernel all = kernels.get(k);
            var kernel = new Kernel(all.nests, all.score, all.graph);
            kernel.rows.addAll(all.rows.subList(0, Math.min(all.rows.size(), counts.get(k))));
            some.kernels.add(kernel);
        }
        return some;
    }

    /// The records that the model of now has learned from, for [#restore].
    String learned() {
        return learned.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// Takes over what [#learned] gave, if that is later than what is known.
    void restore(String text) {
        List<Integer> counts = text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
        if (counts.size() == kernels.size() && sum(counts) > sum(learned)) {
            learned = counts;
        }
    }
}
