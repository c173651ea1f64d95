package knobscape.gpu.evaluate.device;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import jcuda.CudaException;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.template.Schedule;
import knobscape.work.device.CompileException;
import knobscape.work.device.RunStatistics;
import org.jocl.CLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The process that runs kernels. It is asked one schedule at a time, a JSON document per line, and answers in
/// lines; whoever asks may kill it at any time.
///
/// It says first what the device is (or why there is none), then for each schedule `built`, `loaded` before the first
/// run, `ran` after it, and the outcome.
/// After a failure of the device it ends, because the device's context is not to be trusted any more.
public final class Worker {
    private static final int LONGEST_REASON = 1000;
    /// A schedule slower than the fastest by no more than this may yet be the best, if that one was lucky.
    private static final double NEAR_BEST = 1.25;
    /// A schedule that takes more times the fastest in its first run is clearly slow: one counted run says enough.
    private static final double CLEARLY_SLOW = 4;

    private final OutputStream out;
    private String operandsOf = "";
    private Operands operands = Operands.NONE;
    private long count;

    private Worker(OutputStream out) {
        this.out = out;
    }

    /// Serves one device until standard input ends.
    ///
    /// @param arguments kind (`opencl` or `cuda`) and index of the device
    public static void main(String[] arguments) throws IOException {
        // Standard output is the wire, not a place for messages.
        try (var out = new FileOutputStream(FileDescriptor.out);
                var in = new FileInputStream(FileDescriptor.in)) {
            serve(() -> open(arguments[0], Integer.parseInt(arguments[1])), in, out);
        }
    }

    static Backend open(String kind, int index) {
        return switch (kind) {
            case "opencl" -> new DeviceBackend(KernelLanguage.OPENCL, index);
            case "cuda" -> new DeviceBackend(KernelLanguage.CUDA, index);
            default -> throw new UserError("No kind of device is called '" + kind + "'.");
        };
    }

    static void serve(Supplier<Backend> device, InputStream in, OutputStream out) throws IOException {
        var worker = new Worker(out);
        try (Backend backend = device.get();
                var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            worker.send(JsonMapper.shared().valueToTree(backend.info()));
            String line = lines.readLine();
            while (line != null && worker.answer(backend, JsonMapper.shared().readTree(line))) {
                line = lines.readLine();
            }
        } catch (UserError e) {
            worker.send(JsonMapper.shared().createObjectNode().put("absent", e.getMessage()));
        }
    }

    private void send(ObjectNode message) throws IOException {
        out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /// Answers one request; tells whether the device can take another.
    private boolean answer(Backend backend, JsonNode request) throws IOException {
        Schedule schedule = ScheduleJson.read(request.path("schedule"), "a request");
        MeasureSettings settings = JsonMapper.shared().treeToValue(request.path("settings"), MeasureSettings.class);
        OptionalDouble best = request.path("best").isNumber()
                ? OptionalDouble.of(request.path("best").asDouble())
                : OptionalDouble.empty();
        Backend.CompiledKernelHandle kernels;
        try {
            kernels = backend.compile(schedule);
        } catch (CompileException e) {
            send(outcome("compile", e.getMessage()));
            return true;
        } catch (CudaException | CLException e) {
            send(outcome("run", e.getMessage()));
            return false;
        }
        send(JsonMapper.shared().createObjectNode().put("built", true));
        try (kernels) {
            send(measure(schedule, kernels, settings, best));
            return true;
        } catch (CudaException | CLException e) {
            send(outcome("run", e.getMessage()));
            return false;
        }
    }

    private static ObjectNode outcome(String kind, @Nullable String reason) {
        String text = reason == null ? "no reason given" : reason;
        return JsonMapper.shared()
                .createObjectNode()
                .put("outcome", kind)
                .put("reason", text.substring(0, Math.min(text.length(), LONGEST_REASON)));
    }

    private ObjectNode measure(
            Schedule schedule, Backend.CompiledKernelHandle kernels, MeasureSettings settings, OptionalDouble best)
            throws IOException {
        String key = schedule.source().workload().id() + schedule.epilogue();
        if (!key.equals(operandsOf)) {
            operands = Operands.random(schedule, settings.seed());
            operandsOf = key;
        }
        kernels.load(operands);
        send(JsonMapper.shared().createObjectNode().put("loaded", true));
        double first = kernels.run(false);
        send(JsonMapper.shared().createObjectNode().put("ran", first));
        boolean slow = first > CLEARLY_SLOW * best.orElse(Double.POSITIVE_INFINITY);
        for (int i = 1; i < settings.repetitions().warmUps() && !slow; i++) {
            kernels.run(false);
        }
        List<Double> runs = new ArrayList<>();
        long start = System.nanoTime();
        RunStatistics statistics;
        do {
            runs.add(kernels.run(settings.flush()));
            statistics = RunStatistics.of(runs);
        } while (!slow
                && runs.size() < settings.repetitions().most()
                && (runs.size() < settings.repetitions().least()
                        || (statistics.halfWidth() > settings.repetitions().halfWidth() * statistics.mean()
                                && (System.nanoTime() - start) * 1e-9
                                        < settings.repetitions().maxSeconds())));
        boolean check = count++ % settings.checkEvery() == 0
                || best.isEmpty()
                || statistics.mean() < NEAR_BEST * best.getAsDouble();
        if (check) {
            ResultCheck result = ResultCheck.of(schedule, operands, kernels.output(), settings.seed() + count);
            if (!result.passed()) {
                return outcome(
                        "wrong",
                        String.format(Locale.ROOT, "error %.3g, allowed %.3g.", result.error(), result.tolerance()));
            }
        }
        if (!(statistics.mean() > 0)) {
            return outcome("unknown", "The device's clock shows no time for a run.");
        }
        ObjectNode timed = JsonMapper.shared()
                .createObjectNode()
                .put("outcome", "timed")
                .put("mean", statistics.mean())
                .put("halfWidth", Double.isFinite(statistics.halfWidth()) ? statistics.halfWidth() : statistics.mean())
                .put("checked", check);
        var list = timed.putArray("runs");
        runs.forEach(list::add);
        return timed;
    }
}
