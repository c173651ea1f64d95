package knobscape.evaluate;

import java.util.OptionalDouble;
import knobscape.space.Configuration;

/// One configuration evaluated at one fidelity.
///
/// @param configuration what was evaluated
/// @param fidelity how closely
/// @param outcome the result
/// @param costSeconds tool time of this stage alone, in seconds of the tool's own clock (not of any
/// demonstration delay)
/// @param provenance where the numbers come from
public record Evaluation(
        Configuration configuration, Fidelity fidelity, Outcome outcome, double costSeconds, Provenance provenance) {

    /// The value of a metric where the outcome is measured and has it.
    public OptionalDouble value(String metric) {
        return outcome instanceof Outcome.Measured m ? m.value(metric) : OptionalDouble.empty();
    }

    /// As [#value], NaN where the outcome is not measured or has it not; makes no object.
    public double valueOrNaN(String metric) {
        return outcome instanceof Outcome.Measured m ? m.valueOrNaN(metric) : Double.NaN;
    }

    /// True if values were obtained.
    public boolean isMeasured() {
        return outcome instanceof Outcome.Measured;
    }
}
