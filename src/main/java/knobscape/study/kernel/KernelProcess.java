package knobscape.study.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import jcuda.CudaException;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.study.kernel.KernelJob.Argument;
import knobscape.study.kernel.KernelJob.Code;
import knobscape.work.device.CompileException;
import knobscape.work.device.ComputeDevice;
import knobscape.work.device.ComputeDevice.Language;
import knobscape.work.device.ComputeDevice.Launch;
import knobscape.work.device.ComputeDevice.Program;
import knobscape.work.device.RunStatistics;
import org.jocl.CLException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Compiles a kernel, compares what it computes with what is right, and times it. The process reads a [KernelJob] and
/// writes [#RESULT] beside it. Every buffer has a border that no kernel may touch; outputs that are only written
/// begin with a pattern, so that what is left out is seen; after the last run the outputs must be those of the first.
public final class KernelProcess {
    /// Name of the file with the result.
    public static final String RESULT = "result.json";
    /// Key of a document that says why a configuration is no job.
    public static final String REFUSED = "refused";
    /// Key of the answer to a [Question].
    public static final String HARDWARE = "hardware";

    private static final String REGISTERS = "registers";
    private static final String REASON = "reason";
    private static final int LEAST_RUNS = 5;
    private static final int MOST_RUNS = 50;
    /// After so much time fewer runs are enough.
    private static final double LONG_SECONDS = 3;
    private static final int LEAST_OF_LONG = 2;
    /// Half the width of the mean's interval at which timing stops, as a share of the mean.
    private static final double NARROW = 0.02;
    private static final double MOST_SECONDS = 1;
    private static final int MOST_REASON = 600;
    /// A run so many times longer than the fastest is measured no longer than it must be.
    private static final double CLEARLY_SLOW = 3;
    /// A run so many times longer than the fastest is not waited for, after this time at the earliest.
    private static final double HOPELESS = 20;
    private static final double LEAST_PATIENCE_SECONDS = 2;
    /// Where the processor is the device, its driver compiles as the kernel is first started, and others use it too.
    private static final double LEAST_PATIENCE_OF_CPU_SECONDS = 20;

    private final KernelJob job;
    private final ComputeDevice device;
    private final Consumer<ObjectNode> abandon;
    private final double leastPatience;

    private KernelProcess(
            KernelJob job, ComputeDevice device, Consumer<ObjectNode> abandon, OptionalDouble leastPatience) {
        this.job = job;
        this.device = device;
        this.abandon = abandon;
        this.leastPatience =
                leastPatience.orElse(device.isCpu() ? LEAST_PATIENCE_OF_CPU_SECONDS : LEAST_PATIENCE_SECONDS);
    }

    /// Runs one job.
    ///
    /// @param arguments the file of the job
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        JsonNode document = JsonMapper.shared().readTree(Files.readString(file));
        ObjectNode result = document.has(REFUSED)
                ? failed(FailureKind.REJECTED, document.path(REFUSED).asString(""))
                : document.has(HARDWARE)
                        ? hardware(JsonMapper.shared().treeToValue(document, Question.class))
                        : result(JsonMapper.shared().treeToValue(document, KernelJob.class), slow -> {
                            write(file, slow);
                            // No device takes a kernel back; it ends with the process.
                            Runtime.getRuntime().halt(0);
                        });
        write(file, result);
    }

    private static void write(Path job, ObjectNode result) {
        FileOutput.write(job.resolveSibling(RESULT), result.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// A document that asks what a device is.
    ///
    /// @param hardware any text
    public record Question(Language language, int device, String hardware) {}

    private static ObjectNode hardware(Question q) {
        try (ComputeDevice device = ComputeDevice.open(q.language(), q.device())) {
            return JsonMapper.shared().createObjectNode().put(HARDWARE, device.hardware() + ", " + device.version());
        } catch (UserError e) {
            return failed(FailureKind.CRASHED, e.getMessage());
        }
    }

    /// The result as a document: `values` by name, time in seconds, or a status with its kind and reason.
    ///
    /// @param abandon is given the result of a kernel that is hopelessly slow, while it still runs
    static ObjectNode result(KernelJob job, Consumer<ObjectNode> abandon) {
        return result(job, abandon, OptionalDouble.empty());
    }

    /// @param leastPatience seconds for which any kernel is waited for, empty for those of the kind of device
    static ObjectNode result(KernelJob job, Consumer<ObjectNode> abandon, OptionalDouble leastPatience) {
        return placed(job, measured(job, slow -> abandon.accept(placed(job, slow)), leastPatience));
    }

    private static ObjectNode placed(KernelJob job, ObjectNode result) {
        if (result.has(REASON)) {
            result.put(
                    REASON,
                    KernelSource.place(job.code()) + ": " + result.path(REASON).asString(""));
        }
        return result;
    }

    private static ObjectNode measured(KernelJob job, Consumer<ObjectNode> abandon, OptionalDouble leastPatience) {
        try (ComputeDevice device = ComputeDevice.open(job.code().language(), job.device())) {
            return new KernelProcess(job, device, abandon, leastPatience).measured();
        } catch (CompileException e) {
            return failed(
                    FailureKind.REJECTED,
                    "the compiler refuses the kernel: "
                            + KernelSource.named(
                                    String.valueOf(e.getMessage()), job.code().file()));
        } catch (CLException | CudaException e) {
            return failed(
                    FailureKind.REJECTED,
                    KernelSource.refusal(
                            String.valueOf(e.getMessage()), job.code().function()));
        } catch (UserError e) {
            return failed(FailureKind.CRASHED, e.getMessage().replaceFirst("\\.$", ""));
        } catch (OutOfMemoryError e) {
            return failed(FailureKind.DOES_NOT_FIT, "its buffers do not fit into memory");
        }
    }

    private static ObjectNode failed(FailureKind kind, String reason) {
        String text = reason.strip().replaceAll("\\s*\\R\\s*", "; ");
        return JsonMapper.shared()
                .createObjectNode()
                .put("status", kind.status())
                .put("kind", kind.words())
                .put(REASON, text.substring(0, Math.min(text.length(), MOST_REASON)));
    }

    private ObjectNode measured() {
        long most = device.limits().threads();
        long items = job.code().local().stream().mapToLong(l -> l).reduce(1, (a, b) -> a * b);
        if (items > most) {
            return failed(
                    FailureKind.DOES_NOT_FIT,
                    "a group of " + items + " work items; " + device.hardware() + " takes " + most);
        }
        try (Program program =
                device.build(KernelSource.of(job.code()), job.code().options())) {
            Map<String, Long> resources = program.resources(job.code().function());
            List<Optional<ByteBuffer>> right = right();
            return with(job.code(), buffers -> timed(program, buffers, right, resources));
        }
    }

    /// Uses the arguments of a kernel on the device, which are gone afterwards.
    private <T> T with(Code code, Function<List<KernelBuffer>, T> use) {
        var buffers = new ArrayList<KernelBuffer>();
        try {
            for (Argument a : code.arguments()) {
                buffers.add(new KernelBuffer(device, a, buffers.size()));
            }
            return use.apply(buffers);
        } finally {
            buffers.forEach(KernelBuffer::close);
        }
    }

    private static Launch launch(Code code, Program program, List<KernelBuffer> buffers) {
        return new Launch(
                program,
                code.function(),
                buffers.stream().map(KernelBuffer::argument).toList(),
                code.groups(),
                code.local());
    }

    private ObjectNode timed(
            Program program,
            List<KernelBuffer> buffers,
            List<Optional<ByteBuffer>> right,
            Map<String, Long> resources) {
        var launches = List.of(launch(job.code(), program, buffers));
        buffers.forEach(KernelBuffer::fill);
        double once = job.best() > 0 ? patiently(launches) : device.run(launches);
        boolean isSlow = job.best() > 0 && once > CLEARLY_SLOW * job.best();
        List<Optional<ByteBuffer>> first = outputs(buffers);
        Optional<ObjectNode> wrong = outside(buffers).or(() -> different(buffers, first, right, "its result is wrong"));
        if (wrong.isPresent()) {
            return wrong.get();
        }
        var runs = new ArrayList<Double>();
        long begun = System.nanoTime();
        RunStatistics statistics;
        do {
            buffers.stream().filter(KernelBuffer::isReadAndWritten).forEach(KernelBuffer::fill);
            runs.add(device.run(launches));
            statistics = RunStatistics.of(runs);
        } while (runs.size() < (!isSlow && seconds(begun) < LONG_SECONDS ? LEAST_RUNS : LEAST_OF_LONG)
                || (!isSlow
                        && runs.size() < MOST_RUNS
                        && statistics.halfWidth() > NARROW * statistics.mean()
                        && seconds(begun) < MOST_SECONDS));
        buffers.forEach(KernelBuffer::fill);
        device.run(launches);
        wrong = outside(buffers)
                .or(() -> different(buffers, outputs(buffers), first, "it gives another result each time"));
        if (wrong.isPresent()) {
            return wrong.get();
        }
        if (!(statistics.mean() > 0)) {
            return failed(FailureKind.CRASHED, "the device's clock shows no time for a run");
        }
        var values = new LinkedHashMap<String, Double>();
        values.put("time", statistics.mean());
        if (job.operations() > 0) {
            values.put("gflops", job.operations() / statistics.mean() * 1e-9);
        }
        if (job.bytes() > 0) {
            values.put("gbs", job.bytes() / statistics.mean() * 1e-9);
        }
        if (job.code().energy()) {
            device.millijoules(() -> device.run(launches)).ifPresent(e -> values.put("energy", e));
        }
        resources.forEach((k, v) -> values.put(k, v.doubleValue()));
        if (resources.containsKey(REGISTERS)) {
            long items = job.code().local().stream().mapToLong(l -> l).reduce(1, (a, b) -> a * b);
            device.occupancyLimits()
                    .ifPresent(m -> values.put(
                            "occupancy",
                            m.occupancy(items, resources.get(REGISTERS), resources.getOrDefault("local_bytes", 0L))));
        }
        ObjectNode document = JsonMapper.shared().createObjectNode();
        document.set("values", JsonMapper.shared().valueToTree(values));
        return document;
    }

    /// The first run, which nobody waits for where it is hopelessly slow.
    private double patiently(List<Launch> launches) {
        double patience = Math.max(leastPatience, HOPELESS * job.best());
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());
        try {
            var bell = clock.schedule(
                    () -> abandon.accept(failed(
                            FailureKind.REJECTED,
                            String.format(
                                    Locale.ROOT,
                                    "a run was given up after %.3g s; the fastest so far takes %.3g s",
                                    patience,
                                    job.best()))),
                    (long) (patience * 1e9),
                    TimeUnit.NANOSECONDS);
            double seconds = device.run(launches);
            bell.cancel(false);
            return seconds;
        } finally {
            clock.shutdownNow();
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) * 1e-9;
    }

    private static List<Optional<ByteBuffer>> outputs(List<KernelBuffer> buffers) {
        return buffers.stream()
                .map(b -> b.isOutput() ? Optional.of(b.content()) : Optional.<ByteBuffer>empty())
                .toList();
    }

    private static Optional<ObjectNode> outside(List<KernelBuffer> buffers) {
        for (int i = 0; i < buffers.size(); i++) {
            Optional<String> how = buffers.get(i).trespass();
            if (how.isPresent()) {
                return Optional.of(failed(FailureKind.WRONG_RESULT, how.get() + " argument " + (i + 1)));
            }
        }
        return Optional.empty();
    }

    private Optional<ObjectNode> different(
            List<KernelBuffer> buffers,
            List<Optional<ByteBuffer>> outputs,
            List<Optional<ByteBuffer>> right,
            String sentence) {
        for (int i = 0; i < buffers.size(); i++) {
            if (outputs.get(i).isPresent() && right.get(i).isPresent()) {
                Optional<String> difference = buffers.get(i)
                        .difference(outputs.get(i).get(), right.get(i).get(), job.tolerance());
                if (difference.isPresent()) {
                    return Optional.of(failed(
                            FailureKind.WRONG_RESULT, sentence + ": argument " + (i + 1) + ", " + difference.get()));
                }
            }
        }
        return Optional.empty();
    }

    /// The right content of each argument, where there is one: of a file, of the reference kernel, which runs once
    /// and is kept.
    private List<Optional<ByteBuffer>> right() {
        var right = new ArrayList<Optional<ByteBuffer>>();
        for (Argument a : job.code().arguments()) {
            right.add(KernelBuffer.expected(a));
        }
        if (job.reference().isEmpty()) {
            return right;
        }
        Code reference = job.reference().getFirst();
        Path kept = Path.of(job.answers());
        long wanted = reference.arguments().stream()
                .filter(Argument::isOutput)
                .mapToLong(KernelBuffer::bytes)
                .sum();
        if (!Files.isRegularFile(kept) || kept.toFile().length() != wanted) {
            keep(kept, reference, Math.toIntExact(wanted));
        }
        ByteBuffer all = KernelBuffer.read(kept, Math.toIntExact(wanted));
        for (int i = 0; i < right.size(); i++) {
            Argument a = reference.arguments().get(i);
            if (a.isOutput()) {
                ByteBuffer part = ByteBuffer.allocateDirect(Math.toIntExact(KernelBuffer.bytes(a)))
                        .order(ByteOrder.nativeOrder());
                all.limit(all.position() + part.capacity());
                part.put(all).flip();
                if (right.get(i).isEmpty()) {
                    right.set(i, Optional.of(part));
                }
            }
        }
        return right;
    }

    private void keep(Path file, Code reference, int bytes) {
        byte[] all = new byte[bytes];
        try (Program program = device.build(KernelSource.of(reference), reference.options())) {
            FileOutput.write(file, this.<byte[]>with(reference, buffers -> {
                buffers.forEach(KernelBuffer::fill);
                device.run(List.of(launch(reference, program, buffers)));
                int at = 0;
                for (KernelBuffer b : buffers) {
                    if (b.isOutput()) {
                        ByteBuffer content = b.content();
                        content.get(0, all, at, content.capacity());
                        at += content.capacity();
                    }
                }
                return all;
            }));
        } catch (CompileException | CLException | CudaException e) {
            throw new UserError(
                    "The reference kernel '" + reference.function() + "' of " + reference.file() + " cannot be run: "
                            + String.valueOf(e.getMessage()).strip() + ".",
                    e);
        }
    }
}
