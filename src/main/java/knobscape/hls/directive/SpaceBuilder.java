package knobscape.hls.directive;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import knobscape.hls.source.Kernel;

/// Builds the pruned space of a kernel's directives; the package documentation says how.
public final class SpaceBuilder {
    private SpaceBuilder() {
    }

    /// The default space: unrolling, pipelining, array partitions and inlining wherever they apply.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits) {
        return build(kernel, limits, defaultKinds());
    }

    /// The space with default values for the given kinds of knob.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits, Set<KnobKind> kinds) {
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var pragmas = new SourcePragmas(kernel, uses);
        return build(nests, uses, limits, KnobPlan.defaults(nests, uses, limits, kinds, pragmas), true, pragmas);
    }

    /// The space that a directive file asks for. Throws [knobscape.evaluate.UserError] with file and line where a name does not exist or a value does
    /// not fit, and where the knobs leave no configuration.
    public static DirectiveSpace build(Kernel kernel, SpaceLimits limits, DirectiveFile file) {
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var pragmas = new SourcePragmas(kernel, uses);
        return build(nests, uses, limits, new FilePlanner(file, nests, uses, limits, pragmas).plan(), file.prune(), pragmas);
    }

    private static DirectiveSpace build(Nests nests, ArrayUses uses, SpaceLimits limits, KnobPlan plan, boolean prune, SourcePragmas pragmas) {
        var pruner = new Pruner(nests, uses, limits, plan, prune);
        return new PrunedDirectiveSpace(pruner, pruner.prune(), pragmas);
    }

    /// The kinds of knob in the default space.
    public static Set<KnobKind> defaultKinds() {
        var kinds = EnumSet.noneOf(KnobKind.class);
        Arrays.stream(KnobKind.values()).filter(KnobKind::byDefault).forEach(kinds::add);
        return kinds;
    }
}
