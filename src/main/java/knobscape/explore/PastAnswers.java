package knobscape.explore;

import java.util.List;

/// What earlier starts of a run left behind; all that is needed to go on as if it had never stopped.
///
/// @param answers everything answered, by step and position; a step that was interrupted may have gaps
/// @param completedStep last step with all its proposals answered, 0 being the initial designs and -1 none
/// @param explorerState what the explorer gave at the end of that step
/// @param algorithmSeconds time the explorer took so far
public record PastAnswers(List<Answer> answers, int completedStep, String explorerState, double algorithmSeconds) {
    public PastAnswers {
        answers = List.copyOf(answers);
    }

    /// A run that begins.
    public static PastAnswers none() {
        return new PastAnswers(List.of(), -1, "", 0);
    }
}
