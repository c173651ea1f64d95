package knobscape.app.ui.plot;

import static org.assertj.core.api.Assertions.assertThat;

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
            var at = PlotTooltip.place(x, y, w, h, width, height);
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
}
