package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Repair;
import knobscape.fusion.space.Strategy;

/// The policy for the strategy when the buffer changes.
///
/// @param name stable, for the settings
/// @param words for a person
/// @param method answers at once; empty for the two ways that need none
record BufferChangePolicy(String name, String words, Optional<FusionMethod> method) {
    /// It stays as it is, fitting or not.
    static final BufferChangePolicy KEEP = new BufferChangePolicy("keep", "Keep the strategy", Optional.empty());
    /// It is shrunk until it fits.
    static final BufferChangePolicy REPAIR =
            new BufferChangePolicy("repair", "Shrink it until it fits", Optional.empty());
    private static final long SEED = 1;

    /// The ways there are: keeping, shrinking, and every method that answers without a search.
    static List<BufferChangePolicy> all(List<FusionMethod> methods) {
        var all = new ArrayList<>(List.of(KEEP, REPAIR));
        methods.stream()
                .filter(m -> !m.spendsSteps() && !m.name().equals("none"))
                .forEach(m -> all.add(new BufferChangePolicy(m.name(), "Answer of " + m.label(), Optional.of(m))));
        return List.copyOf(all);
    }

    /// The strategy for a buffer. Away from the screen.
    ///
    /// @param wanted the strategy chosen last by hand or from the table
    Strategy answer(FusionCostModel model, Strategy wanted) {
        if (method.isPresent()) {
            return method.get().answer(model, SEED);
        }
        return name.equals(REPAIR.name) ? new Repair(model).repair(wanted) : wanted;
    }
}
