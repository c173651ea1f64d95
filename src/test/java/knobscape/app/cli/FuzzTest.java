package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changed files of every kind, read by what a person types: each ends in a result or in one sentence within ten
/// seconds of computing. Inputs
/// that once did not are kept in `src/test/resources/knobscape/fuzz`, packed, a folder per kind.
///
/// `-Dknobscape.fuzz=N` inputs (default 100 000), `-Dknobscape.fuzz.seed=N`, `-Dknobscape.fuzz.kind=NAME` for one
/// kind alone, `-Dknobscape.fuzz.keep=DIR` for what fails.
class FuzzTest {
    private static final long COMPUTING_SECONDS = 10;
    /// One that does not compute may wait for nothing: so long, for other programs want the processors too.
    private static final long WAITING_SECONDS = 1200;

    private static final System.Logger LOG = System.getLogger(FuzzTest.class.getName());

    @TempDir
    private Path folder;

    private final ExecutorService worker =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory());

    private int places;
    private Path place;
    private Terminal terminal;

    @BeforeEach
    void begin() {
        place = folder.resolve("place" + places++);
        terminal = Terminal.ofManyLines(place);
    }

    @AfterEach
    void end() {
        worker.shutdownNow();
    }

    /// What is wrong with how a file is read, empty where nothing is.
    private Optional<String> problem(Readers.Kind kind, byte[] content) throws Exception {
        Path own = Files.createDirectories(place);
        Terminal typed = terminal;
        Future<?> reading = worker.submit(() -> {
            kind.read(typed, own, content);
            return own;
        });
        // Of the whole process: readers may compute on threads of their own.
        var clock = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long before = clock.getProcessCpuTime();
        try {
            for (int second = 0; second < WAITING_SECONDS; second++) {
                try {
                    reading.get(1, TimeUnit.SECONDS);
                    return Optional.empty();
                } catch (TimeoutException e) {
                    if (clock.getProcessCpuTime() - before > TimeUnit.SECONDS.toNanos(COMPUTING_SECONDS)) {
                        begin(); // The reader goes on where it is.
                        return Optional.of("computes for more than " + COMPUTING_SECONDS + " s");
                    }
                }
            }
            return Optional.of("never ends");
        } catch (ExecutionException e) {
            StackTraceElement[] at = e.getCause().getStackTrace();
            return Optional.of(
                    e.getCause() + " at " + Arrays.stream(at).limit(6).toList());
        } finally {
            try (Stream<Path> all = Files.walk(own)) {
                for (Path f : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(f);
                }
            }
        }
    }

    private List<Readers.Kind> kinds() throws Exception {
        String only = System.getProperty("knobscape.fuzz.kind", "");
        return Readers.all(Files.createDirectory(folder.resolve("seeds"))).stream()
                .filter(k -> only.isEmpty() || k.name().equals(only))
                .toList();
    }

    @Test
    @Tag("fuzz")
    void everyChangedFileEndsInAResultOrASentence() throws Exception {
        int inputs = Integer.getInteger("knobscape.fuzz", 100_000);
        List<Readers.Kind> kinds = kinds();
        double weights = kinds.stream().mapToDouble(Readers.Kind::weight).sum();
        var failed = new ArrayList<String>();
        int number = 0;
        for (Readers.Kind kind : kinds) {
            var mutator = new Mutator(
                    Long.getLong("knobscape.fuzz.seed", 1) * 31 + kind.name().hashCode());
            int of = 0;
            for (int i = 0; i < inputs * kind.weight() / weights && of < 5; i++) {
                byte[] content = mutator.next(kind.seeds());
                number++;
                Optional<String> problem = problem(kind, content);
                if (problem.isPresent()) {
                    of++;
                    failed.add(kind.name() + " " + i + ": " + problem.get());
                    keep(kind, i, content);
                }
            }
            LOG.log(System.Logger.Level.INFO, "{0}: {1} inputs so far, {2} fail", kind.name(), number, failed.size());
        }
        assertThat(failed).as("of " + number + " inputs").isEmpty();
    }

    private static void keep(Readers.Kind kind, int i, byte[] content) throws Exception {
        String keep = System.getProperty("knobscape.fuzz.keep", "");
        if (!keep.isEmpty()) {
            Path place = Files.createDirectories(Path.of(keep).resolve(kind.name()));
            Files.write(place.resolve(String.valueOf(i)), content);
        }
    }

    /// What once failed, and the files to begin from.
    @Test
    @Tag("slow")
    void theCorpusEndsInResultsOrSentences() throws Exception {
        for (Readers.Kind kind : kinds()) {
            var files = new ArrayList<>(kind.seeds());
            Path kept = Path.of("src/test/resources/knobscape/fuzz").resolve(kind.name());
            if (Files.isDirectory(kept)) {
                try (Stream<Path> all = Files.list(kept)) {
                    for (Path f : all.sorted().toList()) {
                        try (var in = new GZIPInputStream(Files.newInputStream(f))) {
                            files.add(in.readAllBytes());
                        }
                    }
                }
            }
            for (byte[] content : files) {
                assertThat(problem(kind, content)).as(kind.name()).isEmpty();
            }
        }
    }
}
