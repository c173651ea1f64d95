package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import knobscape.explore.RunEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two hundred readers of one store, each with connections of its own as a process has them, while a run writes.
class ManyReadersTest {
    private static final int READERS = 200;

    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void twoHundredListAtOnceWhileARunWrites() throws Exception {
        BoxTools.makeProject(folder);
        var all = new CountDownLatch(READERS);
        var tools = BoxTools.tools();
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks();
                var readers = Executors.newFixedThreadPool(READERS)) {
            runner.start(BoxTools.opened(project, tools), BoxTools.settings(1), List.of())
                    .await();
            RunSession writer = runner.start(BoxTools.opened(project, tools), BoxTools.settings(40), List.of());
            var answers = new ArrayList<Future<List<Integer>>>();
            for (int i = 0; i < READERS; i++) {
                answers.add(readers.submit(() -> {
                    all.countDown();
                    all.await();
                    var seen = new ArrayList<Integer>();
                    try (Project own = Project.open(folder)) {
                        RunStore store = own.runs().orElseThrow();
                        for (RunRecord r : store.list()) {
                            seen.add(store.results(r.id()).designs().size());
                        }
                    }
                    return seen;
                }));
            }
            for (Future<List<Integer>> a : answers) {
                assertThat(a.get()).as("designs of each run").hasSize(2);
            }
            assertThat(writer.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        }
    }
}
