package knobscape.app.system;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SpareMemoryTest {
    private static boolean atRest(long heapMegabytes, long before) {
        return isTime(5, 40, heapMegabytes, before);
    }

    private static boolean isTime(double quietSeconds, double apart, long heapMegabytes, long before) {
        return SpareMemory.isTime(nanos(quietSeconds), nanos(apart), heapMegabytes << 20, before << 20);
    }

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void littleIsNotWorthAPause() {
        assertFalse(atRest(150, 64));
        assertFalse(atRest(580, 400));
    }

    @Test
    void whatGrewByHalfIsCollectedAtRest() {
        assertTrue(atRest(170, 64));
        assertTrue(atRest(601, 400));
        assertFalse(isTime(3, 40, 601, 400));
        assertFalse(isTime(5, 20, 601, 400));
    }

    /// Opening a project of very many designs leaves twice what it needs, and nobody rests then.
    @Test
    void whatDoubledIsCollectedInAMomentWithoutInput() {
        assertTrue(isTime(1.2, 10, 801, 400));
        assertFalse(isTime(1.2, 10, 799, 400));
        assertFalse(isTime(1.2, 10, 250, 64));
        assertFalse(isTime(.5, 10, 801, 400));
        assertFalse(isTime(1.2, 5, 801, 400));
    }

    /// Else a heap that is large by somebody's wish, or by what is alive, would be collected over and over.
    @Test
    void whatIsLargeAndDoesNotGrowIsLeftAlone() {
        assertFalse(atRest(4000, 4000));
    }
}
