package knobscape.fusion.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Networks as rows and edges.
class RowReaderTest {
    private static final long WIDTH = 32;
    private static final long INNER = 48;
    private static final long EXPERTS = 8;

    /// Each token goes through the experts that a router picks for it.
    private static Network mixture(long tokens, long picked) {
        var b = new NetworkBuilder("mixture", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, tokens, WIDTH));
        String router = b.add("router", new Operator.MatMul(), x, b.weight("r", WIDTH, picked));
        String up = b.add("pick up", new Operator.Gather(0), b.weight("u", EXPERTS, WIDTH, INNER), router);
        String down = b.add("pick down", new Operator.Gather(0), b.weight("d", EXPERTS, INNER, WIDTH), router);
        String rows = b.add("rows", new Operator.Reshape(Shape.of(1, tokens, 1, 1, WIDTH)), x);
        String inner = b.add("up", new Operator.MatMul(), rows, up);
        return b.output(b.add("down", new Operator.MatMul(), inner, down)).build();
    }

    @ParameterizedTest
    @CsvSource({"64, 2, 8", "1, 2, 2", "3, 2, 6", "1, 1, 1"})
    void onlyExpertsThatCanBeActiveCount(long tokens, long picked, long active) {
        RowReader.Rows rows = RowReader.of(mixture(tokens, picked));
        List<RowNode> layers =
                rows.graph().nodes().stream().skip(rows.graph().inputs()).toList();
        assertThat(layers).extracting(RowNode::name).containsExactly("router", "up", "down");
        assertThat(rows.graph().inputs()).isEqualTo(1);
        for (RowNode n : layers.subList(1, 3)) {
            assertThat(n.work().weights()).isEqualTo(active * WIDTH * INNER);
            assertThat(n.work().macs()).isEqualTo(tokens * picked * WIDTH * INNER);
            assertThat(n.rows()).isEqualTo((int) tokens);
        }
        assertThat(rows.notes()).anyMatch(n -> n.contains("of 8 at most " + active + " are active"));
    }
}
