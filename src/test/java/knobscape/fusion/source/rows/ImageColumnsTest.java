package knobscape.fusion.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import knobscape.network.ElementType;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import org.junit.jupiter.api.Test;

final class ImageColumnsTest {
    @Test
    void columnsAreReadAlongTheOtherAxisOfTheWindow() {
        var b = new NetworkBuilder("columns", ElementType.INT8);
        String x = b.input("x", Shape.of(1, 3, 20, 31));
        var window = new Window(List.of(3, 5), List.of(1, 2), List.of(1, 2), List.of(1, 2), List.of(1, 1));
        String y = b.add("conv", new Operator.Conv(window, 1), x, b.weight("w", 4, 3, 3, 5));
        RowGraph g = RowReader.of(b.output(y).build()).graph();
        assertThat(g.node(1).edges()).containsExactly(RowEdge.window(0, 3, 1, 1));
        assertThat(g.columns(0).count()).isEqualTo(31);
        assertThat(g.columns(1)).isEqualTo(new ImageColumns(16, List.of(RowEdge.window(0, 5, 2, 2))));
    }

    @Test
    void tokensHaveNoColumns() {
        var b = new NetworkBuilder("tokens", ElementType.INT8);
        String x = b.input("x", Shape.of(1, 16, 32));
        RowGraph g = RowReader.of(b.output(b.add("dense", new Operator.MatMul(), x, b.weight("w", 32, 8)))
                        .build())
                .graph();
        assertThat(g.columns(1)).isEqualTo(ImageColumns.NONE);
    }
}
