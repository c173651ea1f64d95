package knobscape.work.parameter;

import java.util.function.Predicate;

/// When a setting means anything.
///
/// @param holds whether it does beside these values
/// @param otherwise why it does not, a clause
public record Condition(Predicate<Values> holds, String otherwise) {
    /// It always does.
    public static final Condition ALWAYS = new Condition(_ -> true, "");
}
