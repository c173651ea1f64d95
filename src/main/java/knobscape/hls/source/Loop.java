package knobscape.hls.source;

import java.util.List;
import java.util.Optional;

/// A `for`, `while` or `do` loop.
///
/// @param id `function/label`, or `function/L<line>` where the source has no label (made unique by `_2`, `_3`
/// ... on one line, in source order)
/// @param label the label in the source, or the generated name that the exporter will insert
/// @param labelled whether the label stands in the source
/// @param function name of the enclosing function
/// @param parent id of the enclosing loop
/// @param depth 0 for an outermost loop
/// @param variable induction variable, empty where none was found
/// @param first value of the variable in the first iteration, where constant
/// @param step added per iteration; 1 where no variable was found, whose part the number of the iteration takes
/// @param trip iterations per entry
/// @param body what an iteration does
/// @param keyword place of the loop keyword
/// @param bodyStart place right after the body's opening brace, or of the body's first character where there
/// are no braces; of length 0
///        unless a macro made the body
/// @param bodyEnd place of the closing brace, or one past the body's last character
/// @param statementStart place where the labelled statement starts (the label, else the keyword)
/// @param braced whether the body has braces
/// @param earlyExit whether a break, return or goto may end it before the trip count
/// @param dependences loop-carried dependences found
public record Loop(
        String id,
        String label,
        boolean labelled,
        String function,
        Optional<String> parent,
        int depth,
        String variable,
        Optional<Long> first,
        long step,
        TripCount trip,
        BodyFacts body,
        Location keyword,
        Location bodyStart,
        Location bodyEnd,
        Location statementStart,
        boolean braced,
        boolean earlyExit,
        List<Dependence> dependences) {
    public Loop {
        dependences = List.copyOf(dependences);
    }

    /// The same with another trip count and body.
    public Loop with(TripCount count, BodyFacts other) {
        return new Loop(
                id,
                label,
                labelled,
                function,
                parent,
                depth,
                variable,
                first,
                step,
                count,
                other,
                keyword,
                bodyStart,
                bodyEnd,
                statementStart,
                braced,
                earlyExit,
                dependences);
    }

    /// True if a pragma can be put at [#bodyStart()]: false where a macro made the body (`bodyStart` then
    /// covers the macro's use).
    public boolean editable() {
        return bodyStart.length() == 0;
    }

    /// Loops directly inside this one, also those inside its branches, in source order.
    public List<Loop> children() {
        return body.loops();
    }

    /// This loop and every loop below it, outer before inner, in source order.
    public List<Loop> nest() {
        var all = new java.util.ArrayList<Loop>();
        all.add(this);
        children().forEach(c -> all.addAll(c.nest()));
        return List.copyOf(all);
    }

    /// A dependence between iterations of this loop.
    ///
    /// @param variable scalar name, or array id
    /// @param array whether it runs through an array
    /// @param distance iterations between write and read, where provable; absent means that one may exist and
    /// must be assumed at distance 1
    /// @param proven whether the dependence certainly exists (an accumulator) or only cannot be excluded
    public record Dependence(String variable, boolean array, Optional<Long> distance, boolean proven) {}
}
