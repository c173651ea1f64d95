package knobscape.app.ui.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.geom.Rectangle2D;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlotTooltipTest {
    @Test
    void theCardNeverCoversItsPointWhereItFitsBesideItInAnyDirection() {
        var random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            double width = 200 + random.nextInt(1000);
            double height = 100 + random.nextInt(700);
            double w = 40 + random.nextInt(300);
            double h = 20 + random.nextInt(200);
            double x = random.nextDouble() * width;
            double y = random.nextDouble() * height;
            var at = PlotTooltip.place(x, y, w, h, width, height, card -> random.nextDouble());
            boolean covers = at.getX() <= x && x <= at.getX() + w && at.getY() <= y && y <= at.getY() + h;
            boolean room = Math.max(x, width - x) > w + 14 || Math.max(y, height - y) > h + 14;
            assertThat(covers && room)
                    .as("%s %s in %s x %s, card %s x %s", x, y, width, height, w, h)
                    .isFalse();
            if (w <= width && h <= height) {
                assertThat(at.getX()).isBetween(0.0, width - w);
                assertThat(at.getY()).isBetween(0.0, height - h);
            }
        }
    }

    /// Marks right of the mouse, below and above; a card left of it covers none. With marks all round, an empty corner.
    @Test
    void theCardStandsWhereItCoversLeast() {
        var right = new Rectangle2D.Double(400, 0, 400, 600);
        var card = PlotTooltip.place(400, 300, 200, 40, 800, 600, c -> c.intersects(right) ? 0.5 : 0);
        assertThat(card.getX() + 200).isLessThan(400);
        var round = new Rectangle2D.Double(100, 100, 500, 500);
        var corner = PlotTooltip.place(350, 350, 200, 40, 800, 600, c -> c.intersects(round) ? 0.5 : 0);
        assertThat(round.intersects(corner.getX(), corner.getY(), 200, 40)).isFalse();
        // Where it makes little difference it stays beside the mouse.
        var beside = PlotTooltip.place(350, 350, 200, 40, 800, 600, c -> c.intersects(round) ? 0.02 : 0);
        assertThat(beside.distance(350, 350)).isLessThan(30);
    }
}
