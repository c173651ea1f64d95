package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EvaluatorKindTest {
    @Test
    void anEvaluatorIsOfAKindAloneOrWithWhatItWorksOn() {
        assertThat(EvaluatorKind.REPLAY.isOf("replay")).isTrue();
        assertThat(EvaluatorKind.REPLAY.isOf("replay:a:b.csv")).isTrue();
        assertThat(EvaluatorKind.REPLAY.isOf("replayed:a")).isFalse();
        assertThat(EvaluatorKind.REPLAY.argument("replay:a:b.csv")).contains("a:b.csv");
        assertThat(EvaluatorKind.REPLAY.argument("replay")).isEmpty();
        assertThat(EvaluatorKind.REPLAY.argument("replay:  ")).isEmpty();
        assertThat(EvaluatorKind.REPLAY.argument("model:t4")).isEmpty();
        assertThat(EvaluatorKind.REPLAY.hasArgument("replay:x")).isTrue();
    }

    @Test
    void aNameThatIsMadeIsReadBack() {
        for (String argument : new String[] {"x", "/a/b c.csv", "C:\\d.csv"}) {
            String name = EvaluatorKind.COMMAND.with(argument);
            assertThat(EvaluatorKind.of(name)).isEqualTo(EvaluatorKind.COMMAND);
            assertThat(EvaluatorKind.COMMAND.argument(name)).contains(argument);
        }
        assertThat(EvaluatorKind.COMMAND.with(" ")).isEqualTo("command");
    }
}
