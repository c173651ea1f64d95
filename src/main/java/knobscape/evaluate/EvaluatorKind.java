package knobscape.evaluate;

import java.util.Optional;

/// A kind of evaluators by the word that names it on the command line, in projects and in stored runs: alone
/// (`replay`), or with what it works on behind a colon (`replay:FILE`).
///
/// @param word without a colon
public record EvaluatorKind(String word) {
    /// Answers with what was measured earlier.
    public static final EvaluatorKind REPLAY = new EvaluatorKind("replay");
    /// A person tells the results.
    public static final EvaluatorKind TOLD = new EvaluatorKind("told");
    /// A program of the user's own.
    public static final EvaluatorKind COMMAND = new EvaluatorKind("command");
    /// A record of measurements that was imported.
    public static final EvaluatorKind LOG = new EvaluatorKind("log");

    /// The kind that an evaluator's name begins with.
    public static EvaluatorKind of(String evaluator) {
        int colon = evaluator.indexOf(':');
        return new EvaluatorKind(colon < 0 ? evaluator : evaluator.substring(0, colon));
    }

    /// True if an evaluator is of this kind, with or without what it works on.
    public boolean isOf(String evaluator) {
        return equals(of(evaluator));
    }

    /// The subject of an evaluator of this kind; empty for another kind, or where it does not say.
    public Optional<String> argument(String evaluator) {
        return Optional.of(evaluator)
                .filter(e -> isOf(e) && e.length() > word.length())
                .map(e -> e.substring(word.length() + 1))
                .filter(a -> !a.isBlank());
    }

    /// True if an evaluator is of this kind and says what it works on.
    public boolean hasArgument(String evaluator) {
        return argument(evaluator).isPresent();
    }

    /// The name of one that works on `argument`; the word alone where that is blank.
    public String with(String argument) {
        return argument.isBlank() ? word : word + ":" + argument.strip();
    }
}
