package knobscape.gpu.evaluate.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.ScheduleSource;

/// A device as the evaluator of one template's or sketch's space, so that every explorer can search it. One
/// fidelity, `run`; metrics `time` (ms) and `gflops`.
public final class ScheduleEvaluator implements Evaluator {
    /// Time of a run in milliseconds.
    public static final String TIME = "time";
    /// Billions of floating-point operations a second, two for a multiply-accumulate.
    public static final String GFLOPS = "gflops";
    private static final String ON = " on ";
    private static final String CAUTION = ". ";
    private static final Fidelity RUN = new Fidelity("run", 0);

    private final ScheduleSource source;
    private final Epilogue epilogue;
    private final GpuDevice device;
    private final EvaluatorInfo info;

    /// The evaluator of a source of schedules on a device; closing it leaves the device open.
    public ScheduleEvaluator(ScheduleSource source, Epilogue epilogue, GpuDevice device) {
        this.source = source;
        this.epilogue = epilogue;
        this.device = device;
        DeviceInfo d = device.info();
        EvaluatorInfo real = info(
                d.name(),
                source.id() + ON + d.hardware() + (d.caution().isEmpty() ? "" : CAUTION + d.caution()),
                d.source());
        info = d.source() == Provenance.Source.MODEL ? real.simulated() : real;
    }

    /// The offer of an evaluator of kernels.
    public static EvaluatorInfo info(String name, String description, Provenance.Source source) {
        return new EvaluatorInfo(
                name,
                description,
                source,
                List.of(RUN),
                List.of(
                        new Metric(TIME, "Time", "ms", Metric.Direction.MINIMISE, Double.NaN),
                        new Metric(GFLOPS, "GFLOPS", "GFLOPS", Metric.Direction.MAXIMISE, Double.NaN)),
                Map.of(RUN.name(), Set.of(TIME, GFLOPS)),
                List.of(TIME),
                Map.of(RUN.name(), 1.0));
    }

    /// A real device's own name; empty for another.
    public static Optional<String> hardware(EvaluatorInfo info) {
        int on = info.description().indexOf(ON);
        return info.source() != Provenance.Source.MEASURED || on < 0
                ? Optional.empty()
                : Optional.of(info.description().substring(on + ON.length()).split(Pattern.quote(CAUTION))[0]);
    }

    /// The caution about a real device's figures, where there is one.
    public static Optional<String> caution(EvaluatorInfo info) {
        int at = info.description().indexOf(CAUTION);
        return hardware(info).isEmpty() || at < 0
                ? Optional.empty()
                : Optional.of(info.description().substring(at + CAUTION.length()));
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        Measurement m = device.measure(source.schedule(request.configuration(), epilogue), cancel);
        DeviceInfo d = device.info();
        stageDone.accept(new Evaluation(
                request.configuration(),
                RUN,
                outcome(m, source.workload().flops()),
                m.costSeconds(),
                new Provenance(d.name(), d.version(), 0, d.source())));
    }

    /// The search's view of a measurement.
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
            case Measurement.Failed f
            when f.failure().kind() == FailureKind.TIMED_OUT -> Outcome.Failure.timedOut(m.costSeconds());
            case Measurement.Failed f -> new Outcome.Failure(f.failure().kind(), f.sentence());
        };
    }
}
