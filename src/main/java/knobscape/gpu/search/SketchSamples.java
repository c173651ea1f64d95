package knobscape.gpu.search;

import java.util.List;
import java.util.stream.IntStream;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.feature.SubgraphFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.space.Configuration;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.NodeGraph;

/// The measurements of Ansor's search on kernels of networks: the rows that cost models learn from and are compared
/// on. [SketchCollector] collects them.
public final class SketchSamples {
    /// A kernel with its measurements.
    ///
    /// @param name of its work and tail
    record Kernel(String name, NodeGraph graph, List<RunRecords.Row> rows) {
        /// A kernel with what it was measured at.
        ///
        /// @param times in milliseconds, in the order of the configurations; 0 where nothing ran
        static Kernel of(String name, NetworkKernel k, List<Configuration> configurations, double[] times) {
            var source = (SketchSource) k.source().orElseThrow();
            var tail = k.tails().getFirst().epilogue();
            List<RunRecords.Row> rows = IntStream.range(0, configurations.size())
                    .parallel()
                    .mapToObj(i -> new RunRecords.Row(
                            ScheduleFeatures.of(source.schedule(configurations.get(i), tail)),
                            times[i] > 0 ? 1 / times[i] : 0,
                            times[i] > 0 ? times[i] : Double.POSITIVE_INFINITY))
                    .toList();
            return new Kernel(name, SubgraphFeatures.of(source.computation(tail)), rows);
        }
    }

    private final List<Kernel> kernels;
    private final String fingerprint;

    SketchSamples(List<Kernel> kernels, String fingerprint) {
        this.kernels = List.copyOf(kernels);
        this.fingerprint = fingerprint;
    }

    /// The kernels with their measurements.
    List<Kernel> kernels() {
        return kernels;
    }

    /// Of what was measured.
    public String fingerprint() {
        return fingerprint;
    }

    /// All rows of kernels of which anything ran; the target is as in [RunRecords#graphRows()].
    public GraphRows graphRows() {
        return GraphRows.join(kernels.stream()
                .filter(k -> k.rows.stream().anyMatch(r -> r.score() > 0))
                .map(k -> RunRecords.graphRows(k.graph, k.rows))
                .toList());
    }
}
