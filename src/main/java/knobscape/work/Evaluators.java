package knobscape.work;

import java.util.List;

/// Evaluators that need no factory of their own.
public final class Evaluators {
    private Evaluators() {}

    /// An evaluator that its area's workbench makes.
    ///
    /// @param name as on the command line
    /// @param label for a person
    /// @param description one sentence
    public record Plain(String name, String label, String description) implements Named {}

    /// The evaluators of an area.
    public static Choices<Plain> of(Plain... all) {
        return new Choices<>("toolchain", List.of(all));
    }
}
