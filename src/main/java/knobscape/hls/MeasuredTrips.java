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
import knobscape.evaluate.UserError;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.SourceNote;
import knobscape.hls.source.Statement;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.cdt.CdtExactReader;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.interpret.Inputs;
import knobscape.hls.source.interpret.Interpreter;
import knobscape.hls.source.interpret.Limits;
import knobscape.hls.source.interpret.Outcome;
import knobscape.hls.source.interpret.Trips;

/// Reads kernels like another reader, and measures the trip counts that depend on data by running the kernel: from the
/// testbench that was given, else from the `main` of its own file, else on random inputs. What inputs a kernel takes is
/// not known then, so several kinds are tried in a fixed order, from bytes to positions in its smallest array; the
/// first with which it runs to its end counts. Where none does, the source is too large, or a loop runs less than once
/// on average on such inputs, the counts stay unknown.
final class MeasuredTrips implements KernelReader {
    private static final int LARGEST_SOURCE = 200_000;
    /// Iterations and calls of all runs with one kind of inputs together.
    private static final long STEPS = 2_000_000;
    /// The same once the kernel did not come to its end with another kind.
    private static final long LATER_STEPS = STEPS / 8;
    /// The same for a run from a testbench, which is all there is.
    private static final long TESTBENCH_STEPS = 20_000_000;
    private static final Pattern MAIN = Pattern.compile("\\bmain\\s*\\(");
    private static final int RUNS = 8;
    private static final long SEED = 1;
    /// Elements behind a pointer without a size.
    private static final int UNSIZED = 1024;

    /// What a kernel was run with.
    ///
    /// @param least mean trip count from which on it says something
    private record Origin(String words, double least) {}

    /// Bytes of all arguments that are drawn; what is larger takes longer than a trip count is worth.
    private static final long LARGEST_INPUT = 8L << 20;

    /// A loop that hardly runs with random inputs is there for others, so that says nothing.
    private static final Origin RANDOM = new Origin("with random inputs", 1);

    private final KernelReader reader;

    MeasuredTrips(KernelReader reader) {
        this.reader = reader;
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

    private static Kernel fromTestbench(Kernel kernel, Path testbench, Options options) {
        String name = "testbench " + testbench.getFileName();
        Outcome o;
        try {
            ExactProgram program = CdtExactReader.read(
                    testbench, "main", new Options(Optional.empty(), options.includeDirs(), options.defines()));
            // The arguments of main: as few as there can be.
            o = Interpreter.run(
                    program,
                    program.topFunction().variables().stream()
                            .limit(program.topFunction().parameters())
                            .map(v -> new byte[v.type().size()])
                            .toList(),
                    Limits.defaults().steps(TESTBENCH_STEPS));
        } catch (UserError e) {
            return noted(kernel, "the " + name + " is not run: " + e.getMessage());
        }
        if (o.stopped().isPresent()) {
            return noted(
                    kernel,
                    "the run of the " + name + " is not used: " + o.stopped().get());
        }
        Kernel measured = with(kernel, o.trips(), new Origin("in a run of the " + name, Double.MIN_VALUE));
        return isMeasured(measured)
                ? measured
                : noted(kernel, "a run of the " + name + " reaches no loop whose trip count depends on data");
    }

    private static Kernel noted(Kernel kernel, String message) {
        var notes = new ArrayList<>(kernel.notes());
        notes.add(new SourceNote(SourceNote.Severity.INFO, kernel.topFunction().location(), message));
        return kernel.withFunctions(kernel.functions(), notes);
    }

    private static boolean isMeasured(Kernel kernel) {
        return kernel.loops().stream().anyMatch(l -> l.trip().certainty() == TripCount.Certainty.MEASURED);
    }

    private static Kernel onRandomInputs(Kernel kernel, Path file, Options options) {
        Map<Location, Trips> trips;
        try {
            trips = run(CdtExactReader.read(file, kernel.top(), options), kernel);
        } catch (UserError e) {
            // The kernel is readable, only not executable: nothing is measured.
            return kernel;
        }
        return trips.isEmpty() ? kernel : with(kernel, trips, RANDOM);
    }

    /// Whether data decides how often the loop runs.
    private static boolean isOpen(Loop l) {
        return l.trip().average().isEmpty() && l.trip().certainty() != TripCount.Certainty.STATED;
    }

    private static Map<Location, Trips> run(ExactProgram program, Kernel kernel) {
        var elements = new HashMap<String, Integer>();
        long smallest = UNSIZED;
        long size = 0;
        ExactFunction top = program.topFunction();
        for (int i = 0; i < top.parameters(); i++) {
            String name = top.variables().get(i).name();
            if (top.variables().get(i).type() instanceof ExactType.Pointer pointer) {
                Optional<ArrayVariable> a = kernel.topFunction().arrays().stream()
                        .filter(v -> v.name().equals(name) && !v.dims().isEmpty())
                        .findFirst();
                boolean reference =
                        a.isEmpty() && kernel.topFunction().scalars().containsKey(name);
                long each = Math.max(1, pointer.target().size());
                long n = reference
                        ? 1
                        : a.map(v -> v.dims().getFirst()).filter(d -> d > 0).orElse((long)
                                Math.clamp(LARGEST_INPUT / 4 / each, 1, UNSIZED));
                size = n > LARGEST_INPUT / each ? LARGEST_INPUT + 1 : size + n * each;
                if (size > LARGEST_INPUT) {
                    return Map.of();
                }
                elements.put(name, (int) n);
                smallest = n > 1 ? Math.min(smallest, n) : smallest;
            }
        }
        var kinds = List.of(
                new Inputs.Values(0, 255, false),
                new Inputs.Values(0, smallest - 1, false),
                new Inputs.Values(0, smallest - 1, true),
                new Inputs.Values(0, 15, false),
                new Inputs.Values(1, 1, false));
        long steps = STEPS;
        for (Inputs.Values kind : kinds) {
            var values = new HashMap<String, Inputs.Values>();
            for (int i = 0; i < top.parameters(); i++) {
                if (isWhole(top.variables().get(i).type())) {
                    values.put(top.variables().get(i).name(), kind);
                }
            }
            Tried tried = runs(program, elements, values, steps);
            if (!tried.trips().isEmpty()) {
                return tried.trips();
            }
            steps = tried.steps() >= steps ? LATER_STEPS : steps;
        }
        return Map.of();
    }

    /// What came of one kind of inputs, and the iterations and calls it took.
    private record Tried(Map<Location, Trips> trips, long steps) {}

    /// The trips of several runs together, for one draw of a single number says little; empty where the first of
    /// them does not end.
    private static Tried runs(
            ExactProgram program, Map<String, Integer> elements, Map<String, Inputs.Values> values, long most) {
        var all = new HashMap<Location, Trips>();
        long left = most;
        for (int run = 0; run < RUNS && left > 0; run++) {
            Outcome o = Interpreter.run(
                    program,
                    Inputs.random(program, elements, values, SEED + run),
                    Limits.defaults().steps(left));
            left -= Math.max(1, o.steps());
            if (o.stopped().isPresent()) {
                break;
            }
            o.trips().forEach((place, t) -> all.merge(place, t, Trips::and));
        }
        return new Tried(Map.copyOf(all), most - left);
    }

    private static boolean isWhole(ExactType t) {
        return switch (t) {
            case ExactType.Pointer p -> isWhole(p.target());
            case ExactType.Array a -> isWhole(a.element());
            case ExactType.Struct s -> s.fields().stream().anyMatch(f -> isWhole(f.type()));
            default -> t.isInteger();
        };
    }

    private static Kernel with(Kernel kernel, Map<Location, Trips> trips, Origin how) {
        var byStart = new HashMap<String, Trips>();
        trips.forEach((l, t) -> byStart.put(key(l), t));
        var notes = new ArrayList<>(kernel.notes());
        var functions = new ArrayList<Function>();
        for (Function f : kernel.functions()) {
            functions.add(f.withBody(with(f.body(), byStart, notes, how)));
        }
        return kernel.withFunctions(functions, notes);
    }

    /// The same for all names of a file: the testbench and the kernel may stand in different folders.
    private static String key(Location l) {
        return Path.of(l.file()).toAbsolutePath().normalize() + "@" + l.offset();
    }

    private static List<Statement> with(
            List<Statement> body, Map<String, Trips> trips, List<SourceNote> notes, Origin how) {
        var done = new ArrayList<Statement>();
        for (Statement s : body) {
            done.add(
                    switch (s) {
                        case Statement.Nested n -> new Statement.Nested(with(n.loop(), trips, notes, how));
                        case Statement.Branch b ->
                            new Statement.Branch(
                                    b.condition(),
                                    with(b.then(), trips, notes, how),
                                    with(b.otherwise(), trips, notes, how),
                                    b.location());
                        default -> s;
                    });
        }
        return done;
    }

    private static Loop with(Loop l, Map<String, Trips> trips, List<SourceNote> notes, Origin how) {
        List<Statement> body = with(l.body(), trips, notes, how);
        Trips t = trips.get(key(l.keyword()));
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
