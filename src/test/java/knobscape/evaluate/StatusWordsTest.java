package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import knobscape.evaluate.StatusWords.Meaning;
import knobscape.evaluate.StatusWords.Standing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusWordsTest {
    @ParameterizedTest
    @CsvSource({
        "status, STATUS",
        "Build Status, STATUS",
        "outcome, STATUS",
        "verdict, STATUS",
        "is_valid, GOOD_IF_TRUE",
        "isFeasible, GOOD_IF_TRUE",
        "feasible, GOOD_IF_TRUE",
        "timing met, GOOD_IF_TRUE",
        "passed, GOOD_IF_TRUE",
        "not_feasible, BAD_IF_TRUE",
        "not_failed, GOOD_IF_TRUE",
        "error, BAD_IF_TRUE",
        "error_message, BAD_IF_TRUE",
        "failed, BAD_IF_TRUE",
        "timed_out, BAD_IF_TRUE",
        "exit code, BAD_IF_TRUE",
        "returncode, BAD_IF_TRUE",
    })
    void namesOfColumnsInTheWordsPeopleUse(String name, Meaning meaning) {
        assertThat(StatusWords.meaning(name)).hasValue(meaning);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"unroll", "error_rate", "validation_loss", "pipeline", "fail_fast_depth", "latency", "state_bits"
            })
    void otherNamesAreNone(String name) {
        assertThat(StatusWords.meaning(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ok, GOOD",
        "0 errors, GOOD",
        "PASS, GOOD",
        "failed, BAD",
        "not ok, BAD",
        "Timed Out, BAD",
        "out of memory, BAD",
        "synthesis error, BAD",
        "cyclic, UNKNOWN",
        "8, UNKNOWN",
    })
    void textsOfAStatus(String text, Standing standing) {
        assertThat(StatusWords.standing(text)).isEqualTo(standing);
    }

    @ParameterizedTest
    @CsvSource({
        "GOOD_IF_TRUE, 0, BAD",
        "GOOD_IF_TRUE, True, GOOD",
        "GOOD_IF_TRUE, '', UNKNOWN",
        "BAD_IF_TRUE, '', GOOD",
        "BAD_IF_TRUE, None, GOOD",
        "BAD_IF_TRUE, 139, BAD",
        "BAD_IF_TRUE, timeout, BAD",
    })
    void theSameTextMeansTheOppositeUnderANameOfTheOpposite(Meaning meaning, String text, Standing standing) {
        assertThat(StatusWords.standing(meaning, text)).isEqualTo(standing);
    }

    @ParameterizedTest
    @CsvSource({
        "timeout, TIMED_OUT",
        "timing violated, TIMING",
        "unroutable, ROUTING",
        "does not fit, DOES_NOT_FIT",
        "wrong result, WRONG_RESULT",
        "infeasible, REJECTED",
        "no license, LICENCE",
        "failed, CRASHED",
    })
    void theKindOfAFailureFollowsFromItsWords(String text, FailureKind kind) {
        assertThat(StatusWords.kind(text)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "error message, true",
        "delay message, false",
        "notes, true",
        "log msg, true",
        "'', false",
        "delay, false"
    })
    void aNameMayBeThatOfAnExplanation(String name, boolean explains) {
        assertThat(StatusWords.isExplanation(name)).isEqualTo(explains);
    }

    @ParameterizedTest
    @CsvSource({
        "ok, true",
        "timing failed, true",
        "run is now ok, true",
        "the run is now ok, false",
        "done, false",
        "bad, false",
        "4, false",
        "'', false",
    })
    void aTextMayTellAStatusByItself(String text, boolean telling) {
        assertThat(StatusWords.isTelling(text)).isEqualTo(telling);
    }
}
