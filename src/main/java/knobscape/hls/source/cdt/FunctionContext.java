package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import knobscape.hls.source.Access;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LinearForm.Atom;
import knobscape.hls.source.LinearForm.LoopValue;
import knobscape.hls.source.LinearForm.Operator;
import knobscape.hls.source.LinearForms;
import knobscape.hls.source.LoopShape;
import knobscape.hls.source.Range;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.TripCounts;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IBinding;

/// Everything that the readers of one function share while they walk it.
final class FunctionContext implements LinearForm.Ranges, Numbers {
    final Program program;
    final Instance instance;
    final Types types;
    final Assignments assignments;
    final Environment environment = new Environment();
    /// Open loops, outermost first.
    final List<OpenLoop> loops = new ArrayList<>();
    final Map<Place, ArrayInfo> arrays = new LinkedHashMap<>();
    /// What local references stand for.
    final Map<IBinding, Located> aliases = new HashMap<>();
    /// Constructors without loops of the objects declared here.
    final Set<IASTFunctionDefinition> made = new HashSet<>();
    /// Arrays that pointers in objects got from their constructors.
    final Map<Place, ArrayInfo> pointing = new HashMap<>();
    /// Scalars whose address is kept somewhere: never known.
    final Set<Place> escaped = new HashSet<>();
    final Map<String, Range> loopRanges = new HashMap<>();
    /// Values of parameters at each call, where they differ between calls.
    final List<Map<Atom, Long>> calls = new ArrayList<>();
    /// Index formulas of each access, which know more than the index forms.
    final Map<Access, List<LinearForm>> formulas = new HashMap<>();
    /// Loop id to names of the scalars that its body may change.
    final Map<String, Set<String>> assignedNames = new HashMap<>();
    private final java.util.ArrayDeque<List<Statement>> sinks = new java.util.ArrayDeque<>();
    /// Depth of branches around the current statement.
    int branches;
    private int unknowns;
    private final List<Runnable> later = new ArrayList<>();
    private Optional<Reading> reader = Optional.empty();
    private Optional<Consumer<List<IASTStatement>>> statements = Optional.empty();

    FunctionContext(Program program, Instance instance) {
        this.program = program;
        this.instance = instance;
        this.types = instance.types();
        this.assignments = new Assignments(types, program.parsed().cpp());
    }

    /// Sets what reads the expressions of this function.
    void setExpressions(Reading expressions) {
        reader = Optional.of(expressions);
    }

    /// Sets what reads the statements of this function.
    void setStatements(Consumer<List<IASTStatement>> reading) {
        statements = Optional.of(reading);
    }

    void readStatements(List<IASTStatement> body) {
        statements.ifPresent(s -> s.accept(body));
    }

    @Override
    public Optional<Long> constant(IASTExpression e) {
        var v = new ArrayList<Value>();
        collect(() -> v.add(reader.orElseThrow().read(e)));
        LinearForm f = v.getFirst().formula();
        return f.number().isPresent() ? Optional.of(f.constant()) : Optional.empty();
    }

    /// Has something happen at the end of the full expression.
    void later(Runnable effect) {
        later.add(effect);
    }

    /// End of a full expression: what `x++` changes, changes now.
    void finish() {
        var effects = List.copyOf(later);
        later.clear();
        effects.forEach(Runnable::run);
    }

    /// A loop whose body is being read.
    ///
    /// @param id loop id
    /// @param assigned what its body changes
    /// @param shape header, where understood
    /// @param trip iterations
    /// @param branches depth of branches around its body
    /// @param leaves whether some iteration may end early (break, continue), so that what stands behind is
    /// conditional
    record OpenLoop(
            String id, Set<Place> assigned, Optional<LoopShape> shape, TripCount trip, int branches, boolean leaves) {}

    Positions positions() {
        return program.parsed().positions();
    }

    Notes notes() {
        return program.notes();
    }

    @Override
    public Range of(Atom atom) {
        return atom instanceof LoopValue v ? loopRanges.getOrDefault(v.loop(), Range.ALL) : Range.ALL;
    }

    /// A value that is not known and may change in every open loop.
    LinearForm unknown(String reason, Range range) {
        var within = new HashSet<String>();
        loops.forEach(l -> within.add(l.id()));
        return LinearForm.of(new LinearForm.Unknown(++unknowns, reason, within, range));
    }

    /// The same unknown value, of which more is known from here on.
    LinearForm narrowed(LinearForm.Unknown value, Range range) {
        return LinearForm.of(new LinearForm.Unknown(++unknowns, value.reason(), value.within(), range));
    }

    LinearForm unknown(String reason) {
        return unknown(reason, Range.ALL);
    }

    /// A parameter's value, the same throughout a call.
    Atom parameter(String reason, Range range) {
        return new LinearForm.Unknown(++unknowns, reason, Set.of(), range);
    }

    /// The value of a scalar that nothing is known about; the same until it is assigned.
    LinearForm fresh(Place place, ScalarType type) {
        var within = new HashSet<String>();
        boolean steady = !escaped.contains(place);
        for (OpenLoop l : loops) {
            if (!steady || l.assigned().stream().anyMatch(place::isChangedBy)) {
                within.add(l.id());
            }
        }
        return LinearForm.of(new LinearForm.Unknown(
                ++unknowns, "the value of " + place.name() + " is not known", within, narrow(type)));
    }

    /// Values of a narrow integer type; wide ones bound nothing that would help.
    static Range narrow(ScalarType type) {
        return switch (type.kind()) {
            case BOOL -> new Range(0, 1);
            case INTEGER ->
                type.bits() <= 12 && type.bits() > 0
                        ? values(type)
                        : type.signed() ? Range.ALL : new Range(0, Long.MAX_VALUE);
            default -> Range.ALL;
        };
    }

    /// Values of an integer type.
    static Range values(ScalarType type) {
        if (type.kind() == ScalarType.Kind.BOOL) {
            return new Range(0, 1);
        }
        if (type.kind() != ScalarType.Kind.INTEGER || type.bits() > 62 || type.bits() < 1) {
            return Range.ALL;
        }
        return type.signed()
                ? new Range(-(1L << (type.bits() - 1)), (1L << (type.bits() - 1)) - 1)
                : new Range(0, (1L << type.bits()) - 1);
    }

    LinearForm apply(Operator operator, LinearForm... operands) {
        return LinearForms.apply(operator, List.of(operands), this)
                .orElseGet(() -> unknown("arithmetic that leaves 64 bits"));
    }

    LinearForm add(LinearForm a, LinearForm b) {
        return a.plus(b).orElseGet(() -> unknown("arithmetic that leaves 64 bits"));
    }

    LinearForm subtract(LinearForm a, LinearForm b) {
        return a.minus(b).orElseGet(() -> unknown("arithmetic that leaves 64 bits"));
    }

    /// `value` stored in a variable of `type`: unchanged where it surely fits, wrapped where it is a number,
    /// else not known.
    LinearForm stored(LinearForm value, ScalarType type) {
        Range fits = values(type);
        Range range = value.range(this);
        if (fits.contains(range) || fits.equals(Range.ALL)) {
            return value;
        }
        if (value.number().isPresent() && type.kind() == ScalarType.Kind.INTEGER) {
            long size = fits.max() - fits.min() + 1;
            return LinearForm.of(Math.floorMod(value.constant() - fits.min(), size) + fits.min());
        }
        // Overflow of int is undefined in C; a value nothing is known about is taken to fit a type as wide as
        // int.
        if (type.bits() >= 32 && (type.signed() || range.min() >= 0 || !range.bounded())) {
            return value;
        }
        return unknown("may wrap around in " + type.spelling(), fits);
    }

    /// Where the loop that is about to be read stands.
    TripCounts.Setting setting() {
        var outer = new ArrayList<TripCounts.Outer>();
        for (int i = 0; i < loops.size(); i++) {
            OpenLoop l = loops.get(i);
            int next = i + 1 < loops.size() ? loops.get(i + 1).branches() : branches;
            outer.add(new TripCounts.Outer(l.shape(), l.trip(), next > l.branches() || l.leaves()));
        }
        return new TripCounts.Setting(outer, calls, this);
    }

    /// Id of the innermost open loop, empty outside all loops.
    String loop() {
        return loops.isEmpty() ? "" : loops.getLast().id();
    }

    /// Adds a statement to the body that is being read.
    void emit(Statement statement) {
        sinks.getLast().add(statement);
    }

    /// Runs `reading` with a new body and gives its statements.
    List<Statement> collect(Runnable reading) {
        var body = new ArrayList<Statement>();
        sinks.addLast(body);
        reading.run();
        sinks.removeLast();
        return body;
    }

    /// The index form of a formula. A single division is affine where the enclosing loops prove that it leaves
    /// no rest.
    IndexForm index(LinearForm formula) {
        if (formula.terms().size() == 1
                && formula.terms().keySet().iterator().next() instanceof LinearForm.Applied a
                && a.operator() == Operator.DIVIDE
                && a.operands().get(1).number().isPresent()
                && a.operands().get(1).constant() > 1
                && isMultiple(a.operands().get(0), a.operands().get(1).constant())) {
            long divisor = a.operands().get(1).constant();
            long c = formula.terms().values().iterator().next();
            Optional<LinearForm> scaled = a.operands()
                    .get(0)
                    .times(c)
                    .flatMap(f ->
                            LinearForm.of(formula.constant()).times(divisor).flatMap(f::plus));
            if (scaled.isPresent()) {
                return LinearForms.index(scaled.get(), divisor);
            }
        }
        return LinearForms.index(formula);
    }

    /// Whether every value of the formula in the open loops is a multiple of `divisor`.
    private boolean isMultiple(LinearForm f, long divisor) {
        long rest = f.constant();
        for (var e : f.terms().entrySet()) {
            Optional<LoopShape> shape = e.getKey() instanceof LoopValue v
                    ? loops.stream()
                            .flatMap(l -> l.shape().stream())
                            .filter(s -> s.loop().equals(v.loop()))
                            .findFirst()
                    : Optional.empty();
            if (shape.isEmpty()
                    || shape.get().constantStep() == 0
                    || shape.get().first().number().isEmpty()
                    || e.getValue() * shape.get().constantStep() % divisor != 0) {
                return false;
            }
            rest += e.getValue() * shape.get().first().constant();
        }
        return rest % divisor == 0;
    }

    /// Keeps the formulas behind an access for the dependence analysis.
    void remember(Access access, List<LinearForm> indices) {
        formulas.put(access, indices);
    }
}
