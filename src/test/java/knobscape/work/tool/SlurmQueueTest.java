package knobscape.work.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What Slurm prints, and what it is given.
class SlurmQueueTest {
    @Test
    void statesOfJobsAndOfTasksOfArraysAreRead() {
        assertThat(SlurmQueue.states("""
                17|RUNNING
                18_0|COMPLETED
                18_1|FAILED
                18_12|NODE_FAIL
                """))
                .isEqualTo(Map.of("17", "RUNNING", "18_0", "COMPLETED", "18_1", "FAILED", "18_12", "NODE_FAIL"));
    }

    @Test
    void remarksOfTheAccountingAreNoPartOfTheState() {
        assertThat(SlurmQueue.states("""
                18_0|CANCELLED by 1000
                18_0.batch|CANCELLED
                18_1|CANCELLED+
                18_2|OUT_OF_MEMORY
                """))
                .isEqualTo(Map.of("18_0", "CANCELLED", "18_1", "CANCELLED", "18_2", "OUT_OF_MEMORY"));
    }

    @Test
    void whatNamesNoJobIsLeftOut() {
        assertThat(SlurmQueue.states("""
                slurm_load_jobs error: Invalid job id specified
                Slurm accounting storage is disabled
                18_[3-5%2]|PENDING
                |RUNNING
                99999999999999999999|RUNNING
                17|
                17|RUNNING|x
                """)).isEmpty();
        assertThat(SlurmQueue.states("")).isEmpty();
    }

    @Test
    void aTaskBelongsToItsArray() {
        assertThat(SlurmQueue.base("18_12")).isEqualTo("18");
        assertThat(SlurmQueue.base("18")).isEqualTo("18");
    }

    @Test
    void jobsThatWaitOrComeAgainAreUnderWay() {
        assertThat(List.of("PENDING", "RUNNING", "COMPLETING", "REQUEUED", "SUSPENDED"))
                .allMatch(SlurmQueue::isUnderWay);
        assertThat(List.of(
                        "COMPLETED",
                        "FAILED",
                        "NODE_FAIL",
                        "TIMEOUT",
                        "OUT_OF_MEMORY",
                        "CANCELLED",
                        SlurmQueue.UNKNOWN))
                .noneMatch(SlurmQueue::isUnderWay);
    }

    @Test
    void theScriptOfAnArrayFindsTheFolderOfEachTask() {
        assertThat(SlurmSubmission.script(List.of(Path.of("/a b/it's.sh"), Path.of("/c.sh"))))
                .isEqualTo("""
                        #!/bin/sh
                        case "${SLURM_ARRAY_TASK_ID:-0}" in
                        0) exec sh '/a b/it'\\''s.sh' ;;
                        1) exec sh '/c.sh' ;;
                        esac
                        """);
    }

    @Test
    void aClusterThatBabblesIsQuotedInOneShortLine() {
        assertThat(SlurmSubmission.reason("word\n".repeat(600_000)))
                .hasSize(303)
                .startsWith("word word")
                .endsWith("...");
        assertThat(SlurmSubmission.reason(" no\npartition \n")).isEqualTo("no partition");
        assertThat(SlurmQueue.states("4242|WIBBLE!\n\u001b[2J|RUNNING\n" + "9".repeat(50) + "|RUNNING\n"))
                .isEmpty();
    }
}
