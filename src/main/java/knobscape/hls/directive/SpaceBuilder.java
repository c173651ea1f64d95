package knobscape.hls.directive;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.hls.directive.DirectiveSpace.PruningStep;
import knobscape.hls.source.Kernel;
import knobscape.space.Diagrams;

/// Builds the pruned space of a kernel's directives; the package documentation says how.
public final class SpaceBuilder {
    private SpaceBuilder() {
    }

    /// The default space: unrolling, pipelining, array partitions and inlining wherever they apply.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits) {
        return build(kernel, limits, defaultKinds());
    }

    /// The space with default values for the given kinds of knob. Where pipelining of loops around others ties the knobs of a large kernel
    /// together so that they can no longer be counted, it is offered for innermost loops only, and [DirectiveSpace#pruning()] says so.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits, Set<KnobKind> kinds) {
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var pragmas = new SourcePragmas(kernel, uses);
        KnobPlan plan = KnobPlan.defaults(nests, uses, limits, kinds, pragmas);
        try {
            return build(nests, uses, limits, plan, true, pragmas, List.of());
        } catch (Diagrams.TooLargeException e) {
            List<String> left = plan.pipeline().keySet().stream().filter(l -> nests.copiesInside(nests.loop(l)) > 1).toList();
            left.forEach(plan.pipeline()::remove);
            var step = new PruningStep("pipelining is offered for innermost loops only: with " + String.join(", ", left)
                    + " too the knobs constrain each other too closely to be counted; a directive file can name a few of them", List.of(),
                    BigInteger.ONE, BigInteger.ONE);
            return build(nests, uses, limits, plan, true, pragmas, List.of(step));
        }
    }

    /// The space that a directive file asks for. Throws [UserError] with file and line where a name does not exist or a value does
    /// not fit, and where the knobs leave no configuration or cannot be counted.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits, DirectiveFile file) {
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var pragmas = new SourcePragmas(kernel, uses);
        KnobPlan plan = new FilePlanner(file, nests, uses, limits, pragmas).plan();
        try {
            return build(nests, uses, limits, plan, file.prune(), pragmas, List.of());
        } catch (Diagrams.TooLargeException e) {
            throw new UserError(file.name() + ": these knobs constrain each other too closely to be counted; leave out pipelining of loops around others, "
                    + "give fewer factors, or name fewer arrays", e);
        }
    }

    private static DirectiveSpace build(Nests nests, ArrayUses uses, SpaceLimits limits, KnobPlan plan, boolean prune, SourcePragmas pragmas,
            List<PruningStep> first) {
        var pruner = new Pruner(nests, uses, limits, plan, prune);
        Pruner.Result result = pruner.prune();
        var steps = new ArrayList<>(first);
        steps.addAll(result.steps());
        return new PrunedDirectiveSpace(pruner, new Pruner.Result(result.knobs(), result.parts(), List.copyOf(steps)), pragmas);
    }

    /// The kinds of knob in the default space.
    public static Set<KnobKind> defaultKinds() {
        var kinds = EnumSet.noneOf(KnobKind.class);
        Arrays.stream(KnobKind.values()).filter(KnobKind::byDefault).forEach(kinds::add);
        return kinds;
    }
}
