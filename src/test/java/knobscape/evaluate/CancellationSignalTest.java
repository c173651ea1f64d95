package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void actionsRunOnceAndAtOnceWhereItIsCancelledAlready() {
        var runs = new AtomicInteger();
        signal.onCancel(runs::incrementAndGet);
        assertThat(signal.isCancelled()).isFalse();
        signal.throwIfCancelled();
        assertThat(runs).hasValue(0);
        signal.cancel();
        signal.cancel();
        assertThat(runs).hasValue(1);
        signal.onCancel(runs::incrementAndGet);
        assertThat(runs).hasValue(2);
        assertThat(signal.isCancelled()).isTrue();
        assertThatThrownBy(signal::throwIfCancelled).isInstanceOf(CancellationException.class);
    }
}
