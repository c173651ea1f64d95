package knobscape.hls.export;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobNames;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// The full request of a design to the tool: the tools inline small functions and (Vitis HLS) pipeline
/// loops of their own accord, so a knob at `off` needs words too. An unpipelined loop needs none where the tool
/// leaves loops alone; naming it would only ask for a label.
///
/// @param kernel the source
/// @param directives everything to be said
/// @param controlled whether a knob of that name was decided by the design; only then a pragma of the source
/// gives way
record ExportPlan(Kernel kernel, List<Directive> directives, Predicate<String> controlled) {

    /// @param pipelineOff whether loops that the design leaves unpipelined get an explicit `off`, or no words
    static ExportPlan of(DirectiveSpace space, Configuration configuration, boolean pipelineOff) {
        Kernel kernel = space.kernel();
        KnobSet knobs = space.space().knobs();
        var directives = new LinkedHashSet<>(space.directives(configuration));
        for (var function : kernel.functions()) {
            if (isOff(configuration, knobs, KnobNames.inline(function.name()))) {
                directives.add(new Directive.Inline(function.name(), false));
            }
        }
        if (!pipelineOff) {
            directives.removeIf(d -> d instanceof Directive.Pipeline p && !p.enabled());
        } else {
            Set<String> dissolved = dissolved(kernel, directives);
            for (Loop loop : kernel.loops()) {
                if (isOff(configuration, knobs, KnobNames.pipeline(loop.id())) && !dissolved.contains(loop.id())) {
                    directives.add(new Directive.Pipeline(loop.id(), false, 0));
                }
            }
        }
        return new ExportPlan(
                kernel, List.copyOf(directives), name -> knobs.indexOf(name).isPresent());
    }

    private static boolean isOff(Configuration configuration, KnobSet knobs, String name) {
        return knobs.indexOf(name).isPresent() && configuration.value(name).equals("off");
    }

    /// Loops that no longer exist in hardware: below a pipelined loop or function, or unrolled completely.
    private static Set<String> dissolved(Kernel kernel, Set<Directive> directives) {
        var gone = new HashSet<String>();
        for (Directive d : directives) {
            if (d instanceof Directive.Pipeline p && p.enabled()) {
                kernel.loop(p.loop()).ifPresent(l -> l.nest().stream().skip(1).forEach(inner -> gone.add(inner.id())));
            } else if (d instanceof Directive.PipelineFunction p) {
                kernel.function(p.function()).ifPresent(f -> f.allLoops().forEach(inner -> gone.add(inner.id())));
            } else if (d instanceof Directive.Unroll u) {
                Optional<Loop> loop = kernel.loop(u.loop());
                boolean complete = u.factor() == 0
                        || (loop.isPresent() && loop.get().trip().max().orElse(Long.MAX_VALUE) <= u.factor());
                if (complete) {
                    gone.add(u.loop());
                }
            }
        }
        return gone;
    }
}
