package knobscape.gpu.export;

import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.device.Measurement.Failure;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.space.Configuration;

/// One measured configuration.
///
/// @param source the template or sketches with the work
/// @param configuration a member of its space
/// @param measurement what came of it
/// @param seconds when, in seconds since 1970; 0 where it is not known
/// @param origin where the time is from
public record TuningRecord(
        ScheduleSource source, Configuration configuration, Measurement measurement, double seconds, Origin origin) {
    private static final double MILLI = 1e-3;

    /// Where a time is from.
    ///
    /// @param target TVM's target, empty where it is not known: `cuda -model=1080ti`
    /// @param tail id of what was fused behind the kernel; `bare` as AutoTVM measures
    /// @param model whether the time is a model's, not measured
    public record Origin(String target, String tail, boolean model) {
        /// A bare kernel of an unknown device.
        public static final Origin UNKNOWN = new Origin("", "bare", false);
    }

    /// A stored evaluation of a kernel with the tail of its search as a record.
    public static TuningRecord of(NetworkKernel kernel, Evaluation e) {
        return of(
                kernel.source().orElseThrow(),
                e.configuration(),
                e.outcome(),
                e.costSeconds(),
                0,
                new Origin(
                        "",
                        kernel.tails().getFirst().epilogue().id(),
                        e.provenance().source() == Provenance.Source.MODEL));
    }

    /// A stored outcome as a record.
    ///
    /// @param cost what measuring took, in seconds
    /// @param when in seconds since 1970, 0 where it is not known
    public static TuningRecord of(
            ScheduleSource source,
            Configuration configuration,
            Outcome outcome,
            double cost,
            double when,
            Origin origin) {
        Measurement m = switch (outcome) {
            case Outcome.Measured t -> {
                double seconds = t.value(ScheduleEvaluator.TIME).orElse(0) * MILLI;
                yield seconds > 0
                        ? new Measurement.Timed(seconds, 0, List.of(seconds), false, cost)
                        : new Measurement.Failed(Failure.UNKNOWN, "no time", cost);
            }
            case Outcome.Failure f -> failed(f.kind().status(), f.reason(), cost);
        };
        return new TuningRecord(source, configuration, m, when, origin);
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
