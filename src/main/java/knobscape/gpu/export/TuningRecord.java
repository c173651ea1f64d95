package knobscape.gpu.export;

import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.device.Measurement.Failure;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.space.template.Template;
import knobscape.space.Configuration;

/// One measured configuration.
///
/// @param template the template with its work
/// @param configuration a member of its space
/// @param measurement what came of it
/// @param seconds when, in seconds since 1970; 0 where it is not known
public record TuningRecord(Template template, Configuration configuration, Measurement measurement, double seconds) {
    private static final double MILLI = 1e-3;

    /// A stored evaluation as a record.
    public static TuningRecord of(Template template, Evaluation e) {
        double cost = e.costSeconds();
        double seconds = e.value(ScheduleEvaluator.TIME).orElse(0) * MILLI;
        Measurement m = switch (e.outcome()) {
            case Outcome.Measured _ ->
                seconds > 0
                        ? new Measurement.Timed(seconds, 0, List.of(seconds), false, cost)
                        : new Measurement.Failed(Failure.UNKNOWN, "no time", cost);
            case Outcome.Failure f -> failed(f.kind().status(), f.reason(), cost);
        };
        return new TuningRecord(template, e.configuration(), m, 0);
    }

    /// A failure of which the status in files is known.
    static Measurement failed(String status, String reason, double cost) {
        return new Measurement.Failed(
                switch (status) {
                    case "invalid" -> Failure.REJECTED;
                    case "failed" -> Failure.RUN;
                    case "timed out" -> Failure.RUN_TIMEOUT;
                    default -> Failure.UNKNOWN;
                },
                reason,
                cost);
    }
}
