package knobscape.hls.space;

import java.util.List;
import java.util.OptionalDouble;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;

/// The pruned space of one kernel's directives, with the way back from a configuration to directives.
public interface DirectiveSpace {

    /// The kernel it belongs to.
    Kernel kernel();

    /// The space after pruning; its `fullSize()` is the size before.
    DesignSpace space();

    /// Features of thesis section 3.3.2.
    Encoder encoder();

    /// The directives a configuration stands for, in a fixed order. Choices equal to the tool's default make no
    /// directive.
    List<Directive> directives(Configuration configuration);

    /// The design that a configuration stands for: of this space, unless its knobs transform the source.
    default Placed at(Configuration configuration) {
        return new Placed(this, configuration);
    }

    /// A configuration of a space whose kernel is what is built.
    ///
    /// @param clockNs the period it is built for, where that is a knob
    record Placed(DirectiveSpace space, Configuration configuration, OptionalDouble clockNs) {
        /// For the clock of all designs.
        public Placed(DirectiveSpace space, Configuration configuration) {
            this(space, configuration, OptionalDouble.empty());
        }

        /// Its directives.
        public List<Directive> directives() {
            return space.directives(configuration);
        }
    }

    /// The configuration every result is compared with: nothing unrolled, pipelined, partitioned or inlined,
    /// or, where the source carries pragmas, what they say as far as the space has it. Always a member of the
    /// space.
    Configuration baseline();

    /// The member closest to directives that were decided elsewhere.
    ///
    /// @param stated as pragmas; later ones win
    /// @param complete whether they say all, so that what they do not name is off; else it stays as in the source
    default Configuration stated(List<Pragma> stated, boolean complete) {
        throw new UnsupportedOperationException("this space takes no directives of elsewhere");
    }

    /// How many groups of knobs have values that the pruning rules rate as poor; 0 of every member of a space that was
    /// pruned hard.
    default int disliked(Configuration configuration) {
        return 0;
    }

    /// The steps of pruning, one line per merged graph and per rule, for the window and `--json`.
    List<PruningStep> pruning();

    /// Effect of one part of pruning.
    ///
    /// @param subject arrays and loops concerned, in words
    /// @param knobs names of the knobs it decides over
    /// @param before combinations of those knobs before
    /// @param after combinations kept
    record PruningStep(String subject, List<String> knobs, java.math.BigInteger before, java.math.BigInteger after) {}
}
