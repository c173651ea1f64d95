package knobscape.app.system;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.MemoryUsage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpareMemoryTest {
    @Test
    void littleIsNotWorthAPause() {
        assertFalse(SpareMemory.worthCollecting(used(90), Optional.empty()));
        assertFalse(SpareMemory.worthCollecting(used(180), Optional.of(used(100))));
    }

    @Test
    void whatDoubledIsCollected() {
        assertTrue(SpareMemory.worthCollecting(used(100), Optional.empty()));
        assertTrue(SpareMemory.worthCollecting(used(801), Optional.of(used(400))));
    }

    /// Else a window with much alive would be collected over and over.
    @Test
    void whatIsAliveIsLeftAlone() {
        assertFalse(SpareMemory.worthCollecting(used(790), Optional.of(used(400))));
        assertFalse(SpareMemory.worthCollecting(used(2000), Optional.of(used(2000))));
    }

    private static MemoryUsage used(long mega) {
        return new MemoryUsage(0, mega << 20, 4096L << 20, 4096L << 20);
    }
}
