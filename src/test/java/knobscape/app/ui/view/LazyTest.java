package knobscape.app.ui.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LazyTest {
    @Test
    void madeOnceWhenFirstAskedForAndNotBefore() {
        var made = new AtomicInteger();
        var lazy = new Lazy<>(made::incrementAndGet);
        assertThat(lazy.ifMade()).isEmpty();
        assertThat(made).hasValue(0);
        assertThat(lazy.get()).isEqualTo(1);
        assertThat(lazy.get()).isEqualTo(1);
        assertThat(lazy.ifMade()).contains(1);
    }
}
