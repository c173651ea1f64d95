package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class UserErrorTest {
    @Test
    void theReasonIsTheFirstLineOrTheKindOfWhatWentWrong() {
        assertThat(UserError.reason(new IOException("disk full\nat block 7"))).isEqualTo("disk full");
        assertThat(UserError.reason(new IOException())).isEqualTo("IOException");
        assertThat(UserError.reason(new IOException("  \nx"))).isEqualTo("IOException");
        assertThat(UserError.reason(new IOException(""))).isEqualTo("IOException");
        assertThat(UserError.capital(new IOException("disk full"))).isEqualTo("Disk full");
    }

    @Test
    void itsCauseIsKept() {
        var cause = new IOException("disk full");
        assertThat(new UserError("Cannot write 'a'.", cause))
                .hasMessage("Cannot write 'a'.")
                .hasCause(cause);
    }
}
