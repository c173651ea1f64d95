package knobscape.hls.source.clang;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IterationCounts;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.TripCount;
import org.jspecify.annotations.Nullable;

/// How often loops run, read off the top function with everything put in at its calls: arguments are then numbers.
final class TripFacts {
    private static final String PASSES = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<memssa>,"
            + "instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa)";

    /// Instructions above which calls stay, and arguments are numbers only where all callers pass the same one.
    private static final int MANY = 50_000;

    private static final String APART = PASSES.replace("always-inline,", "function(sroa<modify-cfg>),ipsccp,");

    private final Map<Long, TripCount> counts = new HashMap<>();

    private TripFacts() {}

    /// Counts the loops that a top function reaches.
    ///
    /// @param top linker's name
    /// @param reached the functions that it reaches, itself included
    static TripFacts of(CompiledSource source, String top, Collection<IrFunction> reached, CancellationSignal cancel) {
        var attributes = new HashMap<String, Map<String, Boolean>>();
        boolean apart = reached.stream().mapToLong(f -> f.instructions().size()).sum() > MANY;
        reached.forEach(f -> attributes.put(
                f.name(),
                apart || f.name().equals(top)
                        ? Map.of("noinline", false)
                        : Map.of("noinline", false, "alwaysinline", true)));
        IrModule module = source.read(
                new Transformation(
                        Optional.of(top), attributes, Map.of(), true, java.util.List.of(apart ? APART : PASSES)),
                cancel);
        var facts = new TripFacts();
        for (IrFunction f : module.functions()) {
            if (!f.isDeclaration()) {
                FunctionFacts known = FunctionFacts.of(f);
                for (IrLoop l : known.loops().all()) {
                    if (l.id().isPresent()) {
                        facts.add(l.id().getAsLong(), known.counts().of(l));
                    }
                }
            }
        }
        return facts;
    }

    private void add(long id, Optional<IterationCounts.Count> count) {
        TripCount here = count.map(TripFacts::trip).orElse(TripCount.unknown());
        counts.merge(id, here, TripFacts::either);
    }

    private static TripCount trip(IterationCounts.Count c) {
        return c.exact()
                ? TripCount.exact(c.most())
                : new TripCount(
                        OptionalLong.of(c.least()),
                        OptionalLong.of(c.most()),
                        c.sole() && c.even() ? OptionalDouble.of(c.mean()) : OptionalDouble.empty(),
                        TripCount.Certainty.BOUNDED);
    }

    /// Of a loop that is put in at several calls.
    private static TripCount either(TripCount a, TripCount b) {
        if (a.equals(b)) {
            return a;
        }
        if (a.max().isEmpty() || b.max().isEmpty()) {
            return TripCount.unknown();
        }
        return new TripCount(
                a.min().isPresent() && b.min().isPresent()
                        ? OptionalLong.of(Math.min(a.min().getAsLong(), b.min().getAsLong()))
                        : OptionalLong.empty(),
                OptionalLong.of(Math.max(a.max().getAsLong(), b.max().getAsLong())),
                OptionalDouble.empty(),
                TripCount.Certainty.BOUNDED);
    }

    /// The trip count that a directive states (LOOP_TRIPCOUNT).
    static TripCount stated(Map<String, String> options) {
        OptionalLong min = number(options.get("min"));
        OptionalLong max = number(options.get("max"));
        OptionalLong mean = number(options.get("avg"));
        return new TripCount(
                min,
                max.isPresent() ? max : mean,
                mean.isPresent() ? OptionalDouble.of(mean.getAsLong()) : OptionalDouble.empty(),
                TripCount.Certainty.STATED);
    }

    private static OptionalLong number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /// The count of a loop by its mark; unknown for one that is never reached.
    TripCount of(IrLoop loop) {
        return loop.id().isPresent()
                ? counts.getOrDefault(loop.id().getAsLong(), TripCount.unknown())
                : TripCount.unknown();
    }
}
