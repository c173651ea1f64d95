package knobscape.gpu;

import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.surrogate.graph.GraphModel;
import knobscape.surrogate.graph.GraphModelFile;

/// A graph model that a run begins with; fixed when it begins, so that a resumed run sees the same.
///
/// @param file of the model, an absolute path
/// @param check of its numbers then
public record WeightsUse(String file, long check) {
    /// The model in a file as it is now. Throws [UserError] where it holds none.
    public static WeightsUse of(Path file) {
        return new WeightsUse(
                file.toString(),
                GraphModelFile.read(file, StatementFeatures.VERSION).check());
    }

    /// Reads the model. Throws [UserError] where the file holds another one than when the run began.
    public GraphModel model() {
        return trained().model();
    }

    /// Reads the model with the course of its training. Throws [UserError] where the file holds another one than when
    /// the run began.
    public GraphModelFile.TrainedModel trained() {
        GraphModelFile.TrainedModel t = GraphModelFile.read(Path.of(file), StatementFeatures.VERSION);
        if (t.check() != check) {
            throw new UserError("'" + file
                    + "' holds another model than when the run began; bring that file back, or start a new run.");
        }
        return t;
    }
}
