package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.Guess;
import knobscape.hls.EstimatorGuess;
import knobscape.hls.HlsTools;
import knobscape.hls.MeasuredDirectives;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Loop;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobNames;
import knobscape.hls.space.Pruning;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// Measured designs together with the source they were made of: their knobs said as a directive file, so that
/// pruning can be asked about each of them.
///
/// Columns are called `unroll@function/label`, `pipeline@..`, `partition_type@function/array`,
/// `partition_factor@..` and `inline@function`. What this program has no knob for (reshaping by blocks, binding
/// of single operators, balancing of expressions) is left out of the question; two designs that differ only
/// there are one.
///
/// @param space the pruned space of the knobs that were measured
/// @param leftOut columns that have no counterpart
/// @param refused columns whose knob exists but cannot be had at that place; a design that uses one is not in
/// the space, except for pipelining: a loop that the tool cannot pipeline it leaves as it is
record MeasuredKernel(DirectiveSpace space, List<String> leftOut, List<String> refused) {
    private static final Set<String> SUPPORT = Set.of("local_support.c", "generate.c");
    private static final int MOST_FILES = 50;
    private static final String HEAD = "version: 1\ntop: ";
    private static final int HEAD_LINES = 4;
    private static final Pattern LINE = Pattern.compile(":(\\d+):");

    /// The source of a set among those in `sources`: `NAME` is looked for as `first/rest` and `NAME/NAME`, as
    /// MachSuite is laid out, then as `NAME`. Empty where there is none that has the places of the columns.
    static Optional<MeasuredKernel> find(ReplaySet set, Path sources, HlsTools tools) {
        return source(set, sources, tools).map(k -> of(set, k, tools));
    }

    /// The built-in estimator's expectation of the set's designs, where the source is at hand.
    static Optional<Guess> guess(ReplaySet set, Path sources, HlsTools tools, List<Metric> objectives) {
        return source(set, sources, tools).map(kernel -> {
            var directives = new MeasuredDirectives(kernel);
            return new EstimatorGuess(
                    () -> new EstimatorEvaluator(kernel, c -> directives.of(c.toMap()), EstimatorBench.measuredTool()),
                    objectives);
        });
    }

    /// The same as read, without its space.
    static Optional<Kernel> source(ReplaySet set, Path sources, HlsTools tools) {
        String name = MeasuredFiles.subject(set.name());
        int underscore = name.indexOf('_');
        Set<String> folders = new LinkedHashSet<>();
        if (underscore > 0) {
            folders.add(name.substring(0, underscore) + "/" + name.substring(underscore + 1));
        }
        folders.add(name + "/" + name);
        folders.add(name);
        List<String> functions = set.space().knobs().list().stream()
                .map(k -> place(k.name()))
                .filter(p -> p.contains("/"))
                .map(p -> p.substring(0, p.indexOf('/')))
                .distinct()
                .toList();
        return folders.stream()
                .map(sources::resolve)
                .filter(Files::isDirectory)
                .flatMap(f -> sourcesIn(f).stream())
                .flatMap(f -> kernels(f, functions, sources, tools))
                .max(Comparator.comparingLong(k -> known(set, k)))
                .filter(k -> known(set, k) > 0);
    }

    private static List<Path> sourcesIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().matches(".*\\.(c|cc|cpp)"))
                    .filter(f -> !SUPPORT.contains(f.getFileName().toString()))
                    .sorted()
                    .limit(MOST_FILES)
                    .toList();
        } catch (IOException e) {
            throw new UserError("Cannot read " + folder + ": " + e.getMessage() + ".", e);
        }
    }

    private static Stream<Kernel> kernels(Path file, List<String> functions, Path sources, HlsTools tools) {
        List<Path> includes =
                Files.isDirectory(sources.resolve("common")) ? List.of(sources.resolve("common")) : List.of();
        return functions.stream().flatMap(top -> {
            try {
                return Stream.of(
                        tools.reader().read(file, new KernelReader.Options(Optional.of(top), includes, Map.of())));
            } catch (UserError e) {
                // Not the file with this function: another is tried.
                return Stream.empty();
            }
        });
    }

    private static long known(ReplaySet set, Kernel kernel) {
        return set.space().knobs().list().stream()
                .map(k -> place(k.name()))
                .distinct()
                .filter(p -> kernel.loop(p).isPresent()
                        || kernel.array(p).isPresent()
                        || kernel.function(p).isPresent())
                .count();
    }

    private static String place(String knob) {
        return knob.substring(knob.indexOf('@') + 1);
    }

    private static MeasuredKernel of(ReplaySet set, Kernel kernel, HlsTools tools) {
        var leftOut = new ArrayList<String>();
        var refused = new ArrayList<String>();
        var entries = new LinkedHashMap<String, String>();
        for (var knob : set.space().knobs().list()) {
            entry(knob.name(), knob.domain().labels(), kernel, set.space().knobs())
                    .ifPresentOrElse(
                            e -> {
                                if (!e.isEmpty()) {
                                    entries.put(knob.name(), e);
                                }
                            },
                            () -> leftOut.add(knob.name()));
        }
        while (true) {
            String text = HEAD + kernel.top() + "\ndefaults: false\nknobs:\n"
                    + entries.values().stream().map(e -> "  - " + e + "\n").collect(Collectors.joining());
            try {
                return new MeasuredKernel(
                        tools.spaces()
                                .build(
                                        kernel,
                                        Optional.of(DirectiveFile.parse("the measured knobs of " + set.name(), text)),
                                        Optional.empty(),
                                        Pruning.HARD),
                        List.copyOf(leftOut),
                        List.copyOf(refused));
            } catch (UserError e) {
                // A knob that cannot be had there (pipelining around a loop of unknown length) is left out of
                // the space.
                var line = LINE.matcher(e.getMessage());
                int at = line.find() ? Integer.parseInt(line.group(1)) - HEAD_LINES - 1 : -1;
                if (at < 0 || at >= entries.size()) {
                    throw e;
                }
                String column = List.copyOf(entries.keySet()).get(at);
                entries.remove(column);
                refused.add(column);
            }
        }
    }

    /// The entry of a directive file for a column; an empty text where another column's entry says it too;
    /// empty where there is no counterpart.
    private static Optional<String> entry(String column, List<String> labels, Kernel kernel, KnobSet knobs) {
        String place = place(column);
        String kind = column.substring(0, Math.max(0, column.indexOf('@')));
        return switch (kind) {
            case "unroll" ->
                kernel.loop(place)
                        .map(l -> "{kind: unroll, at: \"" + place + "\", factors: ["
                                + String.join(", ", numbers(labels)) + "]}");
            case "pipeline" ->
                kernel.loop(place).map(l -> "{kind: pipeline, at: \"" + place + "\", values: [off, on]}");
            case "partition_type" ->
                kernel.array(place)
                        .map(a -> "{kind: partition, at: \"" + place + "\", dim: 1, types: ["
                                + String.join(
                                        ", ",
                                        labels.stream()
                                                .filter(List.of("none", "cyclic", "block")::contains)
                                                .toList())
                                + "], factors: ["
                                + knobs.indexOf("partition_factor@" + place).stream()
                                        .mapToObj(i -> String.join(
                                                ", ",
                                                numbers(knobs.get(i).domain().labels()).stream()
                                                        .filter(f -> !f.equals("1"))
                                                        .toList()))
                                        .findFirst()
                                        .orElse("2")
                                + "]}");
            case "partition_factor" -> kernel.array(place).map(a -> "");
            case "inline" ->
                kernel.function(place)
                        .filter(f -> !f.name().equals(kernel.top()))
                        .map(f -> "{kind: inline, at: \"" + place + "\", values: [off, on]}");
            default -> Optional.empty();
        };
    }

    private static List<String> numbers(List<String> labels) {
        Set<Integer> all = new TreeSet<>(Set.of(1));
        labels.stream().filter(l -> l.matches("\\d{1,6}")).map(Integer::valueOf).forEach(all::add);
        return all.stream().map(String::valueOf).toList();
    }

    /// True if pruning keeps a measured design, or one that builds the same: knobs of loops inside a pipelined
    /// loop make no difference, since the tool unrolls these completely.
    boolean keeps(Configuration measured) {
        if (refused.stream()
                .anyMatch(c -> !c.startsWith("pipeline@")
                        && !requireNonNull(measured.toMap().get(c)).matches("none|off|1"))) {
            return false;
        }
        Map<String, String> values = directives(measured.toMap());
        return configuration(values).filter(space.space()::contains).isPresent()
                || configuration(withoutEffectless(values))
                        .filter(space.space()::contains)
                        .isPresent();
    }

    private Map<String, String> directives(Map<String, String> measured) {
        var values = new LinkedHashMap<String, String>();
        measured.forEach((column, value) -> {
            String place = place(column);
            switch (column.substring(0, Math.max(0, column.indexOf('@')))) {
                case "unroll" -> values.put(KnobNames.unroll(place), value);
                case "pipeline" -> values.put(KnobNames.pipeline(place), onOff(value));
                case "inline" -> values.put(KnobNames.inline(place), value.equals("on") ? "on" : "off");
                case "partition_type" -> {
                    String factor = measured.getOrDefault("partition_factor@" + place, "1");
                    boolean split = !value.equals("none") && !factor.equals("1");
                    values.put(KnobNames.partitionType(place, 1), split ? value : "none");
                    values.put(KnobNames.partitionFactor(place, 1), split ? factor : "1");
                }
                default -> {}
            }
        });
        return values;
    }

    private static String onOff(String value) {
        return value.equals("none") || value.equals("off") ? "off" : "on";
    }

    private Map<String, String> withoutEffectless(Map<String, String> values) {
        var changed = new HashMap<>(values);
        for (Loop l : space.kernel().loops()) {
            boolean inside = Stream.iterate(
                            l.parent(),
                            Optional::isPresent,
                            p -> space.kernel().loop(p.get()).flatMap(Loop::parent))
                    .map(Optional::get)
                    .anyMatch(p -> "on".equals(values.get(KnobNames.pipeline(p))));
            if (inside) {
                changed.computeIfPresent(KnobNames.unroll(l.id()), (k, v) -> "1");
                changed.computeIfPresent(KnobNames.pipeline(l.id()), (k, v) -> "off");
            }
        }
        return Collections.unmodifiableMap(changed);
    }

    /// The configuration with these values; empty where a value is not one of the knob's. A knob that was not
    /// measured stays as in the baseline.
    private Optional<Configuration> configuration(Map<String, String> values) {
        KnobSet knobs = space.space().knobs();
        int[] levels = new int[knobs.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = knobs.get(i)
                    .domain()
                    .levelOf(values.getOrDefault(
                            knobs.get(i).name(), space.baseline().value(i)));
            if (levels[i] < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(Configuration.of(knobs, levels));
    }

    /// Objectives of a design at the highest stage, smaller is better; empty where one is missing.
    static Optional<double[]> vector(ReplaySet set, Configuration c) {
        var last = set.stages(c).getLast();
        double[] y = new double[set.info().objectives().size()];
        for (int j = 0; j < y.length; j++) {
            OptionalDouble v = last.fidelity().rank() == set.info().top().rank()
                    ? last.value(set.info().objectives().get(j))
                    : OptionalDouble.empty();
            if (v.isEmpty()) {
                return Optional.empty();
            }
            y[j] = set.info().metric(set.info().objectives().get(j)).direction()
                            == knobscape.evaluate.Metric.Direction.MAXIMISE
                    ? -v.getAsDouble()
                    : v.getAsDouble();
        }
        return Optional.of(y);
    }
}
