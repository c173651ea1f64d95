package knobscape.surrogate.gp;

import java.util.Optional;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;

/// Fits a [LinearChainGp] to data of one output, complete, as [CoregionalTrainer] does its processes.
///
/// @param settings priors, starts and limits
public record LinearChainTrainer(GpSettings settings) implements Model.Trainer {

    @Override
    public LinearChainGp fit(TrainingData data, Optional<double[]> warmStart, long seed) {
        if (data.outputs() != 1 || !data.isComplete()) {
            throw new IllegalArgumentException("a linear chain learns one output, observed everywhere, at a time");
        }
        int lowerOutput = data.lowerOf()[0];
        Layout layout = Layout.chain(data.features(), lowerOutput, settings);
        return new LinearChainGp(new CoregionalTrainer(settings).fit(layout, data, warmStart, seed), lowerOutput);
    }
}
