package knobscape.app.ui.plot;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import javafx.scene.image.PixelBuffer;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;

/// The sheet of a figure, drawn on away from the screen, and shown without a copy. Figures of a run are drawn several
/// times a second: a sheet that is no longer shown is drawn on again, which spares the memory of a picture, and of its
/// texture, each time.
final class Paper {
    private final BufferedImage picture;
    private final PixelBuffer<IntBuffer> buffer;
    private final WritableImage image;

    private Paper(int width, int height) {
        picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB_PRE);
        buffer = new PixelBuffer<>(width, height, IntBuffer.wrap(pixels()), PixelFormat.getIntArgbPreInstance());
        image = new WritableImage(buffer);
    }

    /// The sheets of one place on the screen that are not shown there. Of any thread.
    static final class Spare {
        /// One drawn on while another waits for a busy screen.
        private static final int MOST = 2;

        private final Deque<Paper> kept = new ArrayDeque<>();

        /// An empty sheet.
        ///
        /// @param width in pixels, at least 1
        /// @param height in pixels, at least 1
        synchronized Paper take(int width, int height) {
            kept.removeIf(p -> p.picture.getWidth() != width || p.picture.getHeight() != height);
            if (kept.isEmpty()) {
                return new Paper(width, height);
            }
            Paper old = kept.pop();
            Arrays.fill(old.pixels(), 0);
            return old;
        }

        /// Keeps a sheet that nobody looks at any more.
        synchronized void give(Paper paper) {
            if (kept.size() < MOST) {
                kept.push(paper);
            }
        }
    }

    /// The picture that is drawn into.
    BufferedImage picture() {
        return picture;
    }

    /// ARGB, premultiplied, row by row.
    int[] pixels() {
        return ((DataBufferInt) picture.getRaster().getDataBuffer()).getData();
    }

    /// The picture as drawn now; on the JavaFX thread.
    WritableImage image() {
        // Null says that all of it has changed.
        buffer.updateBuffer(b -> null);
        return image;
    }
}
