package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.RandomExplorer;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Folders;
import knobscape.project.Project;
import knobscape.work.tool.ToolSettings;

/// `src/lab/run flow`: what driving tools costs. Jobs sleep instead of computing, one in ten crashes at its first
/// attempt;
/// told are the throughput with several at once, the time a job takes beside its tool, and what was recovered; on
/// this machine, and through Slurm where one answers.
public final class FlowBench implements Bench {
    private static final double LEAST_SHARE = 0.9;
    private static final double MOST_OVERHEAD = 0.5;
    private static final int JOBS_PER_SLOT = 5;
    private static final String PROGRAM = "sleeping_tool.sh";

    private final List<Integer> atOnce;
    private final List<ToolSettings.EngineKind> engines;
    private final OptionalDouble seconds;

    /// With 1, 2, 4 and 8 jobs at once, wherever tools run.
    public FlowBench() {
        this(List.of(1, 2, 4, 8), List.of(ToolSettings.EngineKind.values()), OptionalDouble.empty());
    }

    /// @param seconds time of a job, by [Job#quick] where empty
    FlowBench(List<Integer> atOnce, List<ToolSettings.EngineKind> engines, OptionalDouble seconds) {
        this.atOnce = List.copyOf(atOnce);
        this.engines = List.copyOf(engines);
        this.seconds = seconds;
    }

    @Override
    public String name() {
        return "flow";
    }

    @Override
    public String description() {
        return "Driving tools: throughput with 1, 2, 4 and 8 jobs at once, time beside the tool, and what is recovered of crashes.";
    }

    private record FlowScore(int jobs, int crashes, int lost, double seconds) {
        double overhead(int parallel, double sleep) {
            return seconds * parallel / jobs - sleep;
        }

        /// Jobs that would have run at once had nothing but the tool taken time; attempts that crash take time too.
        double throughput(double sleep) {
            return (jobs + crashes) * sleep / seconds;
        }
    }

    /// Jobs at once on an engine.
    private record Slots(Job job, ToolSettings.EngineKind engine, int parallel, double sleep)
            implements TrialSubject<FlowScore> {
        static final String CLEAN = "clean";
        static final String FAULTY = "one of ten crashes";

        @Override
        public String name() {
            return engine.name().toLowerCase(Locale.ROOT) + ", " + parallel + " at once";
        }

        /// Time on the machine as it is now.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public String words(FlowScore s) {
            return BenchReport.decimals(s.throughput(sleep), 2) + " jobs at once";
        }

        @Override
        public FlowScore run(String method, long seed, Map<String, FlowScore> earlier) {
            return measure(job, engine, parallel, sleep, method.equals(FAULTY) ? 10 : 0);
        }
    }

    @Override
    public BenchReport run(Job job) {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            throw new UserError("bench flow starts jobs by a shell script, which this system does not run.");
        }
        double sleep = seconds.orElse(job.quick() ? 4 : 15);
        var runner = TrialRunner.inTurn(job, "trials.jsonl", FlowScore.class, 1);
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        var notes = new ArrayList<String>();
        for (ToolSettings.EngineKind engine : engines) {
            boolean slurm = engine == ToolSettings.EngineKind.SLURM;
            int most = slurm ? cpus() : Integer.MAX_VALUE;
            if (most == 0) {
                notes.add("Slurm answers nothing here, so it was not tried.");
                continue;
            }
            for (int parallel : atOnce) {
                if (parallel > most) {
                    notes.add("Slurm has " + most + " processors here, too few for " + parallel + " jobs at once.");
                    continue;
                }
                String name = engine.name().toLowerCase(Locale.ROOT);
                List<Trial<FlowScore>> pair =
                        runner.run(new Slots(job, engine, parallel, sleep), List.of(Slots.CLEAN, Slots.FAULTY));
                FlowScore clean = pair.getFirst().figures();
                FlowScore faulty = pair.getLast().figures();
                rows.add(BenchReport.row(
                        List.of(name),
                        parallel,
                        clean.jobs(),
                        clean.throughput(sleep),
                        clean.throughput(sleep) / parallel,
                        clean.overhead(parallel, sleep),
                        faulty.crashes(),
                        faulty.crashes() - faulty.lost(),
                        faulty.throughput(sleep) / parallel));
                String what = " (" + name + ", " + parallel + " at once)";
                if (!slurm) {
                    aims.add(
                            Aim.atLeast("throughput per slot" + what, clean.throughput(sleep) / parallel, LEAST_SHARE));
                    aims.add(Aim.below(
                            "s beside the tool per job" + what, clean.overhead(parallel, sleep), MOST_OVERHEAD));
                }
                aims.add(Aim.atMost("designs lost to crashes" + what, faulty.lost(), 0));
            }
        }
        notes.add("A job sleeps " + sleep + " s; throughput is in jobs that run at once on average.");
        return new BenchReport(
                name(),
                "Jobs of a tool that sleeps, " + JOBS_PER_SLOT + " per slot, each a design of its own.",
                Column.list(
                        "engine",
                        "engine",
                        "parallel",
                        "at once",
                        "jobs",
                        "jobs",
                        "throughput",
                        "throughput",
                        "share",
                        "per slot",
                        "overhead",
                        "s beside the tool",
                        "crashes",
                        "crashes",
                        "recovered",
                        "recovered",
                        "faulty_share",
                        "per slot with crashes"),
                rows,
                aims,
                notes);
    }

    private static FlowScore measure(
            Job job, ToolSettings.EngineKind engine, int parallel, double sleep, int crashEvery) {
        Path folder = Folders.writable(job.out()
                .resolve("jobs/" + engine.name().toLowerCase(Locale.ROOT) + "-" + parallel + "-" + crashEvery));
        try {
            clear(folder);
            Files.createDirectories(folder);
            Path program = folder.resolve(PROGRAM);
            Files.writeString(program, script(sleep, crashEvery));
            if (!program.toFile().setExecutable(true)) {
                throw new UserError("Programs cannot be run from " + folder + "; name another folder with --out.");
            }
            ToolSettings limits = ToolSettings.DEFAULT
                    .with(ToolSettings.STAGE_MINUTES, 60.0)
                    .with(ToolSettings.LEARNED_FACTOR, 100.0)
                    .with(ToolSettings.CRASH_RETRIES, 5)
                    .with(ToolSettings.LICENCE_HOURS, 1.0)
                    .with(ToolSettings.PAUSE_SECONDS, 0.0)
                    .with(ToolSettings.ENGINE, engine);
            int jobs = JOBS_PER_SLOT * parallel;
            try (Project project = Project.open(job.requiredSamples().resolve("gemm"), Optional.of(folder))) {
                HlsWorkbench bench = HlsWorkbench.open(project, project.file().both(), job.tools());
                try (Evaluator tool = VendorTools.command(
                                program, bench.kernelWork().toolWork(), limits, folder.resolve("designs"), parallel);
                        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    tool.prepare();
                    var explorer = new RandomExplorer(bench.space(), tool.info().top(), 1, job.firstSeed());
                    var run = new Exploration(
                            List.of(Subject.of(
                                    "flow",
                                    bench.space(),
                                    explorer,
                                    tool,
                                    List.of(tool.info().metric("delay")),
                                    new Termination.Never())),
                            Scheduler.roundRobin(),
                            new Exploration.Settings(job.firstSeed(), jobs, 0, 0, parallel, 0),
                            System::nanoTime,
                            threads);
                    job.cancel().onCancel(run::stop);
                    var lost = new int[1];
                    var begun = new long[1];
                    run.addListener(e -> {
                        switch (e) {
                            // The initial design runs alone; what follows fills all slots.
                            case RunEvent.StepDone d when d.step() == 0 -> begun[0] = System.nanoTime();
                            case RunEvent.Evaluated x
                            when x.step() > 0 ->
                                lost[0] += x.evaluations().getLast().isMeasured() ? 0 : 1;
                            default -> {}
                        }
                    });
                    RunEvent.Finished end = run.run(List.of());
                    double seconds = (System.nanoTime() - begun[0]) * 1e-9;
                    if (end.ending() != RunEvent.Ending.COMPLETED) {
                        throw new UserError("The jobs could not be run: " + end.reason());
                    }
                    return new FlowScore(jobs, crashes(folder), lost[0], seconds);
                }
            }
        } catch (IOException e) {
            throw new UserError("The folder " + folder + " cannot be used: " + UserError.reason(e) + ".", e);
        }
    }

    /// Sleeps and answers; of every so many designs one crashes at its first attempt.
    private static String script(double sleep, int crashEvery) {
        return """
                #!/bin/sh
                here=$(dirname "$0")
                if [ "$1" = describe ]; then
                  echo '{"stages": ["run"], "objectives": ["delay"], "reported": {"run": ["delay"]}}' > "$2/describe.json"
                  exit 0
                fi
                sleep %s
                n=$(printf %%d "0x$(basename "$2" | cut -c 1-6)")
                if [ %d -gt 0 ] && [ $((n %% %d)) -eq 0 ] && [ ! -e "$2/crashed" ]; then
                  touch "$2/crashed"
                  exit 139
                fi
                echo "{\\"values\\": {\\"delay\\": $((n %% 997 + 1))}}" > "$2/result.json"
                """.formatted(sleep, crashEvery, Math.max(1, crashEvery));
    }

    private static int crashes(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return (int) all.filter(f -> f.endsWith("crashed")).count();
        }
    }

    private static void clear(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path f : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(f);
                }
            }
        }
    }

    /// Processors of the Slurm that this process would submit to; 0 where none answers.
    private static int cpus() {
        try {
            Process p = new ProcessBuilder("sinfo", "--noheader", "--format=%C")
                    .redirectErrorStream(true)
                    .start();
            String text = new String(p.getInputStream().readNBytes(4096), java.nio.charset.StandardCharsets.UTF_8);
            // allocated/idle/other/total
            return p.waitFor() == 0
                    ? text.lines()
                            .map(String::strip)
                            .filter(l -> l.matches("\\d+/\\d+/\\d+/\\d+"))
                            .mapToInt(l -> Integer.parseInt(l.substring(l.lastIndexOf('/') + 1)))
                            .max()
                            .orElse(0)
                    : 0;
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
