package knobscape.app.ui.area;

import java.util.function.Consumer;
import knobscape.app.ui.designs.DesignsViewModel;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.app.ui.inspector.InspectorViewModel;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.space.Configuration;

/// The designs of an area and what is known of them, the same for every area.
///
/// @param results the designs shared by all views
/// @param table the table of them
/// @param inspector the selected one
/// @param insight why, and what if
public record DesignModels(
        Results results, DesignsViewModel table, InspectorViewModel inspector, InsightViewModel insight) {
    /// Models of no designs yet.
    ///
    /// @param spaces what is explored
    /// @param evaluate evaluates a configuration at the top fidelity
    public static DesignModels of(
            Background background, UndoStack undo, InsightViewModel.Spaces spaces, Consumer<Configuration> evaluate) {
        var results = new Results(background, undo);
        return new DesignModels(
                results,
                new DesignsViewModel(background, results),
                new InspectorViewModel(results),
                new InsightViewModel(background, results, spaces, evaluate));
    }
}
