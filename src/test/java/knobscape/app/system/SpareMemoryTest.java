package knobscape.app.system;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpareMemoryTest {
    private static final long MEGA = 1 << 20;

    @Test
    void littleIsNotWorthAPause() {
        assertFalse(SpareMemory.worthCollecting(150 * MEGA, 64 * MEGA));
        assertFalse(SpareMemory.worthCollecting(580 * MEGA, 400 * MEGA));
    }

    @Test
    void whatGrewByHalfIsCollected() {
        assertTrue(SpareMemory.worthCollecting(170 * MEGA, 64 * MEGA));
        assertTrue(SpareMemory.worthCollecting(601 * MEGA, 400 * MEGA));
    }

    /// Else a heap that is large by somebody's wish, or by what is alive, would be collected over and over.
    @Test
    void whatIsLargeAndDoesNotGrowIsLeftAlone() {
        assertFalse(SpareMemory.worthCollecting(4000 * MEGA, 4000 * MEGA));
    }
}
