package knobscape.gpu.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.LevelText;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.space.Configuration;
import knobscape.space.Sha256;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Measures the kernels of networks with Ansor's search. Every kernel is searched by itself, from nothing, so that a
/// collection that was interrupted resumes with the kernel it was at.
public final class SketchCollector {
    private static final JsonMapper JSON = JsonMapper.shared();

    private SketchCollector() {}

    /// The settings of a collection.
    ///
    /// @param networks as [TunableNetwork#read] takes them
    /// @param trials measurements of each kernel
    /// @param population schedules of each generation of the search
    public record Settings(List<String> networks, int trials, int population, long seed) {
        /// Throws [IllegalArgumentException] for less than one network, trial or two schedules.
        public Settings {
            networks = List.copyOf(networks);
            if (networks.isEmpty() || trials < 1 || population < 2) {
                throw new IllegalArgumentException(
                        "a collection needs a network, at least 1 trial per kernel and a population of at least 2");
            }
        }
    }

    /// Collects what is missing and gives all.
    ///
    /// @param file what was collected, a line for each kernel; it grows
    /// @param progress told a line for each kernel
    /// @param cancel stops it by a `CancellationException`
    public static SketchSamples collect(
            Settings settings, GpuDevice device, Path file, Consumer<String> progress, CancellationSignal cancel) {
        Map<String, JsonNode> known = read(file);
        Map<String, NetworkKernel> wanted = new LinkedHashMap<>();
        for (String network : settings.networks) {
            TunableNetwork.read(network, 1, Map.of(), TunableNetwork.Ways.SKETCHES, true)
                    .kernels()
                    .forEach(k -> wanted.putIfAbsent(name(k), k));
        }
        var all = new ArrayList<SketchSamples.Kernel>();
        var text = new StringBuilder();
        for (Map.Entry<String, NetworkKernel> e : wanted.entrySet()) {
            cancel.throwIfCancelled();
            String key = device.info().name() + " " + device.info().version() + " trials=" + settings.trials
                    + " population=" + settings.population + " seed=" + settings.seed + " space="
                    + space(e.getValue()) + " " + e.getKey();
            Optional<JsonNode> kept = Optional.ofNullable(known.get(key));
            if (kept.isEmpty()) {
                String line = search(key, e.getValue(), settings, device, cancel);
                append(file, line);
                kept = Optional.of(JSON.readTree(line));
            }
            text.append(kept.get()).append('\n');
            all.add(kernel(e.getKey(), e.getValue(), kept.get()));
            progress.accept(all.size() + " of " + wanted.size() + " kernels measured: " + e.getKey());
        }
        return new SketchSamples(all, Sha256.of(text.toString()));
    }

    private static String name(NetworkKernel k) {
        return k.id() + "+" + k.tails().getFirst().epilogue().id();
    }

    /// The fingerprint of a kernel's sketches and their knobs: rows are told by levels of these knobs.
    private static String space(NetworkKernel k) {
        var source = (SketchSource) k.source().orElseThrow();
        return Sha256.of(source.sketches(k.tails().getFirst().epilogue())
                        + source.space().fingerprint())
                .substring(0, 12);
    }

    private static Map<String, JsonNode> read(Path file) {
        Map<String, JsonNode> known = new HashMap<>();
        if (Files.isRegularFile(file)) {
            try {
                for (String line : Files.readAllLines(file)) {
                    try {
                        JsonNode node = JSON.readTree(line);
                        known.put(node.path("key").asString(""), node);
                    } catch (JacksonException _) {
                        // The line that was being written when the process died: that kernel is searched again.
                    }
                }
            } catch (IOException e) {
                throw new UserError("Cannot read '" + file + "': " + e.getMessage() + ".", e);
            }
        }
        return known;
    }

    private static void append(Path file, String line) {
        try {
            // The line feeds around it: after a cut-off line the new one starts afresh.
            Files.writeString(file, "\n" + line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UserError("Cannot write '" + file + "': " + e.getMessage() + ".", e);
        }
    }

    /// The problem given to a search of one kernel.
    private static TuningProblem problem(NetworkKernel k, GpuDevice device, long seed) {
        return TuningProblem.of(k, evaluator(k, device).info(), "knob", seed)
                .with(c -> k.schedule(c)
                        .orElseThrow()
                        .check(device.info().limits())
                        .isEmpty());
    }

    private static ScheduleEvaluator evaluator(NetworkKernel k, GpuDevice device) {
        return new ScheduleEvaluator(
                k.source().orElseThrow(), k.tails().getFirst().epilogue(), device);
    }

    private static String search(
            String key, NetworkKernel k, Settings settings, GpuDevice device, CancellationSignal cancel) {
        TuningProblem p = problem(k, device, settings.seed);
        var explorer = new EvolutionaryExplorer("ansor", p, new ScheduleScorer.Trees(), settings.population);
        var search = new Exploration(
                List.of(new Subject(
                        k.id(),
                        1,
                        p.space(),
                        explorer,
                        evaluator(k, device),
                        List.of(p.metric()),
                        64,
                        new Termination.Never(),
                        List.of())),
                Scheduler.roundRobin(),
                new Exploration.Settings(settings.seed, Integer.MAX_VALUE, settings.trials, 0, 1, 0),
                System::nanoTime,
                Runnable::run);
        var configurations = new ArrayList<Configuration>();
        var node = JSON.createObjectNode().put("key", key);
        var times = node.putArray("ms");
        search.addListener(event -> {
            if (event instanceof RunEvent.StageDone d) {
                configurations.add(d.evaluation().configuration());
                times.add(d.evaluation().value(ScheduleEvaluator.TIME).orElse(0));
            }
        });
        cancel.onCancel(search::stop);
        RunEvent.Finished end = search.run(List.of());
        cancel.throwIfCancelled();
        if (end.ending() == RunEvent.Ending.FAILED) {
            throw new UserError("The search of " + k.id() + " failed: " + end.reason());
        }
        return JSON.writeValueAsString(node.put("levels", LevelText.write(configurations)));
    }

    private static SketchSamples.Kernel kernel(String name, NetworkKernel k, JsonNode line) {
        List<Configuration> configurations =
                LevelText.read(k.space().knobs(), line.path("levels").asString(""));
        double[] times = IntStream.range(0, configurations.size())
                .mapToDouble(i -> line.path("ms").path(i).asDouble(0))
                .toArray();
        return SketchSamples.Kernel.of(name, k, configurations, times);
    }
}
