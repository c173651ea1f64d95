package knobscape.hls.source.exact;

import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Location;

/// A step of a function.
public sealed interface ExactStatement {

    /// Computes an expression for its effects.
    record Evaluate(ExactExpression expression, Location location) implements ExactStatement {}

    /// Sets every byte of a place to 0.
    record Clear(ExactPlace place) implements ExactStatement {}

    /// Makes new streams in a place.
    record Open(ExactPlace streams) implements ExactStatement {}

    /// Statements in order.
    record Block(List<ExactStatement> statements) implements ExactStatement {
        public Block {
            statements = List.copyOf(statements);
        }
    }

    /// Two-way branch on a truth value.
    record If(ExactExpression condition, ExactStatement then, ExactStatement otherwise, Location location)
            implements ExactStatement {}

    /// A loop of any kind; what a `for` does first stands before it.
    ///
    /// @param condition truth value to go on
    /// @param testedFirst whether it is tested before the first iteration
    /// @param step done after each iteration, also after `continue`
    /// @param location of the loop's keyword
    record Loop(
            Optional<ExactExpression> condition,
            boolean testedFirst,
            ExactStatement step,
            ExactStatement body,
            Location location)
            implements ExactStatement {}

    /// Jumps into a list of statements.
    ///
    /// @param cases value to number of the statement in `body` where it begins
    /// @param otherwise where any other value begins, the length of `body` for nowhere
    record Switch(ExactExpression value, List<Case> cases, int otherwise, List<ExactStatement> body, Location location)
            implements ExactStatement {
        public Switch {
            cases = List.copyOf(cases);
            body = List.copyOf(body);
        }
    }

    /// One value of a switch.
    record Case(long value, int start) {}

    /// Leaves the innermost loop or switch.
    record Break() implements ExactStatement {}

    /// Ends the iteration of the innermost loop.
    record Continue() implements ExactStatement {}

    /// Leaves the function.
    record Return(Optional<ExactExpression> value, Location location) implements ExactStatement {}

    /// What cannot be held; running it stops.
    ///
    /// @param what for a person: "goto", "union with bit fields"
    record Unsupported(String what, Location location) implements ExactStatement {}
}
