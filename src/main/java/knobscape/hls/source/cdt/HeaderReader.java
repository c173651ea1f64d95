package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LoopShape;
import knobscape.hls.source.LoopShape.Relation;
import knobscape.hls.source.LoopShape.Step;
import knobscape.hls.source.Range;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.TripCounts;
import knobscape.hls.source.cdt.Assignments.Assignment;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.jspecify.annotations.Nullable;

/// Finds the induction variable of a loop, and how it starts, moves and ends.
final class HeaderReader {
    private final FunctionContext context;
    private final ExpressionReader expressions;

    /// Of a sum that is compared.
    private static final int MAX_TERMS = 4;
    /// Steps and trip counts beyond which no product is made.
    private static final long MOST = 1L << 20;

    HeaderReader(FunctionContext context, ExpressionReader expressions) {
        this.context = context;
        this.expressions = expressions;
    }

    /// Parts of a loop.
    ///
    /// @param condition tested before (`testedFirst`) or after each iteration; null for none
    /// @param iteration done after each iteration; null for none
    /// @param body the rest
    record Parts(
            @Nullable IASTExpression condition,
            @Nullable IASTExpression iteration,
            IASTNode body,
            boolean testedFirst) {}

    /// A loop whose header was understood.
    ///
    /// @param place induction variable
    /// @param shape header
    /// @param complete whether the tests say everything about when it ends
    /// @param pointer where the variable is a pointer: what it walks over
    /// @param counted what tells how often it runs: `shape`, or of two variables that are compared and both move
    /// (`i < j; i++, j--`) their difference
    record Header(
            Place place, LoopShape shape, boolean complete, Optional<Environment.Pointer> pointer, LoopShape counted) {}

    private enum Where {
        CONDITION_BEFORE,
        CONDITION_AFTER,
        ITERATION,
        BODY
    }

    private record Candidate(Place place, Assignment assignment, Where where) {}

    /// One comparison, seen from each side that may be the induction variable.
    private record Conjunct(List<Side> sides) {}

    /// @param beside what is added to the variable before it is compared
    private record Side(
            IASTExpression tested, Relation relation, Optional<IASTExpression> limit, List<Beside> beside) {}

    private record Beside(IASTExpression term, boolean negative) {}

    private record Movement(Step step, Optional<IASTExpression> amount, boolean negative) {}

    /// Reads the header of the loop `id`. Called when everything the loop assigns is forgotten but `before`
    /// still knows it.
    Optional<Header> read(String id, Parts parts, Environment before) {
        var conjuncts = new ArrayList<Conjunct>();
        boolean complete = parts.condition() == null || split(parts.condition(), conjuncts);
        Optional<Candidate> candidate = conjuncts.stream()
                .flatMap(c -> c.sides().stream())
                .flatMap(c -> candidate(c.tested(), parts).stream())
                .findFirst();
        if (candidate.isEmpty()) {
            candidate = fromIteration(parts);
            complete = false;
        }
        if (candidate.isEmpty()) {
            return Optional.empty();
        }
        return header(id, parts, before, conjuncts, candidate.get(), complete);
    }

    private Optional<Header> header(
            String id, Parts parts, Environment before, List<Conjunct> conjuncts, Candidate c, boolean complete) {
        Optional<Environment.Pointer> pointer = before.pointer(c.place());
        ScalarType type = context.instance.placeType(c.place());
        if (pointer.isEmpty() && type.kind() != Kind.INTEGER && type.kind() != Kind.BOOL) {
            return Optional.empty();
        }
        Movement movement = movement(c.assignment()).orElseThrow();
        LinearForm amount =
                movement.amount().map(this::formula).orElse(LinearForm.of(movement.step() == Step.ADD ? 1 : 2));
        Optional<LinearForm> signed = movement.negative() ? amount.times(-1) : Optional.of(amount);
        if (signed.isEmpty() || amount.variesIn(id) || changes(movement.amount(), parts)) {
            return Optional.empty();
        }
        LinearForm by = signed.get();
        LinearForm first = pointer.map(Environment.Pointer::offset)
                .or(() -> before.value(c.place()))
                .orElseGet(() -> initial(c.place(), type));
        boolean moved =
                parts.testedFirst() && (c.where() == Where.CONDITION_BEFORE || c.where() == Where.CONDITION_AFTER);
        if (moved) {
            if (movement.step() != Step.ADD) {
                return Optional.empty();
            }
            first = context.add(first, by);
        }
        if (c.where() == Where.CONDITION_AFTER && by.number().isEmpty()) {
            return Optional.empty();
        }
        long shift = c.where() == Where.CONDITION_AFTER && movement.step() == Step.ADD ? by.constant() : 0;
        var tests = new ArrayList<LoopShape.Test>();
        boolean understood = complete;
        for (Conjunct k : conjuncts) {
            Optional<Side> side = k.sides().stream()
                    .filter(s -> context.assignments
                            .place(tested(s.tested()))
                            .filter(c.place()::equals)
                            .isPresent())
                    .findFirst();
            Optional<LinearForm> limit = side.flatMap(s -> limit(s, pointer, type, parts));
            if (limit.isEmpty()) {
                understood = false;
            } else {
                tests.add(new LoopShape.Test(side.get().relation(), context.add(limit.get(), LinearForm.of(shift))));
            }
        }
        Range values =
                pointer.isPresent() ? Range.ALL : FunctionContext.values(type).plus(Range.of(shift));
        boolean wraps = pointer.isEmpty() && !type.signed();
        var shape = new LoopShape(id, first, tests, movement.step(), by, parts.testedFirst(), values, wraps);
        Optional<LoopShape> difference = conjuncts.size() == 1 && complete && pointer.isEmpty()
                ? conjuncts.getFirst().sides().stream()
                        .filter(s -> context.assignments
                                .place(tested(s.tested()))
                                .filter(c.place()::equals)
                                .isPresent())
                        .findFirst()
                        .flatMap(s -> difference(shape, c, s, parts, before))
                : Optional.empty();
        return Optional.of(new Header(
                c.place(),
                shape,
                difference.isPresent() || (understood && !tests.isEmpty()),
                pointer,
                difference.orElse(shape)));
    }

    /// The distance of two variables that are compared before each iteration and both stepped behind it.
    private Optional<LoopShape> difference(LoopShape shape, Candidate c, Side s, Parts parts, Environment before) {
        Optional<Candidate> other = s.beside().isEmpty() && parts.testedFirst()
                ? s.limit()
                        .flatMap(l -> candidate(l, parts))
                        .filter(o -> !o.place().equals(c.place()))
                : Optional.empty();
        Optional<Movement> moves = other.flatMap(o -> movement(o.assignment())).filter(m -> m.step() == Step.ADD);
        if (moves.isEmpty()
                || c.where() != Where.ITERATION
                || other.get().where() != Where.ITERATION
                || shape.step() != Step.ADD
                || changes(moves.get().amount(), parts)) {
            return Optional.empty();
        }
        LinearForm amount = moves.get().amount().map(this::formula).orElse(LinearForm.of(1));
        LinearForm by = moves.get().negative() ? context.subtract(LinearForm.ZERO, amount) : amount;
        boolean signed = context.instance.placeType(c.place()).signed()
                && context.instance.placeType(other.get().place()).signed();
        // Behind `i < j` neither a step up of i nor a step down of j by one wraps around.
        boolean strict = s.relation() == Relation.LESS || s.relation() == Relation.GREATER;
        if (!signed && !(strict && isUnit(shape.amount()) && isUnit(by))) {
            return Optional.empty();
        }
        return before.value(other.get().place())
                .map(start -> new LoopShape(
                        shape.loop(),
                        context.subtract(shape.first(), start),
                        List.of(new LoopShape.Test(s.relation(), LinearForm.ZERO)),
                        Step.ADD,
                        context.subtract(shape.amount(), by),
                        true,
                        Range.ALL,
                        false));
    }

    private static boolean isUnit(LinearForm step) {
        return step.is(1) || step.is(-1);
    }

    private LinearForm initial(Place place, ScalarType type) {
        return context.fresh(place, type);
    }

    /// What the variable alone is compared with: the limit without what is added to the variable, where that stays
    /// the same.
    private Optional<LinearForm> limit(Side k, Optional<Environment.Pointer> pointer, ScalarType type, Parts parts) {
        Optional<LinearForm> limit = k.beside().isEmpty() || pointer.isEmpty() ? limit(k, pointer) : Optional.empty();
        for (Beside b : k.beside()) {
            // Of a difference that wraps around the variable alone says nothing.
            boolean wraps = b.negative() && !type.signed() && type.bits() >= 32;
            if (wraps || changes(Optional.of(b.term()), parts)) {
                return Optional.empty();
            }
            LinearForm term = formula(b.term());
            limit = limit.map(l -> b.negative() ? context.add(l, term) : context.subtract(l, term));
        }
        return limit;
    }

    private Optional<LinearForm> limit(Side k, Optional<Environment.Pointer> pointer) {
        if (k.limit().isEmpty()) {
            return Optional.of(LinearForm.ZERO);
        }
        if (pointer.isPresent()) {
            // Only a limit in the same row of the same array can be compared.
            return expressions.locator().isPointerLike(k.limit().get())
                            && expressions.locator().locate(k.limit().get()) instanceof Located.Row r
                            && r.array() == pointer.get().array()
                            && r.indices().stream()
                                    .map(Value::formula)
                                    .toList()
                                    .equals(pointer.get().before())
                    ? Optional.of(r.offset())
                    : Optional.empty();
        }
        Value[] v = new Value[1];
        context.collect(() -> {
            v[0] = expressions.read(k.limit().get());
            context.finish();
        });
        return Optional.of(v[0].formula());
    }

    private OptionalLong number(IASTExpression e) {
        return formula(e).number();
    }

    private LinearForm formula(IASTExpression e) {
        Value[] v = new Value[1];
        context.collect(() -> v[0] = expressions.read(e));
        return v[0].formula();
    }

    /// Whether the loop itself assigns something that the step is computed from.
    private boolean changes(Optional<IASTExpression> amount, Parts parts) {
        if (amount.isEmpty()) {
            return false;
        }
        var assigned = new ArrayList<Place>();
        for (IASTNode part : new IASTNode[] {parts.condition(), parts.iteration(), parts.body()}) {
            if (part != null) {
                assigned.addAll(context.assignments.places(part));
            }
        }
        boolean[] found = {false};
        amount.get().accept(new ASTVisitor() {
            {
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                found[0] |= context.assignments
                        .place(e)
                        .filter(p -> assigned.stream().anyMatch(a -> p.isChangedBy(a) || a.isChangedBy(p)))
                        .isPresent();
                return PROCESS_CONTINUE;
            }
        });
        return found[0];
    }

    /// Splits at `&&` into comparisons; false where something else remains.
    private boolean split(IASTExpression condition, List<Conjunct> found) {
        IASTExpression e = Nodes.strip(condition);
        if (e instanceof IASTBinaryExpression b) {
            if (b.getOperator() == IASTBinaryExpression.op_logicalAnd) {
                boolean left = split(b.getOperand1(), found);
                return split(b.getOperand2(), found) && left;
            }
            Optional<Relation> relation = relation(b.getOperator());
            if (relation.isPresent()) {
                var sides = new ArrayList<Side>();
                sides(b.getOperand1(), relation.get(), b.getOperand2(), List.of(), sides);
                sides(b.getOperand2(), mirrored(relation.get()), b.getOperand1(), List.of(), sides);
                if (!sides.isEmpty()) {
                    found.add(new Conjunct(sides));
                }
                return !sides.isEmpty();
            }
            return false;
        }
        if (context.assignments.place(tested(e)).isPresent()) {
            found.add(new Conjunct(List.of(new Side(e, Relation.NOT_EQUAL, Optional.empty(), List.of()))));
            return true;
        }
        return false;
    }

    /// Variables that `operand` is, or is a sum or difference of.
    private void sides(
            IASTExpression operand, Relation relation, IASTExpression limit, List<Beside> beside, List<Side> found) {
        if (context.assignments.place(tested(operand)).isPresent()) {
            found.add(new Side(operand, relation, Optional.of(limit), beside));
        } else if (beside.size() < MAX_TERMS && Nodes.strip(operand) instanceof IASTBinaryExpression b) {
            boolean minus = b.getOperator() == IASTBinaryExpression.op_minus;
            if (minus || b.getOperator() == IASTBinaryExpression.op_plus) {
                sides(b.getOperand1(), relation, limit, with(beside, new Beside(b.getOperand2(), minus)), found);
            }
            if (b.getOperator() == IASTBinaryExpression.op_plus) {
                sides(b.getOperand2(), relation, limit, with(beside, new Beside(b.getOperand1(), false)), found);
            }
        }
    }

    private static List<Beside> with(List<Beside> some, Beside one) {
        var all = new ArrayList<>(some);
        all.add(one);
        return List.copyOf(all);
    }

    private static Optional<Relation> relation(int operator) {
        return switch (operator) {
            case IASTBinaryExpression.op_lessThan -> Optional.of(Relation.LESS);
            case IASTBinaryExpression.op_lessEqual -> Optional.of(Relation.LESS_EQUAL);
            case IASTBinaryExpression.op_greaterThan -> Optional.of(Relation.GREATER);
            case IASTBinaryExpression.op_greaterEqual -> Optional.of(Relation.GREATER_EQUAL);
            case IASTBinaryExpression.op_notequals -> Optional.of(Relation.NOT_EQUAL);
            default -> Optional.empty();
        };
    }

    private static Relation mirrored(Relation r) {
        return switch (r) {
            case LESS -> Relation.GREATER;
            case LESS_EQUAL -> Relation.GREATER_EQUAL;
            case GREATER -> Relation.LESS;
            case GREATER_EQUAL -> Relation.LESS_EQUAL;
            case NOT_EQUAL -> Relation.NOT_EQUAL;
        };
    }

    /// The variable in `v`, `v++`, `--v`, `(int) v`, `v.to_int()`.
    private static IASTExpression tested(IASTExpression expression) {
        IASTExpression e = Nodes.strip(expression);
        if (e instanceof IASTCastExpression c) {
            return tested(c.getOperand());
        }
        if (e instanceof IASTFunctionCallExpression c
                && Nodes.strip(c.getFunctionNameExpression()) instanceof IASTFieldReference f
                && f.getFieldName().toString().matches("to_u?(int|long)(64)?")) {
            return tested(f.getFieldOwner());
        }
        boolean step = e instanceof IASTUnaryExpression u
                && (u.getOperator() == IASTUnaryExpression.op_prefixIncr
                        || u.getOperator() == IASTUnaryExpression.op_prefixDecr
                        || u.getOperator() == IASTUnaryExpression.op_postFixIncr
                        || u.getOperator() == IASTUnaryExpression.op_postFixDecr);
        return step ? Nodes.strip(((IASTUnaryExpression) e).getOperand()) : e;
    }

    /// The tested variable, where it changes exactly once in every iteration and by a step.
    private Optional<Candidate> candidate(IASTExpression tested, Parts parts) {
        Optional<Place> place = context.assignments.place(tested(tested));
        if (place.isEmpty() || context.escaped.contains(place.get())) {
            return Optional.empty();
        }
        var found = new ArrayList<Candidate>();
        boolean prefix = Nodes.strip(tested) instanceof IASTUnaryExpression u
                && (u.getOperator() == IASTUnaryExpression.op_prefixIncr
                        || u.getOperator() == IASTUnaryExpression.op_prefixDecr);
        collect(parts.condition(), place.get(), prefix ? Where.CONDITION_BEFORE : Where.CONDITION_AFTER, found);
        collect(parts.iteration(), place.get(), Where.ITERATION, found);
        collect(parts.body(), place.get(), Where.BODY, found);
        // A step of p is none of what it points to.
        return found.size() == 1
                        && found.getFirst().assignment().place().equals(place.get())
                        && found.getFirst().assignment().unconditional()
                        && movement(found.getFirst().assignment()).isPresent()
                ? Optional.of(found.getFirst())
                : Optional.empty();
    }

    private void collect(@Nullable IASTNode part, Place place, Where where, List<Candidate> found) {
        if (part != null) {
            for (Assignment a : context.assignments.in(part)) {
                if (place.isChangedBy(a.place())) {
                    found.add(new Candidate(place, a, where));
                }
            }
        }
    }

    /// Without a usable condition: the first variable that the header moves.
    private Optional<Candidate> fromIteration(Parts parts) {
        if (parts.iteration() == null) {
            return Optional.empty();
        }
        for (Assignment a : context.assignments.in(parts.iteration())) {
            var found = new ArrayList<Candidate>();
            collect(parts.condition(), a.place(), Where.CONDITION_AFTER, found);
            collect(parts.iteration(), a.place(), Where.ITERATION, found);
            collect(parts.body(), a.place(), Where.BODY, found);
            if (found.size() == 1
                    && a.unconditional()
                    && movement(a).isPresent()
                    && !context.escaped.contains(a.place())) {
                return Optional.of(found.getFirst());
            }
        }
        return Optional.empty();
    }

    /// How an assignment moves its variable.
    private Optional<Movement> movement(Assignment a) {
        if (!a.negative()
                && a.step()
                        .flatMap(context.assignments::place)
                        .filter(a.place()::equals)
                        .isPresent()) {
            // m += m
            return Optional.of(new Movement(Step.MULTIPLY, Optional.empty(), false));
        }
        if (a.isStep()) {
            return Optional.of(new Movement(Step.ADD, a.step(), a.negative()));
        }
        if (!(a.node() instanceof IASTBinaryExpression b)) {
            return Optional.empty();
        }
        Optional<Step> compound = switch (b.getOperator()) {
            case IASTBinaryExpression.op_multiplyAssign -> Optional.of(Step.MULTIPLY);
            case IASTBinaryExpression.op_divideAssign -> Optional.of(Step.DIVIDE);
            case IASTBinaryExpression.op_shiftLeftAssign -> Optional.of(Step.SHIFT_LEFT);
            case IASTBinaryExpression.op_shiftRightAssign -> Optional.of(Step.SHIFT_RIGHT);
            default -> Optional.empty();
        };
        if (compound.isPresent()) {
            return Optional.of(new Movement(compound.get(), Optional.of(b.getOperand2()), false));
        }
        if (b.getOperator() == IASTBinaryExpression.op_assign
                && Nodes.strip(b.getOperand2()) instanceof IASTBinaryExpression s) {
            boolean left =
                    a.place().equals(context.assignments.place(s.getOperand1()).orElse(null));
            boolean right =
                    a.place().equals(context.assignments.place(s.getOperand2()).orElse(null));
            Optional<Step> step = switch (s.getOperator()) {
                case IASTBinaryExpression.op_multiply -> Optional.of(Step.MULTIPLY);
                case IASTBinaryExpression.op_divide -> left ? Optional.of(Step.DIVIDE) : Optional.empty();
                case IASTBinaryExpression.op_shiftLeft -> left ? Optional.of(Step.SHIFT_LEFT) : Optional.empty();
                case IASTBinaryExpression.op_shiftRight -> left ? Optional.of(Step.SHIFT_RIGHT) : Optional.empty();
                default -> Optional.empty();
            };
            if (step.isPresent() && left != right) {
                return Optional.of(
                        new Movement(step.get(), Optional.of(left ? s.getOperand2() : s.getOperand1()), false));
            }
        }
        return Optional.empty();
    }

    /// Scalars other than the induction variable that move by a number in every iteration.
    ///
    /// @return place to its value in the body, as a formula of the induction variable
    Map<Place, LinearForm> followers(Header header, Parts parts, Environment before) {
        var found = new LinkedHashMap<Place, LinearForm>();
        LoopShape shape = header.shape();
        if (shape.constantStep() == 0) {
            return found;
        }
        var moves = new LinkedHashMap<Place, OptionalLong>();
        for (IASTNode part : new IASTNode[] {parts.condition(), parts.iteration(), parts.body()}) {
            if (part != null) {
                for (Assignment a : context.assignments.in(part)) {
                    OptionalLong by = part == parts.condition() ? OptionalLong.empty() : moved(a, part, parts);
                    moves.merge(a.place(), by, HeaderReader::sum);
                }
            }
        }
        moves.forEach((place, by) -> {
            boolean alone = moves.keySet().stream().noneMatch(o -> !o.equals(place) && place.isChangedBy(o));
            Optional<LinearForm> start = start(place, before);
            if (!alone
                    || by.isEmpty()
                    || by.getAsLong() % shape.constantStep() != 0
                    || start.isEmpty()
                    || place.equals(header.place())
                    || context.escaped.contains(place)) {
                return;
            }
            LinearForm.of(new LinearForm.LoopValue(shape.loop()))
                    .minus(shape.first())
                    .flatMap(d -> d.times(by.getAsLong() / shape.constantStep()))
                    .flatMap(d -> d.plus(start.get()))
                    .ifPresent(f -> found.put(place, f));
        });
        return found;
    }

    /// By how much an assignment in a part of the loop moves its variable in each iteration, where that is a number:
    /// steps in the loop's body, and in loops there that always run as often.
    private OptionalLong moved(Assignment a, IASTNode part, Parts parts) {
        Optional<List<IASTForStatement>> around =
                a.isStep() ? Assignments.loopsAround(a.node(), part) : Optional.empty();
        if (around.isEmpty() || changes(a.step(), parts)) {
            return OptionalLong.empty();
        }
        OptionalLong by = a.unit() ? OptionalLong.of(1) : number(a.step().orElseThrow());
        for (IASTForStatement f : around.get()) {
            OptionalLong times = by.isPresent() ? times(f) : by;
            by = times.isPresent() && Math.abs(by.getAsLong()) < MOST && times.getAsLong() < MOST
                    ? OptionalLong.of(by.getAsLong() * times.getAsLong())
                    : OptionalLong.empty();
        }
        return by.isPresent() && a.negative() ? OptionalLong.of(-by.getAsLong()) : by;
    }

    private static OptionalLong sum(OptionalLong a, OptionalLong b) {
        return a.isPresent() && b.isPresent() ? OptionalLong.of(a.getAsLong() + b.getAsLong()) : OptionalLong.empty();
    }

    /// How often an inner loop runs whenever it is reached, where that is a number.
    private OptionalLong times(IASTForStatement f) {
        if (Exits.of(f.getBody()).leavesLoop()) {
            return OptionalLong.empty();
        }
        Environment before = context.environment.copy();
        for (Assignment a : context.assignments.in(f.getInitializerStatement())) {
            before.forget(a.place());
            Optional<IASTExpression> start = switch (a.node()) {
                case IASTDeclarator d
                when d.getInitializer() instanceof IASTEqualsInitializer i
                        && i.getInitializerClause() instanceof IASTExpression e -> Optional.of(e);
                case IASTBinaryExpression b
                when b.getOperator() == IASTBinaryExpression.op_assign -> Optional.of(b.getOperand2());
                default -> Optional.empty();
            };
            start.ifPresent(e -> before.set(a.place(), formula(e)));
        }
        var parts = new Parts(f.getConditionExpression(), f.getIterationExpression(), f.getBody(), true);
        return read("", parts, before)
                .filter(Header::complete)
                .map(h -> TripCounts.count(h.counted(), context.setting(), false, false))
                .filter(TripCount::isExact)
                .map(TripCount::max)
                .orElse(OptionalLong.empty());
    }

    /// The value before the loop; of a pointer its offset in its array.
    private static Optional<LinearForm> start(Place place, Environment before) {
        return before.value(place).or(() -> before.pointer(place).map(Environment.Pointer::offset));
    }

    /// Pointers that a loop only steps, so that they stay in their array; the others point nobody knows where.
    Map<Place, Environment.Pointer> stepped(Parts parts, Environment before) {
        var all = new ArrayList<Assignment>();
        for (IASTNode part : new IASTNode[] {parts.condition(), parts.iteration(), parts.body()}) {
            if (part != null) {
                all.addAll(context.assignments.in(part));
            }
        }
        var found = new LinkedHashMap<Place, Environment.Pointer>();
        for (Assignment a : all) {
            if (!context.escaped.contains(a.place())
                    && all.stream().allMatch(o -> !a.place().isChangedBy(o.place()) || o.isStep())) {
                before.pointer(a.place()).ifPresent(p -> found.put(a.place(), p));
            }
        }
        return found;
    }
}
