package knobscape.hls.export;

import java.util.List;
import java.util.function.Predicate;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;

/// Writes a design into its source as `#pragma HLS` lines, the form in which it is shipped (UG1399 recommends
/// directive files for exploring and pragmas for the result).
///
/// A pragma goes first into the body it is about (after a local array's declaration), a body without braces
/// gets some, loops without a label get the one their knobs name them by. A pragma of the source gives way
/// where the design decides over the same knob; one that a macro made stays and is reported. Nothing else
/// changes, not a blank nor a line ending.
public final class PragmaWriter {
    private final Dialect dialect;

    /// @param dialect tool to write for
    public PragmaWriter(Dialect dialect) {
        this.dialect = dialect;
    }

    /// The source with the directives of `configuration`. Throws [knobscape.evaluate.UserError] where the space
    /// does not fit the source.
    public AnnotatedSource write(DirectiveSpace space, Configuration configuration) {
        DirectiveSpace.Placed built = space.at(configuration);
        return write(ExportPlan.of(built.space(), built.configuration(), dialect == Dialect.VITIS_HLS));
    }

    /// The source with exactly these directives.
    ///
    /// @param controlled whether pragmas about the knob of that name ([knobscape.hls.space.KnobNames]) give way
    AnnotatedSource write(Kernel kernel, List<Directive> directives, Predicate<String> controlled) {
        return write(new ExportPlan(kernel, directives, controlled));
    }

    private AnnotatedSource write(ExportPlan plan) {
        var annotator = new Annotator(plan.kernel());
        var speller = new Speller(plan.kernel(), dialect, annotator::note);
        annotator.label(plan.kernel().loops());
        annotator.annotate(
                annotator.sayable(plan.directives().stream()
                        .flatMap(d -> speller.spell(d).stream())
                        .toList()),
                plan.controlled());
        return annotator.result();
    }
}
