package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectLockTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderThatNobodyLockedHasNoHolder() throws Exception {
        assertThat(ProjectLock.holder(folder)).isEmpty();
        // What a killed process leaves.
        Files.writeString(folder.resolve(ProjectLock.FILE_NAME), "process 1 on nowhere");
        assertThat(ProjectLock.holder(folder)).isEmpty();
    }

    @Test
    void thisProcessIsNamedWhileItHolds() {
        try (ProjectLock lock = ProjectLock.take(folder)) {
            assertThat(lock).isNotNull();
            assertThat(ProjectLock.holder(folder))
                    .hasValueSatisfying(who -> assertThat(who)
                            .matches("process " + ProcessHandle.current().pid() + " on .+"));
            assertThatThrownBy(() -> ProjectLock.take(folder))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
        }
        assertThat(ProjectLock.holder(folder)).isEmpty();
    }

    @Test
    void anotherProcessIsNamedUntilItDies() throws Exception {
        Process other = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Holder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = other.inputReader()) {
            assertThat(said.readLine()).isEqualTo("held");
            assertThat(ProjectLock.holder(folder))
                    .hasValueSatisfying(who -> assertThat(who).startsWith("process " + other.pid() + " on "));
            assertThatThrownBy(() -> ProjectLock.take(folder))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("in use by process " + other.pid());
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(ProjectLock.holder(folder)).isEmpty();
        ProjectLock.take(folder).close();
    }

    /// Holds a folder until it is killed.
    static final class Holder {
        public static void main(String[] arguments) throws InterruptedException {
            ProjectLock lock = ProjectLock.take(Path.of(arguments[0]));
            System.out.println("held");
            Thread.sleep(60_000);
            lock.close();
        }
    }
}
