package knobscape.hls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.compile.run.Ended;
import knobscape.compile.run.IrMachine;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Loop;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.SourceNote;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.clang.ClangFront;
import knobscape.hls.source.clang.KernelInputs;
import knobscape.hls.source.clang.KernelRun;
import knobscape.hls.source.clang.LoopTrips;
import knobscape.hls.source.clang.LoopTrips.Trips;

/// Reads kernels like another reader, and measures the trip counts that depend on data by running the kernel: from the
/// testbench that was given, else from the `main` of its own file, else on random inputs. What inputs a kernel takes is
/// not known then, so several kinds are tried in a fixed order, from bytes to positions in its smallest array; the
/// first with which it runs to its end counts. Where none does, the source is too large, or a loop runs less than once
/// on average on such inputs, the counts stay unknown.
final class MeasuredTrips implements KernelReader {
    private static final int LARGEST_SOURCE = 200_000;
    /// Instructions of all runs with one kind of inputs together.
    private static final long STEPS = 40_000_000;
    /// The same once the kernel did not come to its end with another kind.
    private static final long LATER_STEPS = STEPS / 8;
    /// The same for a run from a testbench, which is all there is.
    private static final long TESTBENCH_STEPS = 400_000_000;
    private static final Pattern MAIN = Pattern.compile("\\bmain\\s*\\(");
    private static final int RUNS = 8;
    private static final long SEED = 1;
    private static final CancellationSignal NEVER = new CancellationSignal();
    /// Elements behind a pointer without a size.
    private static final int UNSIZED = 1024;

    /// The inputs that a kernel was run with.
    ///
    /// @param least mean trip count from which on it says something
    private record Origin(String words, double least) {}

    /// Bytes of all arguments that are drawn; what is larger takes longer than a trip count is worth.
    private static final long LARGEST_INPUT = 8L << 20;

    /// A loop that hardly runs with random inputs is there for others, so that says nothing.
    private static final Origin RANDOM = new Origin("with random inputs", 1);

    private final KernelReader reader;
    private final ClangFront front;

    /// @param front compiles testbenches, and what the reader did not compile
    MeasuredTrips(KernelReader reader, ClangFront front) {
        this.reader = reader;
        this.front = front;
    }

    @Override
    public Kernel read(Path file, Options options) {
        Kernel kernel = reader.read(file, options);
        if (kernel.loops().stream().noneMatch(MeasuredTrips::isOpen)
                || kernel.text().length() > LARGEST_SOURCE) {
            return kernel;
        }
        Optional<Path> testbench = options.testbench().stream()
                .filter(MeasuredTrips::hasMain)
                .findFirst()
                .or(() -> options.testbench().isEmpty()
                                && MAIN.matcher(kernel.text()).find()
                        ? Optional.of(file)
                        : Optional.empty());
        if (testbench.isPresent()) {
            Kernel measured = fromTestbench(kernel, testbench.get(), options);
            return isMeasured(measured) ? measured : onRandomInputs(measured, file, options);
        }
        return onRandomInputs(
                options.testbench().isEmpty()
                        ? kernel
                        : noted(kernel, "no file of the testbench is a source with a main; it is not run"),
                file,
                options);
    }

    private static boolean hasMain(Path file) {
        try {
            return SourceEndings.isSource(file)
                    && Files.size(file) <= LARGEST_SOURCE
                    && MAIN.matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .find();
        } catch (IOException e) {
            return false;
        }
    }

    private Kernel fromTestbench(Kernel kernel, Path testbench, Options options) {
        String name = "testbench " + testbench.getFileName();
        var trips = new LoopTrips();
        KernelRun.Outcome o;
        CompiledSource program;
        try {
            var own = new Options(Optional.empty(), options.includeDirs(), options.defines());
            program = program(testbench, kernel, own);
            KernelRun run = KernelRun.of(program, "main", NEVER).orElseThrow(() -> new UserError("It has no 'main'."));
            o = run.run(
                    // The arguments of main: as few as there can be.
                    run.parameters().stream()
                            .map(p -> new byte[(int) p.bytes()])
                            .toList(),
                    IrMachine.Limits.of(TESTBENCH_STEPS),
                    trips);
        } catch (UserError e) {
            return noted(kernel, "the " + name + " is not run: " + e.getMessage());
        }
        if (o.ended().isPresent()) {
            return noted(
                    kernel,
                    "the run of the " + name + " is not used: "
                            + sentence(o.ended().get()));
        }
        Kernel measured = with(kernel, placed(program, trips), new Origin("in a run of the " + name, Double.MIN_VALUE));
        return isMeasured(measured)
                ? measured
                : noted(kernel, "a run of the " + name + " reaches no loop whose trip count depends on data");
    }

    /// The testbench with the kernel, which it may contain already.
    private CompiledSource program(Path testbench, Kernel kernel, Options options) {
        Path source = Path.of(kernel.file()).toAbsolutePath().normalize();
        CompiledSource alone = front.compile(testbench, options, NEVER);
        return alone.files().contains(source) ? alone : front.compile(testbench, List.of(source), options, NEVER);
    }

    private static String sentence(Ended e) {
        String place = e.location()
                .map(l -> Path.of(l.file()).getFileName() + ":" + l.line() + ": the run ")
                .orElse("The run ");
        return place + e.getMessage() + ".";
    }

    private static Kernel noted(Kernel kernel, String message) {
        var notes = new ArrayList<>(kernel.notes());
        notes.add(new SourceNote(SourceNote.Severity.INFO, kernel.topFunction().location(), message));
        return kernel.withFunctions(kernel.functions(), notes);
    }

    private static boolean isMeasured(Kernel kernel) {
        return kernel.loops().stream().anyMatch(l -> l.trip().certainty() == TripCount.Certainty.MEASURED);
    }

    private Kernel onRandomInputs(Kernel kernel, Path file, Options options) {
        Map<String, Trips> trips;
        try {
            CompiledSource source = kernel.compiled().orElseGet(() -> front.compile(file, options, NEVER));
            Optional<KernelRun> run = KernelRun.of(source, kernel.top(), NEVER);
            trips = run.map(r -> run(r, source, kernel)).orElse(Map.of());
        } catch (UserError e) {
            // The kernel is readable, only not executable: nothing is measured.
            return kernel;
        }
        return trips.isEmpty() ? kernel : with(kernel, trips, RANDOM);
    }

    /// True if data decides how often the loop runs.
    private static boolean isOpen(Loop l) {
        return l.trip().average().isEmpty() && l.trip().certainty() != TripCount.Certainty.STATED;
    }

    /// How much stands behind each argument that is an address, by its name.
    ///
    /// @param smallest elements of the smallest of several
    private record Sizes(Map<String, Integer> elements, long smallest) {}

    /// Empty where it is more than a run is worth.
    private static Optional<Sizes> sizes(KernelRun run, Kernel kernel) {
        var elements = new HashMap<String, Integer>();
        long smallest = UNSIZED;
        long size = 0;
        for (KernelInputs.Parameter p : run.parameters()) {
            if (p.address()) {
                String name = p.name();
                Optional<ArrayVariable> a = kernel.topFunction().arrays().stream()
                        .filter(v -> v.name().equals(name) && !v.dims().isEmpty())
                        .findFirst();
                boolean reference =
                        a.isEmpty() && kernel.topFunction().scalars().containsKey(name);
                long each = p.bytes();
                long n = reference
                        ? 1
                        : a.map(v -> v.dims().getFirst()).filter(d -> d > 0).orElse((long)
                                Math.clamp(LARGEST_INPUT / 4 / each, 1, UNSIZED));
                size = n > LARGEST_INPUT / each ? LARGEST_INPUT + 1 : size + n * each;
                if (size > LARGEST_INPUT) {
                    return Optional.empty();
                }
                elements.put(name, (int) n);
                smallest = n > 1 ? Math.min(smallest, n) : smallest;
            }
        }
        return Optional.of(new Sizes(Map.copyOf(elements), smallest));
    }

    /// Values of all whole numbers together that are tried in turn.
    private static List<KernelInputs.Values> kinds(long smallest) {
        return List.of(
                new KernelInputs.Values(0, 255, false),
                new KernelInputs.Values(0, smallest - 1, false),
                new KernelInputs.Values(0, smallest - 1, true),
                new KernelInputs.Values(0, 15, false),
                new KernelInputs.Values(1, 1, false));
    }

    private static Map<String, KernelInputs.Values> values(KernelRun run, KernelInputs.Values kind) {
        return run.parameters().stream()
                .filter(KernelInputs.Parameter::isWhole)
                .collect(Collectors.toMap(KernelInputs.Parameter::name, _ -> kind));
    }

    /// Arguments with which a kernel runs to its end, one list per draw of the first kind of inputs that all of
    /// them do; none where there is no such kind.
    ///
    /// @param draws how many
    static List<List<byte[]>> inputs(KernelRun run, Kernel kernel, int draws) {
        Optional<Sizes> sizes = sizes(run, kernel);
        if (sizes.isEmpty()) {
            return List.of();
        }
        for (KernelInputs.Values kind : kinds(sizes.get().smallest())) {
            List<List<byte[]>> all = IntStream.range(0, draws)
                    .mapToObj(i ->
                            KernelInputs.random(run.parameters(), sizes.get().elements(), values(run, kind), SEED + i))
                    .toList();
            if (all.stream()
                    .allMatch(a -> run.run(a, IrMachine.Limits.of(STEPS), new LoopTrips())
                            .ended()
                            .isEmpty())) {
                return all;
            }
        }
        return List.of();
    }

    private static Map<String, Trips> run(KernelRun run, CompiledSource source, Kernel kernel) {
        Optional<Sizes> sizes = sizes(run, kernel);
        if (sizes.isEmpty()) {
            return Map.of();
        }
        long steps = STEPS;
        for (KernelInputs.Values kind : kinds(sizes.get().smallest())) {
            Tried tried = runs(run, source, sizes.get().elements(), values(run, kind), steps);
            if (!tried.trips().isEmpty()) {
                return tried.trips();
            }
            steps = tried.steps() >= steps ? LATER_STEPS : steps;
        }
        return Map.of();
    }

    /// The result of one kind of inputs, and the instructions it took.
    private record Tried(Map<String, Trips> trips, long steps) {}

    /// The trips of several runs together, for one draw of a single number says little; empty where the first of
    /// them does not end.
    private static Tried runs(
            KernelRun run,
            CompiledSource source,
            Map<String, Integer> elements,
            Map<String, KernelInputs.Values> values,
            long most) {
        var all = new HashMap<String, Trips>();
        long left = most;
        for (int k = 0; k < RUNS && left > 0; k++) {
            var trips = new LoopTrips();
            KernelRun.Outcome o = run.run(
                    KernelInputs.random(run.parameters(), elements, values, SEED + k),
                    IrMachine.Limits.of(left),
                    trips);
            left -= Math.max(1, o.steps());
            if (o.ended().isPresent()) {
                break;
            }
            placed(source, trips).forEach((place, t) -> all.merge(place, t, Trips::and));
        }
        return new Tried(Map.copyOf(all), most - left);
    }

    /// Trips by the place of the loop's keyword in its file.
    private static Map<String, Trips> placed(CompiledSource source, LoopTrips trips) {
        var all = new HashMap<String, Trips>();
        trips.trips().forEach((at, t) -> {
            Path file = Path.of(at.file());
            all.merge(key(file, at.line(), source.column(file, at.line(), at.column())), t, Trips::and);
        });
        return all;
    }

    private static Kernel with(Kernel kernel, Map<String, Trips> trips, Origin how) {
        var notes = new ArrayList<>(kernel.notes());
        var functions = new ArrayList<Function>();
        for (Function f : kernel.functions()) {
            functions.add(f.withBody(f.body().withLoops(l -> with(l, trips, notes, how))));
        }
        return kernel.withFunctions(functions, notes);
    }

    /// The same for all names of a file: the testbench and the kernel may stand in different folders.
    private static String key(Path file, int line, int column) {
        return file.toAbsolutePath().normalize() + "@" + line + ":" + column;
    }

    private static Loop with(Loop l, Map<String, Trips> trips, List<SourceNote> notes, Origin how) {
        BodyFacts body = l.body().withLoops(x -> with(x, trips, notes, how));
        Trips t = trips.get(
                key(Path.of(l.keyword().file()), l.keyword().line(), l.keyword().column()));
        if (t == null || t.mean() < how.least() || !isOpen(l)) {
            return l.with(l.trip(), body);
        }
        notes.add(new SourceNote(
                SourceNote.Severity.INFO,
                l.keyword(),
                String.format(
                        Locale.ROOT,
                        "measured trip count of loop %s: %d to %d, %.1f on average over %d entries, %s",
                        l.id(),
                        t.min(),
                        t.max(),
                        t.mean(),
                        t.entries(),
                        how.words())));
        // Other inputs may go beyond what was seen, so the bounds stay those that are proven.
        var measured = new TripCount(
                l.trip().min(), l.trip().max(), OptionalDouble.of(t.mean()), TripCount.Certainty.MEASURED);
        return l.with(measured, body);
    }
}
