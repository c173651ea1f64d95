package knobscape.hls.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.DirectiveSpace.PruningStep;
import knobscape.space.Diagrams;

/// Builds the pruned space of a kernel's directives; the package documentation says how.
public final class SpaceBuilder {
    private SpaceBuilder() {}

    /// The default space: unrolling, pipelining, array partitions and inlining wherever they apply.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits) {
        return build(kernel, limits, KnobKind.defaults(), KnobCosts.NONE, Pruning.HARD);
    }

    /// The space with default values for the given kinds of knob.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits, Set<KnobKind> kinds) {
        return build(kernel, limits, kinds, KnobCosts.NONE, Pruning.HARD);
    }

    /// The space with default values for the given kinds of knob, and others where they pay. Where they tie the
    /// knobs of a large kernel together so that they can no longer be counted, less is offered: unrolling and then
    /// pipelining of innermost loops only, then fewer factors. Where that is not enough either, arrays that many
    /// loops share keep the banks they have, which frees the loops of each other, and the rest is offered
    /// as before. [DirectiveSpace#pruning()] says what was left out.
    public static DirectiveSpace build(
            Kernel kernel, SpaceLimits limits, Set<KnobKind> kinds, KnobCosts costs, Pruning pruning) {
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var pragmas = new SourcePragmas(kernel, uses);
        for (boolean whole : new boolean[] {true, false}) {
            KnobPlan plan = KnobPlan.defaults(nests, uses, limits, kinds, pragmas);
            plan.addPaying(nests, uses, limits, pragmas, costs);
            var steps = new ArrayList<PruningStep>();
            if (!whole) {
                Economy.leaveShared(plan, uses).ifPresent(steps::add);
            }
            for (Economy economy : Economy.values()) {
                if (economy.apply(plan, nests, uses).map(steps::add).isEmpty() && economy != Economy.NONE) {
                    continue;
                }
                try {
                    return build(nests, uses, limits, plan, true, pragmas, costs, pruning, steps);
                } catch (Diagrams.TooLargeException e) {
                    // The next economy leaves less to count.
                }
            }
        }
        throw new UserError("The knobs of '" + kernel.top()
                + "' constrain each other too closely to be counted; name a few loops and arrays in a directive file "
                + "(space --write-directives writes one to start from).");
    }

    /// The space that a directive file asks for, whatever banks cost.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits, DirectiveFile file) {
        return build(kernel, limits, file, KnobCosts.NONE, Pruning.HARD);
    }

    /// The space that a directive file asks for. Throws [UserError] with file and line where a name does not
    /// exist or a value does not fit, and where the knobs leave no configuration or cannot be counted.
    public static DirectiveSpace build(
            Kernel kernel, SpaceLimits limits, DirectiveFile file, KnobCosts costs, Pruning pruning) {
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var pragmas = new SourcePragmas(kernel, uses);
        KnobPlan plan = new FilePlanner(file, nests, uses, limits, pragmas).plan();
        try {
            return build(nests, uses, limits, plan, file.prune(), pragmas, costs, pruning, List.of());
        } catch (Diagrams.TooLargeException e) {
            throw new UserError(
                    file.name()
                            + ": these knobs constrain each other too closely to be counted; leave out pipelining of"
                            + " loops around others, give fewer factors, or name fewer arrays",
                    e);
        }
    }

    private static DirectiveSpace build(
            Nests nests,
            ArrayUses uses,
            SpaceLimits limits,
            KnobPlan plan,
            boolean prune,
            SourcePragmas pragmas,
            KnobCosts costs,
            Pruning pruning,
            List<PruningStep> first) {
        var facts = new PruningFacts(nests, uses, limits, plan, prune, pragmas, costs);
        Pruner.Result result = new Pruner(facts).prune();
        var steps = new ArrayList<>(first);
        steps.addAll(result.steps());
        var space =
                new PrunedDirectiveSpace(facts, new Pruner.Result(result.knobs(), result.parts(), List.copyOf(steps)));
        if (pruning == Pruning.HARD || !prune) {
            return space;
        }
        var open = new PruningFacts(nests, uses, limits, plan, false, pragmas, costs);
        return new SoftDirectiveSpace(new PrunedDirectiveSpace(open, new Pruner(open).prune()), space);
    }
}
