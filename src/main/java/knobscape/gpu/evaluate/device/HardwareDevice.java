package knobscape.gpu.evaluate.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.Measurement.Failure;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.template.Schedule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A real device, used by a process of its own ([Worker]) that is killed when a compiler or kernel takes too
/// long, and replaced after it was killed, died, or reported a failure of the device. One schedule at a time;
/// callers queue.
public final class HardwareDevice implements GpuDevice {
    private static final long POLL_MILLISECONDS = 20;
    private static final double START_SECONDS = 60;
    /// How much longer a CPU may take as a device: its compiler makes a kernel in seconds where a GPU's takes a
    /// fraction of one, and shares the CPU with everything else.
    private static final double CPU_PATIENCE = 8;
    /// A first run is given up after so many times the fastest of its kernel, and no sooner than after so many seconds.
    /// NVIDIA's way to a device.
    public static final EvaluatorKind CUDA = new EvaluatorKind("cuda");
    /// The way to a device of any vendor.
    public static final EvaluatorKind OPENCL = new EvaluatorKind("opencl");
    /// All ways.
    public static final List<EvaluatorKind> KINDS = List.of(CUDA, OPENCL);

    private static final double ABANDONED = 20;

    private static final double LEAST_SECONDS = 2;
    private final Supplier<Link> starter;
    private final MeasureSettings settings;
    private final ReentrantLock turn = new ReentrantLock();
    private final Map<String, Double> best = new HashMap<>();
    private final Thread atExit = new Thread(this::stopLink);
    private volatile Optional<Link> link = Optional.empty();
    private final DeviceInfo info;

    /// Opens a device.
    ///
    /// @param name `opencl` or `cuda`, either with `:N` for the Nth device, counted from 0
    /// @throws UserError where there is none, in one sentence
    public static HardwareDevice open(String name, MeasureSettings settings) {
        EvaluatorKind kind = EvaluatorKind.of(name);
        String index =
                kind.equals(new EvaluatorKind(name)) ? "0" : kind.argument(name).orElse("");
        if (!KINDS.contains(kind) || !index.matches("\\d{1,3}")) {
            throw new UserError("'" + name
                    + "' is no device of this machine: say opencl or cuda, or with a number, for example opencl:1.");
        }
        return new HardwareDevice(() -> Link.process(kind.word(), index), settings);
    }

    HardwareDevice(Supplier<Link> starter, MeasureSettings settings) {
        this.starter = starter;
        this.settings = settings;
        info = connect(new CancellationSignal());
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /// Starts the other side and hears what the device is; throws [UserError] where there is none (any more).
    private DeviceInfo connect(CancellationSignal cancel) {
        Link l = starter.get();
        link = Optional.of(l);
        Answer a = await(l, START_SECONDS, cancel);
        if (!(a instanceof Answer.Message(JsonNode h)) || !h.has("hardware")) {
            stopLink();
            throw new UserError(
                    a instanceof Answer.Message(JsonNode m) && m.has("absent")
                            ? m.path("absent").asString("")
                            : "The device does not answer: " + a.words() + ".");
        }
        return JsonMapper.shared().treeToValue(h, DeviceInfo.class);
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public Measurement measure(Schedule schedule, CancellationSignal cancel) {
        long start = System.nanoTime();
        cancel.throwIfCancelled();
        Optional<String> rejection = schedule.check(info.limits());
        if (rejection.isPresent()) {
            return new Measurement.Failed(Failure.REJECTED, rejection.get(), seconds(start));
        }
        turn.lock();
        try {
            cancel.throwIfCancelled();
            return ask(schedule, cancel);
        } finally {
            turn.unlock();
        }
    }

    private Measurement ask(Schedule schedule, CancellationSignal cancel) {
        if (link.isEmpty()) {
            connect(cancel);
        }
        Link l = link.orElseThrow(() -> new CancellationException("the device was closed"));
        long start = System.nanoTime();
        String key = schedule.source().id() + schedule.epilogue();
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.set("schedule", ScheduleJson.write(schedule));
        request.set("settings", JsonMapper.shared().valueToTree(settings));
        if (best.containsKey(key)) {
            request.put("best", best.get(key));
        }
        l.send(request.toString());
        Answer built = await(l, settings.buildSeconds() * patience(), cancel);
        if (built instanceof Answer.Late) {
            stopLink();
            return stopped(Failure.BUILD_TIMEOUT, start);
        }
        Optional<Double> fastest = Optional.ofNullable(best.get(key));
        double most = settings.runSeconds() * patience();
        Answer last = built;
        if (said(last, "built")) {
            last = await(l, most, cancel);
        }
        if (said(last, "loaded")) {
            double first = fastest.map(b -> Math.min(most, Math.max(LEAST_SECONDS * patience(), ABANDONED * b)))
                    .orElse(most);
            last = await(l, first, cancel);
            if (last instanceof Answer.Late && first < most) {
                stopLink();
                return new Measurement.Failed(
                        Failure.RUN_TIMEOUT,
                        String.format(
                                Locale.ROOT,
                                "It was given up after a run of %.1f s; the fastest so far takes %.3g ms.",
                                first,
                                fastest.orElseThrow() * 1e3),
                        seconds(start));
            }
        }
        if (said(last, "ran")) {
            last = await(l, most, cancel);
        }
        return switch (last) {
            case Answer.Late _ -> {
                stopLink();
                yield stopped(Failure.RUN_TIMEOUT, start);
            }
            case Answer.Ended e -> {
                stopLink();
                yield new Measurement.Failed(Failure.RUN, e.words(), seconds(start));
            }
            case Answer.Message(JsonNode m) -> outcome(m, key, seconds(start));
        };
    }

    private static boolean said(Answer a, String word) {
        return a instanceof Answer.Message(JsonNode m) && m.has(word);
    }

    private static Measurement stopped(Failure failure, long start) {
        double cost = seconds(start);
        return new Measurement.Failed(failure, String.format(Locale.ROOT, "It was stopped after %.1f s.", cost), cost);
    }

    private double patience() {
        return info.caution().isEmpty() ? 1 : CPU_PATIENCE;
    }

    private Measurement outcome(JsonNode m, String key, double cost) {
        String reason = m.path("reason").asString("");
        return switch (m.path("outcome").asString("")) {
            case "timed" -> {
                var runs = new ArrayList<Double>();
                m.path("runs").forEach(r -> runs.add(r.asDouble()));
                double mean = m.path("mean").asDouble();
                best.merge(key, mean, Math::min);
                yield new Measurement.Timed(
                        mean,
                        m.path("halfWidth").asDouble(),
                        runs,
                        m.path("checked").asBoolean(),
                        cost);
            }
            case "compile" -> new Measurement.Failed(Failure.COMPILE, reason, cost);
            case "run" -> {
                stopLink();
                yield new Measurement.Failed(Failure.RUN, reason, cost);
            }
            case "wrong" -> new Measurement.Failed(Failure.WRONG_RESULT, reason, cost);
            default ->
                new Measurement.Failed(
                        Failure.UNKNOWN,
                        reason.isEmpty()
                                ? m.path("absent").asString("The device gave an answer that is not understood.")
                                : reason,
                        cost);
        };
    }

    /// The answer from the other side.
    private sealed interface Answer {
        String words();

        record Message(JsonNode json) implements Answer {
            @Override
            public String words() {
                return json.toString();
            }
        }

        record Late(double after) implements Answer {
            @Override
            public String words() {
                return "nothing came for " + Math.round(after) + " s";
            }
        }

        record Ended(String words) implements Answer {}
    }

    private Answer await(Link l, double seconds, CancellationSignal cancel) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        try {
            while (System.nanoTime() < deadline) {
                Optional<String> line = l.poll(POLL_MILLISECONDS);
                if (line.isPresent()) {
                    if (line.get().equals(Link.END)) {
                        return new Answer.Ended(l.lastWords());
                    }
                    // A driver may write to standard output too; only documents are answers.
                    if (line.get().startsWith("{")) {
                        return new Answer.Message(JsonMapper.shared().readTree(line.get()));
                    }
                }
                if (cancel.isCancelled()) {
                    stopLink();
                    cancel.throwIfCancelled();
                }
            }
            return new Answer.Late(seconds);
        } catch (InterruptedException e) {
            stopLink();
            Thread.currentThread().interrupt();
            throw new CancellationException("stopped on request");
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) * 1e-9;
    }

    private void stopLink() {
        Optional<Link> old = link;
        link = Optional.empty();
        old.ifPresent(Link::stop);
    }

    @Override
    public void close() {
        stopLink();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The program is ending; the hook does the same.
        }
    }
}
