package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class CancellationSignalTest {
    private final CancellationSignal signal = new CancellationSignal();

    @Test
    void aWaitEndsByItself() {
        long begun = System.nanoTime();
        signal.sleep(Duration.ofMillis(20));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
    }

    @Test
    void aStopEndsAWait() {
        Thread.ofVirtual().start(signal::cancel);
        assertThatThrownBy(() -> signal.sleep(Duration.ofDays(1))).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> signal.sleep(Duration.ZERO)).isInstanceOf(CancellationException.class);
    }

    @Test
    void anInterruptEndsAWaitAndIsKept() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> signal.sleep(Duration.ofDays(1))).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
