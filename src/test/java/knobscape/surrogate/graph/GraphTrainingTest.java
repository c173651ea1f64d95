package knobscape.surrogate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.surrogate.graph.NodeGraph.Edge;
import knobscape.surrogate.neural.TorchRuntime;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Training finds what there is to find, and what is stopped and resumed ends in the same weights.
class GraphTrainingTest {
    private static final GraphTraining.Settings FEW = new GraphTraining.Settings(6, 16, 1e-3, false, 7);

    @TempDir
    private Path folder;

    @BeforeEach
    void torchIsThere() {
        assumeThat(TorchRuntime.problem()).as("LibTorch").isEmpty();
    }

    /// Rows of two graphs; the target is a sum of two statistics and a level of the graph.
    private static GraphRows rows(int n, long seed) {
        var random = new SplittableRandom(seed);
        double[][] a = new double[2][GraphArchitecture.NODE];
        a[0][3] = 1;
        a[1][5] = 2;
        var graphs =
                List.of(new NodeGraph(a, List.of(new Edge(0, 1))), new NodeGraph(new double[][] {a[0]}, List.of()));
        float[][] x = new float[n][GraphArchitecture.STATISTICS];
        int[] of = new int[n];
        double[] y = new double[n];
        for (int i = 0; i < n; i++) {
            of[i] = i % 2;
            for (int j = 0; j < 20; j++) {
                x[i][j * 7] = (float) random.nextGaussian();
            }
            y[i] = x[i][7] - 2 * x[i][14] + 3 * of[i];
        }
        return new GraphRows(graphs, of, x, y);
    }

    private static GraphModelFile.Provenance provenance(GraphTraining.Settings s) {
        return new GraphModelFile.Provenance(1, "abc", "a device", "a network", 64, s);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void learnsTheOrderOfRowsNotSeen(boolean ranks) {
        GraphRows rows = rows(256, 1);
        var training =
                GraphTraining.begin(GraphArchitecture.GTUNER, new GraphTraining.Settings(15, 64, 1e-3, ranks, 3), rows);
        training.advance(training.steps(), new CancellationSignal());
        GraphRows test = rows(100, 2);
        for (int g = 0; g < 2; g++) {
            int graph = g;
            int[] own = IntStream.range(0, 100)
                    .filter(i -> test.graphOf()[i] == graph)
                    .toArray();
            GraphRows part = test.rows(own);
            double[] predicted = training.model().predict(test.graphs().get(g), part.statistics());
            int right = 0;
            int pairs = 0;
            for (int i = 0; i < own.length; i++) {
                for (int j = 0; j < i; j++) {
                    pairs++;
                    right += (predicted[i] < predicted[j]) == (part.target()[i] < part.target()[j]) ? 1 : 0;
                }
            }
            assertThat((double) right / pairs).isGreaterThan(0.9);
        }
        double[] curve = training.curve();
        assertThat(curve).hasSize(15);
        assertThat(curve[14]).isLessThan(curve[0] / 2);
    }

    @Test
    void stoppedAndResumedItIsTheSame() {
        GraphRows rows = rows(64, 5);
        Path whole = folder.resolve("whole.gat");
        Path pieces = folder.resolve("pieces.gat");
        var architecture = GraphArchitecture.GTUNER;
        GraphModelFile.train(whole, architecture, provenance(FEW), rows, (d, o, l, r) -> {}, new CancellationSignal());
        var stop = new CancellationSignal();
        assertThatThrownBy(() -> GraphModelFile.train(
                        pieces,
                        architecture,
                        provenance(FEW),
                        rows,
                        (done, of, loss, rate) -> {
                            if (done == 2) {
                                stop.cancel();
                            }
                        },
                        stop))
                .isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> GraphModelFile.read(pieces, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not finished");
        assertThatThrownBy(() -> GraphModelFile.train(
                        pieces,
                        architecture,
                        provenance(new GraphTraining.Settings(6, 16, 1e-3, false, 9)),
                        rows,
                        (d, o, l, r) -> {},
                        new CancellationSignal()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("other settings");
        GraphModelFile.train(pieces, architecture, provenance(FEW), rows, (d, o, l, r) -> {}, new CancellationSignal());
        assertThat(pieces).hasSameBinaryContentAs(whole);
        GraphModelFile.TrainedModel read = GraphModelFile.read(whole, 1);
        assertThat(read.provenance()).isEqualTo(provenance(FEW));
        assertThat(read.curve()).hasSize(FEW.epochs());
    }

    @Test
    void damagedAndForeignFilesAreNamed() throws Exception {
        Path file = folder.resolve("m.gat");
        GraphModelFile.train(
                file,
                GraphArchitecture.GTUNER,
                provenance(FEW),
                rows(32, 5),
                (d, o, l, r) -> {},
                new CancellationSignal());
        assertThatThrownBy(() -> GraphModelFile.read(file, 2))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("other features");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> GraphModelFile.read(file, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("damaged");
        Files.writeString(file, "something else");
        assertThatThrownBy(() -> GraphModelFile.read(file, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no graph model");
    }

    @ParameterizedTest
    @EnumSource(GraphArchitecture.Convolution.class)
    void gradientsAreTheSlopesOfTheLoss(GraphArchitecture.Convolution convolution) {
        var architecture = new GraphArchitecture(convolution, true);
        var network = new GraphNetwork(architecture, torch.ScalarType.Double);
        GraphRows rows = rows(8, 11);
        float[] initial = architecture.initial(3);
        double[] weights = new double[initial.length];
        Arrays.setAll(weights, i -> initial[i]);
        double[] gradient = new double[weights.length];
        network.loss(weights, rows, GraphNetwork.Loss.SQUARE, gradient);
        double[] unused = new double[weights.length];
        var random = new SplittableRandom(4);
        double h = 1e-5;
        for (int k = 0; k < 4; k++) {
            int i = random.nextInt(weights.length);
            double at = weights[i];
            weights[i] = at + h;
            double above = network.loss(weights, rows, GraphNetwork.Loss.SQUARE, unused);
            weights[i] = at - h;
            double below = network.loss(weights, rows, GraphNetwork.Loss.SQUARE, unused);
            weights[i] = at;
            assertThat(gradient[i]).isCloseTo((above - below) / (2 * h), within(1e-6));
        }
    }

    @Test
    void nodesAreToldApartByNumberAlone() {
        // The same graph with its nodes in another order has the same embedding.
        var random = new SplittableRandom(8);
        double[][] nodes = new double[4][GraphArchitecture.NODE];
        for (double[] node : nodes) {
            Arrays.setAll(node, j -> random.nextGaussian());
        }
        var one = new NodeGraph(nodes, List.of(new Edge(0, 1), new Edge(1, 2), new Edge(1, 3)));
        var other = new NodeGraph(
                new double[][] {nodes[2], nodes[1], nodes[0], nodes[3]},
                List.of(new Edge(1, 3), new Edge(1, 0), new Edge(2, 1)));
        float[][] x = new float[2][GraphArchitecture.STATISTICS];
        x[1][4] = 1;
        var training = GraphTraining.begin(GraphArchitecture.GTUNER, FEW, rows(32, 2));
        double[] a = training.model().predict(one, x);
        double[] b = training.model().predict(other, x);
        assertThat(b[0]).isCloseTo(a[0], within(1e-5));
        assertThat(b[1]).isCloseTo(a[1], within(1e-5));
    }
}
