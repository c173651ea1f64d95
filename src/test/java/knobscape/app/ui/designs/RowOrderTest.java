package knobscape.app.ui.designs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javafx.collections.ListChangeListener;
import org.junit.jupiter.api.Test;

class RowOrderTest {
    @Test
    void itIsTheListOfItsIndexes() {
        RowOrder order = RowOrder.of(IntStream.of(7, 3, 300_000));
        assertThat(order).isEqualTo(List.of(7, 3, 300_000));
        assertThat(order.indexOf(300_000)).isEqualTo(2);
        assertThat(order.indexOf(4)).isEqualTo(-1);
        assertThat(RowOrder.of(IntStream.of(7, 3)).isStartOf(order)).isTrue();
        assertThat(order.isStartOf(order)).isTrue();
        assertThat(order.isStartOf(RowOrder.of(IntStream.of(7, 3)))).isFalse();
        assertThat(RowOrder.of(IntStream.of(7, 4)).isStartOf(order)).isFalse();
    }

    @Test
    void rowsThatFollowAreToldAsAdded() {
        var rows = new RowList();
        var told = new ArrayList<String>();
        rows.addListener((ListChangeListener<Integer>) c -> {
            while (c.next()) {
                told.add(c.wasReplaced() ? "replaced" : "added " + c.getFrom() + " to " + c.getTo());
            }
        });
        rows.replace(RowOrder.of(IntStream.of(1, 2)));
        rows.replace(RowOrder.of(IntStream.of(1, 2, 3)));
        rows.replace(RowOrder.of(IntStream.of(1, 2, 3)));
        rows.replace(RowOrder.of(IntStream.of(3, 2, 1)));
        assertThat(told).containsExactly("added 0 to 2", "added 2 to 3", "replaced");
        assertThat(rows).containsExactly(3, 2, 1);
    }
}
