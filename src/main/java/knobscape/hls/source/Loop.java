package knobscape.hls.source;

import java.util.List;
import java.util.Optional;

/// A `for`, `while` or `do` loop.
///
/// @param name how it is called
/// @param around the function and loops around it
/// @param counter what counts its iterations
/// @param trip iterations per entry
/// @param body what an iteration does
/// @param text where it stands
/// @param earlyExit whether a break, return or goto may end it before the trip count
/// @param dependences loop-carried dependences found
public record Loop(
        Name name,
        Nest around,
        Counter counter,
        TripCount trip,
        BodyFacts body,
        Text text,
        boolean earlyExit,
        List<Dependence> dependences) {
    public Loop {
        dependences = List.copyOf(dependences);
    }

    /// The name of a loop.
    ///
    /// @param id `function/label`, or `function/L<line>` where the source has no label (made unique by `_2`, `_3`
    /// ... on one line, in source order)
    /// @param label the label in the source, or the generated name that the exporter will insert
    /// @param labelled whether the label stands in the source
    public record Name(String id, String label, boolean labelled) {}

    /// The place of a loop among others.
    ///
    /// @param function name of the enclosing function
    /// @param parent id of the enclosing loop
    /// @param depth 0 for an outermost loop
    public record Nest(String function, Optional<String> parent, int depth) {}

    /// The induction variable.
    ///
    /// @param variable its name, empty where none was found
    /// @param first its value in the first iteration, where constant
    /// @param step added per iteration; 1 where no variable was found, whose part the iteration's number takes
    public record Counter(String variable, Optional<Long> first, long step) {}

    /// The places of a loop in its source.
    ///
    /// @param keyword the loop keyword
    /// @param bodyStart right after the body's opening brace, or the body's first character where there are none;
    /// of length 0 unless a macro made the body
    /// @param bodyEnd the closing brace, or one past the body's last character
    /// @param statementStart where the labelled statement starts (the label, else the keyword)
    /// @param braced whether the body has braces
    public record Text(
            Location keyword, Location bodyStart, Location bodyEnd, Location statementStart, boolean braced) {}

    /// `function/label`, unique in the kernel.
    public String id() {
        return name.id;
    }

    /// Name of the enclosing function.
    public String function() {
        return around.function;
    }

    /// Id of the enclosing loop.
    public Optional<String> parent() {
        return around.parent;
    }

    /// 0 for an outermost loop.
    public int depth() {
        return around.depth;
    }

    /// The label in the source, or the generated one.
    public String label() {
        return name.label;
    }

    /// True if the label stands in the source.
    public boolean labelled() {
        return name.labelled;
    }

    /// The induction variable, empty where none was found.
    public String variable() {
        return counter.variable;
    }

    /// Its value in the first iteration, where constant.
    public Optional<Long> first() {
        return counter.first;
    }

    /// Added per iteration.
    public long step() {
        return counter.step;
    }

    /// Place of the loop keyword.
    public Location keyword() {
        return text.keyword;
    }

    /// Place where the body starts.
    public Location bodyStart() {
        return text.bodyStart;
    }

    /// Place where the body ends.
    public Location bodyEnd() {
        return text.bodyEnd;
    }

    /// Place where the labelled statement starts.
    public Location statementStart() {
        return text.statementStart;
    }

    /// True if the body has braces.
    public boolean braced() {
        return text.braced;
    }

    /// The same with another trip count and body.
    public Loop with(TripCount count, BodyFacts other) {
        return new Loop(name, around, counter, count, other, text, earlyExit, dependences);
    }

    /// True if a pragma can be put at [#bodyStart()]: false where a macro made the body (`bodyStart` then
    /// covers the macro's use).
    public boolean editable() {
        return bodyStart().length() == 0;
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
