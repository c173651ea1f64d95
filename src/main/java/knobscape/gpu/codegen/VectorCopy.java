package knobscape.gpu.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;

/// A loop over neighbouring elements that copies from one buffer to another, where one access of several words does the
/// same: both places move by one from lane to lane, both begin at a multiple of the lanes, and every condition holds
/// for all lanes or for none.
///
/// @param to where it goes
/// @param at first element written, a multiple of the lanes
/// @param from where it comes from
/// @param first first element read, a multiple of the lanes
/// @param lanes 2 or 4, of 16-bit floats up to 8
/// @param conditions of the whole copy
/// @param present where these fail, zeros are written
record VectorCopy(
        Buffer to,
        IndexExpr at,
        Buffer from,
        IndexExpr first,
        int lanes,
        List<IndexBound> conditions,
        List<IndexBound> present) {

    /// The copy that a loop is; empty where it is none, or not provably one.
    ///
    /// @param fix what becomes of the loop's indices before they are printed
    static Optional<VectorCopy> of(NestStatement.Loop loop, UnaryOperator<IndexExpr> fix) {
        Axis lane = loop.axis();
        List<NestStatement> body = loop.body();
        List<IndexBound> guards = List.of();
        if (body.size() == 1 && body.getFirst() instanceof NestStatement.Guard g) {
            guards = g.conditions();
            body = g.body();
        }
        if (lane.binding() != Axis.Binding.VECTORIZED
                || body.size() != 1
                || !(body.getFirst() instanceof NestStatement.Store store)
                || store.accumulate()
                || store.buffer().scope() == Buffer.Scope.LOCAL
                || !(store.value() instanceof NestValue.Load load)
                || load.buffer().scope() == Buffer.Scope.LOCAL
                || !areLanes(lane.extent(), store.buffer().format())
                || store.buffer().format() != load.buffer().format()) {
            return Optional.empty();
        }
        boolean halves = load.buffer().format() == Buffer.Format.HALF;
        List<IndexBound> exists = load.conditions().stream()
                .map(c -> new IndexBound(fix.apply(c.index()), c.limit()))
                .filter(c -> !c.isAlwaysTrue())
                .toList();
        Optional<List<IndexBound>> present = exists.isEmpty() || halves ? wholes(exists, lane) : Optional.empty();
        Optional<IndexExpr> at = first(fix.apply(store.index()), lane);
        Optional<IndexExpr> from = first(fix.apply(load.index()), lane);
        Optional<List<IndexBound>> conditions = wholes(
                guards.stream()
                        .map(c -> new IndexBound(fix.apply(c.index()), c.limit()))
                        .toList(),
                lane);
        return at.isPresent() && from.isPresent() && conditions.isPresent() && present.isPresent()
                ? Optional.of(new VectorCopy(
                        store.buffer(),
                        at.get(),
                        load.buffer(),
                        from.get(),
                        (int) lane.extent(),
                        conditions.get(),
                        present.get()))
                : Optional.empty();
    }

    /// One access has 8 or 16 bytes, of 16-bit floats also 4.
    private static boolean areLanes(long lanes, Buffer.Format format) {
        return format == Buffer.Format.HALF ? lanes == 2 || lanes == 4 || lanes == 8 : lanes == 2 || lanes == 4;
    }

    /// The same conditions at the first lane; empty where one does not provably hold for all lanes or for none.
    private static Optional<List<IndexBound>> wholes(List<IndexBound> conditions, Axis lane) {
        var all = new ArrayList<IndexBound>();
        for (IndexBound c : conditions) {
            Optional<IndexExpr> whole = !c.index().uses(lane)
                    ? Optional.of(c.index())
                    : c.limit() % lane.extent() == 0 ? first(c.index(), lane) : Optional.empty();
            if (whole.isEmpty()) {
                return Optional.empty();
            }
            all.add(new IndexBound(whole.get(), c.limit()));
        }
        return Optional.of(all);
    }

    /// The index at the first lane, where it is a multiple of the lanes there and one more at each further lane.
    private static Optional<IndexExpr> first(IndexExpr e, Axis lane) {
        IndexExpr sum = IndexExpr.of(e.constant());
        long lanes = 0;
        for (IndexExpr.Term t : e.terms()) {
            switch (t.atom()) {
                case Axis a -> {
                    lanes += a == lane ? t.factor() : 0;
                    sum = a == lane ? sum : sum.plus(IndexExpr.of(a).times(t.factor()));
                }
                case IndexExpr.Division d -> {
                    IndexExpr of = d.of();
                    if (of.uses(lane)) {
                        // All lanes lie within one multiple of the divisor.
                        Optional<IndexExpr> inside = d.by() % lane.extent() == 0 ? first(of, lane) : Optional.empty();
                        if (inside.isEmpty()) {
                            return Optional.empty();
                        }
                        of = inside.get();
                        lanes += d.rest() ? t.factor() : 0;
                    }
                    sum = sum.plus((d.rest() ? of.modulo(d.by()) : of.dividedBy(d.by())).times(t.factor()));
                }
            }
        }
        return lanes == 1 && isMultiple(sum, lane.extent()) ? Optional.of(sum) : Optional.empty();
    }

    private static boolean isMultiple(IndexExpr e, long of) {
        return e.constant() % of == 0
                && e.terms().stream()
                        .allMatch(t -> t.factor() % of == 0
                                || (t.atom() instanceof IndexExpr.Division d
                                        && d.rest()
                                        && d.by() % of == 0
                                        && isMultiple(d.of(), of)));
    }
}
