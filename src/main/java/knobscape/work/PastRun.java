package knobscape.work;

import java.time.Instant;
import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.space.DesignSpace;

/// A run that something else made, with what happened in it, to be stored.
///
/// @param work what was optimised and how
/// @param info of what evaluated
/// @param subjects what was searched, in order
/// @param sourceHash SHA-256 of all that was read
/// @param status `COMPLETED`, `STOPPED`, `INTERRUPTED` or `FAILED`
/// @param reason why it ended
/// @param created when it began
/// @param updated when something last arrived
/// @param algorithmSeconds time of the searches themselves
/// @param answers what was asked and found, in order; evaluations are of one stage
public record PastRun(
        Area.Work work,
        EvaluatorInfo info,
        List<Subject> subjects,
        String sourceHash,
        String status,
        String reason,
        Instant created,
        Instant updated,
        double algorithmSeconds,
        List<Answers> answers) {
    /// Step of what was known before a search began.
    public static final int KNOWN = -1;

    public PastRun {
        subjects = List.copyOf(subjects);
        answers = List.copyOf(answers);
    }

    /// What was searched.
    ///
    /// @param name unique within the run
    /// @param weight how much it counts
    /// @param space what was searched
    public record Subject(String name, double weight, DesignSpace space) {}

    /// A question to one subject with its answers.
    ///
    /// @param subject index of the subject
    /// @param step of its search, [#KNOWN] for what was known before
    /// @param evaluations the answers
    /// @param state of the explorer after it was asked, empty where a later step has it
    /// @param complete whether all answers are there; else the step will be asked again
    /// @param at when they came
    public record Answers(
            int subject, int step, List<Evaluation> evaluations, String state, boolean complete, Instant at) {
        public Answers {
            evaluations = List.copyOf(evaluations);
        }
    }
}
