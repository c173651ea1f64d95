package knobscape.lab.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.HlsTools;

/// What benches are given in tests: everything as it is by default, but for what a test says.
final class Jobs {
    private final Path out;
    private HlsTools tools = HlsTools.standard();
    private Optional<Path> samples = Optional.empty();
    private Optional<Path> data = Optional.empty();
    private Optional<Path> sources = Optional.empty();
    private Bench.Extent extent = Bench.Extent.QUICK;
    private Optional<Integer> seeds = Optional.empty();
    private Consumer<String> progress = _ -> {};
    private CancellationSignal cancel = new CancellationSignal();
    private List<String> methods = List.of();

    private Jobs(Path out) {
        this.out = out;
    }

    static Jobs into(Path out) {
        return new Jobs(out);
    }

    /// A quick run with everything else as it is by default.
    static Bench.Job quick(Path out) {
        return into(out).job();
    }

    Jobs tools(HlsTools all) {
        tools = all;
        return this;
    }

    Jobs samples(Path folder) {
        samples = Optional.of(folder);
        return this;
    }

    Jobs data(Optional<Path> folder) {
        data = folder;
        return this;
    }

    Jobs sources(Optional<Path> folder) {
        sources = folder;
        return this;
    }

    Jobs full() {
        extent = Bench.Extent.WHOLE;
        return this;
    }

    Jobs finished() {
        extent = Bench.Extent.FINISHED;
        return this;
    }

    Jobs seeds(int count) {
        seeds = Optional.of(count);
        return this;
    }

    Jobs telling(Consumer<String> line) {
        progress = line;
        return this;
    }

    Jobs cancelledBy(CancellationSignal signal) {
        cancel = signal;
        return this;
    }

    Jobs methods(List<String> names) {
        methods = names;
        return this;
    }

    Bench.Job job() {
        return new Bench.Job(tools, samples, data, out, extent, seeds, 1, progress, cancel, sources, methods);
    }
}
