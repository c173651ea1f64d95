package knobscape.work.tool;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.space.Configuration;
import knobscape.space.Sha256;
import knobscape.work.tool.ToolProcess.Job;
import knobscape.work.tool.ToolProcess.ProcessExit;
import org.slf4j.LoggerFactory;

/// Evaluates designs with a tool that runs outside: a folder per design, in which every stage leaves its inputs, its
/// log and its result.
///
/// A stage whose result is there for the same inputs is not run again, also after a restart, unless a run that has
/// the result asks for another measurement ([Request#repeat()]). A stage that an
/// earlier start of the program left running is waited for. A tool that crashes or gets no licence is asked
/// again, after pauses that grow; only when the patience is over the evaluation fails, and it is never counted
/// as an invalid design. Thread-safe.
public final class ToolEvaluator implements Evaluator {
    private static final long MAX_LOG = 4L << 20;
    private static final long MIN_DISK = 1L << 30;
    private static final double MAX_PAUSE_SECONDS = 600;
    private static final int KNOWN_FOR_LIMIT = 3;
    private static final double MIN_LIMIT_SECONDS = 60;
    private static final int MAX_FULL_RETRIES = 2;

    private final ToolFlow flow;
    private final Engine engine;
    private final ToolSettings limits;
    private final Path folder;
    private final DiskBudget room;
    private final Map<String, List<Double>> known = new HashMap<>();

    /// @param folder holds a folder per design; made where it is not there
    public ToolEvaluator(ToolFlow flow, Engine engine, ToolSettings limits, Path folder) {
        this.flow = flow;
        this.engine = engine;
        this.limits = limits;
        this.folder = folder;
        this.room = new DiskBudget(folder, limits.budget().diskGb(), flow::clean);
    }

    @Override
    public EvaluatorInfo info() {
        return flow.info();
    }

    @Override
    public void prepare() {
        flow.open();
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        prepare();
        Path design = folder.resolve(request.configuration().id());
        requireInside(design);
        var known = new HashMap<String, Double>();
        request.below().forEach(e -> carried(known, e.outcome()));
        for (Fidelity stage : info().fidelities()) {
            if (stage.rank() < request.from().rank()
                    || stage.rank() > request.upTo().rank()) {
                continue;
            }
            StageRecord done;
            room.enter(design);
            try {
                done = stage(request, stage, design, cancel);
            } finally {
                room.leave(design);
            }
            var evaluation = new Evaluation(
                    request.configuration(),
                    stage,
                    carried(known, done.outcome()),
                    done.seconds(),
                    new Provenance(info().name(), flow.version(), 0, Provenance.Source.MEASURED));
            // What may be asked again needs what the stages before it left.
            if (done.outcome() instanceof Outcome.Failure f ? f.kind().isInvalid() : stage.equals(info().top())) {
                flow.clean(design);
            }
            stageDone.accept(evaluation);
            if (!evaluation.isMeasured()) {
                return;
            }
        }
    }

    /// An outcome with what the stages below it told of the design, where the flow carries that on.
    ///
    /// @param known values so far, to which those of the outcome are added
    private Outcome carried(Map<String, Double> known, Outcome outcome) {
        if (!flow.carriesValues() || !(outcome instanceof Outcome.Measured m)) {
            return outcome;
        }
        known.putAll(m.values());
        return new Outcome.Measured(known);
    }

    private StageRecord stage(Request request, Fidelity stage, Path design, CancellationSignal cancel) {
        Configuration configuration = request.configuration();
        // A measurement that is made again has a result of its own, so that a resumed run finds each.
        String name = stage.name() + (request.repeat() == 0 ? "" : "-again" + request.repeat());
        String inputs = Sha256.of((flow.inputs(configuration, stage) + "\n" + name).getBytes(StandardCharsets.UTF_8));
        Path file = design.resolve("result-" + name + ".json");
        var stored = StageRecord.read(file, inputs);
        if (stored.isPresent()) {
            remember(stage, stored.get().wallSeconds());
            return stored.get();
        }
        var patience = new Patience(configuration, stage);
        double toolSeconds = 0;
        while (true) {
            Attempt a = attempt(configuration, stage, design, inputs, patience.limit(), cancel);
            toolSeconds += a.seconds();
            if (a.outcome() instanceof Outcome.Failure f && f.kind().mayRetry()) {
                double pause = patience.pauseAfter(f, a.endedWell() && !flow.mayLoseResults());
                if (pause >= 0) {
                    LoggerFactory.getLogger(ToolEvaluator.class)
                            .warn(
                                    "Design {}, {}: {}. It is run again{}.",
                                    configuration.id(),
                                    stage.name(),
                                    f.reason().replaceFirst("\\.$", ""),
                                    pause < 1 ? "" : " in %.0f s".formatted(pause));
                    cancel.sleep(Duration.ofMillis((long) (pause * 1000)));
                    continue;
                }
                // Not kept: a later run may have more luck.
                return new StageRecord(inputs, f, toolSeconds, a.wallSeconds());
            }
            var record = new StageRecord(inputs, a.outcome(), a.seconds(), a.wallSeconds());
            record.write(file);
            remember(stage, a.wallSeconds());
            return record;
        }
    }

    /// The folder of runs that holds the tools' folder, which holds that of one tool.
    public static Path runs(Path folder) {
        return folder.resolve("../..").normalize();
    }

    /// The tool and its log write into what lies there.
    private void requireInside(Path design) {
        FileOutput.requireInside(runs(folder), design);
        if (Files.isDirectory(design)) {
            try (Stream<Path> files = Files.list(design)) {
                files.filter(Files::isSymbolicLink).forEach(f -> FileOutput.requireInside(design, f));
            } catch (IOException e) {
                throw new UserError("The folder " + design + " cannot be used: " + e.getMessage() + ".", e);
            }
        }
    }

    /// @param endedWell whether the program ended by itself and said that all was well
    private record Attempt(Outcome outcome, double seconds, double wallSeconds, boolean endedWell) {}

    private Attempt attempt(
            Configuration configuration,
            Fidelity stage,
            Path design,
            String inputs,
            Duration limit,
            CancellationSignal cancel) {
        try {
            Files.createDirectories(design.resolve("tmp"));
            if (flow.hasOwnHome()) {
                Files.createDirectories(design.resolve("home"));
            }
            Path log = design.resolve(stage.name() + ".log");
            Path running = design.resolve("running-" + stage.name());
            String mark = design + "#" + stage.name();
            var earlier = new Job(mark, List.of("-"), design, Map.of(), log, limit);
            Optional<StageProgress> left = StageProgress.read(running, inputs);
            boolean isLeft = engine.isRunning(earlier);
            StageProgress now;
            ProcessExit ended;
            if (isLeft && left.isPresent()) {
                now = left.get();
                ended = engine.await(earlier, cancel);
            } else {
                if (isLeft) {
                    engine.end(earlier);
                }
                if (design.toFile().getUsableSpace()
                        < MIN_DISK) { // of the file store it is not found in a changed root
                    throw new UserError("Less than 1 GiB is free where " + design
                            + " lies, too little for a tool; make room and resume the run.");
                }
                ToolFlow.Command command = flow.prepare(configuration, stage, design, cancel);
                var environment = new HashMap<>(command.environment());
                // Start-up races of tools that share these, and messages that the reader does not know.
                if (flow.hasOwnHome()) {
                    environment.put("HOME", design.resolve("home").toString());
                }
                environment.put("TMPDIR", design.resolve("tmp").toString());
                environment.put("LC_ALL", "C");
                now = new StageProgress(inputs, Files.exists(log) ? Files.size(log) : 0, command.steps(), environment);
                ended = new ProcessExit(OptionalInt.of(0), false, 0);
            }
            for (List<List<String>> steps = now.steps(); !steps.isEmpty(); steps = steps.subList(1, steps.size())) {
                // Of what an earlier start began the status may be unknown; the next step refuses what is missing.
                if (ended.timedOut() || ended.status().orElse(0) != 0) {
                    break;
                }
                double before = ended.seconds();
                Duration rest = limit.minusMillis((long) (before * 1000));
                new StageProgress(inputs, now.logFrom(), steps.subList(1, steps.size()), now.environment())
                        .write(running);
                ProcessExit e =
                        engine.run(new Job(mark, steps.getFirst(), design, now.environment(), log, rest), cancel);
                ended = new ProcessExit(e.status(), e.timedOut(), before + e.seconds());
            }
            Files.deleteIfExists(running);
            if (ended.timedOut()) {
                Outcome.Failure over = Outcome.Failure.timedOut(ended.seconds());
                return new Attempt(
                        new Outcome.Failure(over.kind(), flow.place(stage) + over.reason(), over.values()),
                        ended.seconds(),
                        ended.seconds(),
                        false);
            }
            String said = tail(log, now.logFrom());
            Optional<Outcome.Failure> lost = SlurmEngine.lost(said);
            if (lost.isPresent()) {
                // Whatever lies there, nobody knows whether it is whole.
                return new Attempt(lost.get(), ended.seconds(), ended.seconds(), false);
            }
            ToolFlow.Result result = flow.read(configuration, stage, design, said, ended);
            return new Attempt(
                    result.outcome(),
                    result.seconds().orElse(ended.seconds()),
                    ended.seconds(),
                    ended.status().orElse(-1) == 0);
        } catch (IOException | UncheckedIOException e) {
            throw new UserError("The folder " + design + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    /// The output since a place in the log, its last part where it is long.
    private static String tail(Path log, long from) throws IOException {
        if (!Files.exists(log)) {
            return "";
        }
        try (var in = new RandomAccessFile(log.toFile(), "r")) {
            long start = Math.max(Math.min(from, in.length()), in.length() - MAX_LOG);
            in.seek(start);
            byte[] bytes = new byte[(int) (in.length() - start)];
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private synchronized void remember(Fidelity stage, double seconds) {
        known.computeIfAbsent(stage.name(), _ -> new ArrayList<>()).add(seconds);
    }

    /// The longest time of a stage so far, as long as this machine's load makes it; `NaN` while too few are known. Of
    /// the designs of one kernel some are ten times as large as others, so that a mean says little.
    private synchronized double longest(Fidelity stage) {
        List<Double> times = known.getOrDefault(stage.name(), List.of());
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                / Runtime.getRuntime().availableProcessors();
        return times.size() < KNOWN_FOR_LIMIT
                ? Double.NaN
                : Math.max(1, load) * times.stream().mapToDouble(t -> t).max().orElseThrow();
    }

    /// The rest of the patience with one stage of one design.
    private final class Patience {
        private final Fidelity stage;
        /// Only spreads attempts in time: results do not depend on it.
        private final Random jitter;

        private int crashes;
        private int slow;
        private int refusals;
        private double waited;
        private boolean full;

        Patience(Configuration configuration, Fidelity stage) {
            this.stage = stage;
            this.jitter = new Random(configuration.hashCode());
        }

        Duration limit() {
            double longest = Math.min(limits.stageMinutes() * 60, flow.limitSeconds(stage));
            double known = full ? Double.NaN : longest(stage);
            double seconds = Double.isNaN(known)
                    ? longest
                    : Math.min(longest, Math.max(MIN_LIMIT_SECONDS, limits.learnedFactor() * known));
            full = full || seconds >= longest;
            return Duration.ofMillis((long) (seconds * 1000));
        }

        /// Seconds until the next attempt, negative where there is none.
        ///
        /// @param answered whether that is the program's answer, and no accident
        double pauseAfter(Outcome.Failure failure, boolean answered) {
            switch (failure.kind()) {
                case TIMED_OUT -> {
                    // A hang may not come back; a design that is really slow would take the longest time each time.
                    if (full && slow >= Math.min(MAX_FULL_RETRIES, limits.crashRetries())) {
                        return -1;
                    }
                    slow += full ? 1 : 0;
                    full = true;
                    return 0;
                }
                case LICENCE -> {
                    double pause = pause(refusals++);
                    waited += pause;
                    return waited > limits.licenceHours() * 3600 ? -1 : pause;
                }
                default -> {
                    // Once more, for a slow disk.
                    if (crashes >= (answered ? Math.min(1, limits.crashRetries()) : limits.crashRetries())) {
                        return -1;
                    }
                    double pause = answered ? 0 : pause(crashes);
                    crashes++;
                    // A lost job was waited for by the engine already.
                    return SlurmEngine.lost(failure.reason()).isPresent() ? 0 : pause;
                }
            }
        }

        private double pause(int before) {
            double grown = limits.pauseSeconds() * Math.pow(2, Math.min(before, 20));
            return Math.min(grown, MAX_PAUSE_SECONDS) * (0.75 + 0.5 * jitter.nextDouble());
        }
    }
}
