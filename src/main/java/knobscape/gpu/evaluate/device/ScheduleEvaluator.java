package knobscape.gpu.evaluate.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Template;
import knobscape.space.Configuration;

/// A device as the evaluator of one template's space, so that every explorer can search it. One fidelity, `run`; metrics `time` (ms) and `gflops`.
public final class ScheduleEvaluator implements Evaluator {
    /// Time of a run in milliseconds.
    public static final String TIME = "time";
    /// Billions of floating-point operations a second, two for a multiply-accumulate.
    public static final String GFLOPS = "gflops";
    private static final Fidelity RUN = new Fidelity("run", 0);

    private final Template template;
    private final Epilogue epilogue;
    private final GpuDevice device;
    private final EvaluatorInfo info;

    /// The evaluator of a template on a device; closing it leaves the device open.
    public ScheduleEvaluator(Template template, Epilogue epilogue, GpuDevice device) {
        this.template = template;
        this.epilogue = epilogue;
        this.device = device;
        DeviceInfo d = device.info();
        info = new EvaluatorInfo(d.name(), template.id() + " on " + d.hardware() + (d.caution().isEmpty() ? "" : ". " + d.caution()), d.source(), List.of(RUN),
                List.of(new Metric(TIME, "Time", "ms", Metric.Direction.MINIMISE, Double.NaN), new Metric(GFLOPS, "GFLOPS", "GFLOPS", Metric.Direction.MAXIMISE, Double.NaN)),
                Map.of(RUN.name(), Set.of(TIME, GFLOPS)), List.of(TIME), Map.of(RUN.name(), 1.0));
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public List<Evaluation> evaluate(Configuration configuration, Fidelity upTo, CancellationSignal cancel) {
        Measurement m = device.measure(template.schedule(configuration, epilogue), cancel);
        DeviceInfo d = device.info();
        return List.of(new Evaluation(configuration, RUN, outcome(m, template.workload().flops()), m.costSeconds(), new Provenance(d.name(), d.version(), 0, d.source())));
    }

    /// What a search sees of a measurement.
    ///
    /// @param flops of a run
    public static Outcome outcome(Measurement m, long flops) {
        return switch (m) {
            case Measurement.Timed t -> {
                var values = new LinkedHashMap<String, Double>();
                values.put(TIME, t.mean() * 1e3);
                values.put(GFLOPS, t.gflops(flops));
                yield new Outcome.Measured(values);
            }
            case Measurement.Rejected _, Measurement.CompileFailed _, Measurement.WrongAnswer _ -> new Outcome.Invalid(m.sentence());
            case Measurement.RunFailed _, Measurement.Unknown _ -> new Outcome.Failed(m.sentence());
            case Measurement.BuildTimedOut _, Measurement.RunTimedOut _ -> new Outcome.TimedOut(m.costSeconds());
        };
    }
}
