package knobscape.hls.evaluate.vendor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.hls.HlsTools;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.json.JsonMapper;

/// Executables that stand in for the vendor's tools (`standin.tcl`, run by `tclsh`), and the server in this process
/// that tells them what to report: the built-in estimate with a seeded distortion, and faults where asked for.
public final class StandIns implements AutoCloseable {
    private final DirectiveSpace space;
    private final EstimatorEvaluator estimator;
    private final Faults faults;
    private final long seed;
    private final ServerSocket server;
    private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    /// Of an outage that nobody has met yet; guarded by this.
    private long outageNanos;
    /// Guarded by this.
    private long licencesFrom = System.nanoTime();

    private final Map<String, Integer> succeeded = new ConcurrentHashMap<>();

    /// Shares of attempts that fail, and how fast the tools' clock goes.
    ///
    /// @param toolShare tool time of a stage as a share of what the estimator says that real tools take
    /// @param minuteMillis real milliseconds of a minute of tool time
    public record Faults(double crash, double hang, double half, double lie, double toolShare, double minuteMillis) {
        public static final Faults NONE = new Faults(0, 0, 0, 0, 1, 0.5);
    }

    public StandIns(DirectiveSpace space, long seed, Faults faults) throws IOException {
        this.space = space;
        this.seed = seed;
        this.faults = faults;
        estimator = new EstimatorEvaluator(space, EstimatorSettings.defaults());
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("stand-ins").start(this::serve);
    }

    /// The space that the program makes of a source, with the knobs that the estimate adds.
    public static DirectiveSpace spaceOf(Path source) {
        HlsTools tools = HlsTools.standard();
        var kernel = tools.reader().read(source, KernelReader.Options.defaults());
        return tools.spaces().build(kernel, Optional.empty(), Optional.empty(), Pruning.HARD);
    }

    /// Writes the executable of a tool into a folder and returns it. Skips the test where there is no `tclsh`.
    public Path install(Path folder, String tool, String version) throws IOException {
        boolean tclsh = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(p -> Files.isExecutable(Path.of(p, "tclsh")));
        Assumptions.assumeTrue(tclsh, "tclsh is not installed, so the stand-ins for the vendor's tools cannot run");
        Files.createDirectories(folder);
        Path script = folder.resolve("standin.tcl");
        try (var in = StandIns.class.getResourceAsStream("standin.tcl")) {
            Files.write(script, in.readAllBytes());
        }
        Path program = folder.resolve(tool);
        // As the real ones: a wrapper that starts the program as a child.
        Files.writeString(
                program,
                "#!/bin/sh\ntclsh '" + script + "' " + server.getLocalPort() + " " + tool + " " + version
                        + " \"$@\"\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Stages asked for so far, failed ones included.
    public int answers() {
        return answers.get();
    }

    /// From the next job on none gets a licence, for so long by the tools' clock. It begins with that job, however long
    /// a loaded machine takes to start it.
    public synchronized void noLicences(Duration toolTime) {
        licencesFrom = System.nanoTime();
        outageNanos = (long) (toolTime.toSeconds() / 60.0 * faults.minuteMillis() * 1e6);
    }

    private synchronized boolean isRefused() {
        if (outageNanos > 0) {
            licencesFrom = System.nanoTime() + outageNanos;
            outageNanos = 0;
            return true;
        }
        return System.nanoTime() < licencesFrom;
    }

    /// How often a licence was refused.
    public int refusals() {
        return refusals.get();
    }

    /// How often each stage of each design came out, by `design#stage`.
    public Map<String, Integer> succeeded() {
        return Map.copyOf(succeeded);
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket s = server.accept();
                Thread.ofVirtual().start(() -> answer(s));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void answer(Socket s) {
        try (s;
                var in = new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.UTF_8))) {
            String[] words = in.readLine().split("\t");
            s.getOutputStream().write((answer(words[0], Path.of(words[1])) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer(String stage, Path folder) throws IOException {
        answers.incrementAndGet();
        var design = JsonMapper.shared().readTree(Files.readAllBytes(folder.resolve("design.json")));
        String text = design.path("configuration").asString();
        Configuration c = Configuration.parse(space.space().knobs(), text);
        String key = c.id() + "#" + stage;
        int attempt = attempts.computeIfAbsent(key, _ -> new AtomicInteger()).getAndIncrement();
        var random = new Random(seed * 31 + (key + attempt).hashCode());
        random.nextDouble();
        double draw = random.nextDouble();
        boolean isRefused = isRefused();
        refusals.addAndGet(isRefused ? 1 : 0);
        String what = isRefused
                ? "licence"
                : draw < faults.crash
                        ? "crash"
                        : draw < faults.crash + faults.hang
                                ? "hang"
                                : draw < faults.crash + faults.hang + faults.half
                                        ? "half"
                                        : draw < faults.crash + faults.hang + faults.half + faults.lie ? "lie" : "ok";
        List<Evaluation> all = estimator.evaluate(c, estimator.info().fidelity(stage), new CancellationSignal());
        Evaluation e = all.getLast();
        double toolSeconds = e.costSeconds() * faults.toolShare();
        int millis = isRefused ? 5 : (int) Math.round(toolSeconds / 60 * faults.minuteMillis());
        if (!(e.outcome() instanceof Outcome.Measured m)) {
            return (what.equals("ok") ? "misfit" : what) + " " + millis + " " + toolSeconds;
        }
        if (what.equals("ok")) {
            succeeded.merge(key, 1, Integer::sum);
        }
        double d = 1 + 0.2 * (new Random(text.hashCode() + stage.hashCode() + seed).nextDouble() - 0.5);
        return String.format(
                Locale.ROOT,
                "%s %d %.1f %d %.3f %d %d %d %d %.3f",
                what,
                millis,
                toolSeconds,
                Math.round(m.value("latency").orElseThrow()),
                m.value("clock").orElseThrow() * d,
                Math.round(m.value("lut").orElseThrow() * d),
                Math.round(m.value("ff").orElseThrow()),
                Math.round(m.value("dsp").orElseThrow()),
                Math.round(m.value("bram").orElseThrow()),
                m.value("power").orElseThrow() * d);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
