package knobscape.hls.source.cdt;

import java.util.regex.Pattern;
import knobscape.evaluate.UserError;

/// What a source may ask of the front end: bounds far above what synthesis takes, so that a short text that
/// multiplies when it is read ends in one sentence.
final class Budget {
    /// Most headers that are read, each time counted.
    static final int INCLUSIONS = 10_000;
    /// Most characters of headers, each time counted.
    static final long INCLUDED_CHARACTERS = 64L << 20;
    /// Most instances of one template function.
    static final int INSTANCES_OF_ONE = 256;
    /// Most cases of one `switch`.
    static final int CASES = 1_000;
    /// Most statements and expressions in one another.
    static final int LEVELS = 10_000;

    /// Most template arguments in one another, as `W<W<int>>`: each doubles what the parser tries.
    private static final int TEMPLATES = 14;

    private static final Pattern NESTED = Pattern.compile("(?:[\\w:]++\\s*+<\\s*+){" + (TEMPLATES + 1) + "}");

    private Budget() {}

    /// Makes sure before the parser runs that brackets and arguments of templates do not nest too deeply: it needs
    /// hours for them.
    static void checkBrackets(String file, String text) {
        String code = Comments.blank(text);
        if (NESTED.matcher(code).find()) {
            throw exceeded(
                    file,
                    "arguments of templates nest in more than " + TEMPLATES + " levels",
                    "name the inner ones with a typedef");
        }
        int depth = 0;
        for (int i = 0; i < code.length(); i++) {
            switch (code.charAt(i)) {
                case '(', '[', '{' -> depth++;
                case ')', ']', '}' -> depth = Math.max(0, depth - 1);
                default -> {}
            }
            if (depth > LEVELS) {
                throw exceeded(
                        file, "brackets nest in more than " + LEVELS + " levels", "split the longest expression");
            }
        }
    }

    /// The error for more than a bound allows.
    ///
    /// @param where file or place, for the message
    /// @param what the count that is too large, as "it has 3 cases"
    /// @param advice what to do
    static UserError exceeded(String where, String what, String advice) {
        return new UserError(where + ": " + what + ", the most that is read; " + advice + ".");
    }
}
