package knobscape.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.UserError;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
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

/// Reads kernels like another reader, and measures the trip counts that depend on data by running the kernel on
/// random inputs. What inputs a kernel takes is not known, so several kinds are tried in a fixed order, from
/// bytes to positions in its smallest array; the first with which it runs to its end counts. Where none does,
/// the source is too large, or a loop runs less than once on average, the counts stay unknown.
final class MeasuredTrips implements KernelReader {
    private static final int LARGEST_SOURCE = 200_000;
    /// Iterations and calls of all runs with one kind of inputs together.
    private static final long STEPS = 2_000_000;
    /// The same once the kernel did not come to its end with another kind.
    private static final long LATER_STEPS = STEPS / 8;
    private static final int RUNS = 8;
    private static final long SEED = 1;
    /// Elements behind a pointer without a size.
    private static final int UNSIZED = 1024;

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
        Map<Location, Trips> trips;
        try {
            trips = run(CdtExactReader.read(file, kernel.top(), options), kernel);
        } catch (UserError e) {
            // The kernel is readable, only not executable: nothing is measured.
            return kernel;
        }
        return trips.isEmpty() ? kernel : with(kernel, trips);
    }

    /// Whether data decides how often the loop runs.
    private static boolean isOpen(Loop l) {
        return l.trip().average().isEmpty() && l.trip().certainty() != TripCount.Certainty.STATED;
    }

    private static Map<Location, Trips> run(ExactProgram program, Kernel kernel) {
        var elements = new HashMap<String, Integer>();
        long smallest = UNSIZED;
        ExactFunction top = program.topFunction();
        for (int i = 0; i < top.parameters(); i++) {
            String name = top.variables().get(i).name();
            if (top.variables().get(i).type() instanceof ExactType.Pointer) {
                Optional<ArrayVariable> a = kernel.topFunction().arrays().stream()
                        .filter(v -> v.name().equals(name) && !v.dims().isEmpty())
                        .findFirst();
                boolean reference =
                        a.isEmpty() && kernel.topFunction().scalars().containsKey(name);
                long n = reference
                        ? 1
                        : a.map(v -> v.dims().getFirst()).filter(d -> d > 0).orElse((long) UNSIZED);
                elements.put(name, (int) Math.min(n, 1 << 24));
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

    private static Kernel with(Kernel kernel, Map<Location, Trips> trips) {
        var byStart = new HashMap<String, Trips>();
        trips.forEach((l, t) -> byStart.put(l.file() + "@" + l.offset(), t));
        var notes = new ArrayList<>(kernel.notes());
        var functions = new ArrayList<Function>();
        for (Function f : kernel.functions()) {
            functions.add(f.withBody(with(f.body(), byStart, notes)));
        }
        return kernel.withFunctions(functions, notes);
    }

    private static List<Statement> with(List<Statement> body, Map<String, Trips> trips, List<SourceNote> notes) {
        var done = new ArrayList<Statement>();
        for (Statement s : body) {
            done.add(
                    switch (s) {
                        case Statement.Nested n -> new Statement.Nested(with(n.loop(), trips, notes));
                        case Statement.Branch b ->
                            new Statement.Branch(
                                    b.condition(),
                                    with(b.then(), trips, notes),
                                    with(b.otherwise(), trips, notes),
                                    b.location());
                        default -> s;
                    });
        }
        return done;
    }

    private static Loop with(Loop l, Map<String, Trips> trips, List<SourceNote> notes) {
        List<Statement> body = with(l.body(), trips, notes);
        Trips t = trips.get(l.keyword().file() + "@" + l.keyword().offset());
        // A loop that hardly runs with random inputs is there for others, so that says nothing.
        if (t == null || t.mean() < 1 || !isOpen(l)) {
            return l.with(l.trip(), body);
        }
        notes.add(new SourceNote(
                SourceNote.Severity.INFO,
                l.keyword(),
                String.format(
                        Locale.ROOT,
                        "measured trip count of loop %s: %d to %d, %.1f on average over %d entries, with random inputs",
                        l.id(),
                        t.min(),
                        t.max(),
                        t.mean(),
                        t.entries())));
        // Other inputs may go beyond what was seen, so the bounds stay those that are proven.
        var measured = new TripCount(
                l.trip().min(), l.trip().max(), OptionalDouble.of(t.mean()), TripCount.Certainty.MEASURED);
        return l.with(measured, body);
    }
}
