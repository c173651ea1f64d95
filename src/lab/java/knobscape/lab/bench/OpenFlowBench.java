package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.open.OpenKernel;
import knobscape.hls.rtl.build.NotBuildable;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Project;
import knobscape.space.Configuration;

/// `src/lab/run open-flow`: designs of the open flow, built and run against their kernels: the samples, and the sources
/// of
/// `--sources`. Which kernels and designs are refused, and why.
public final class OpenFlowBench implements Bench {
    private static final double CLOCK_NS = 10;
    private static final int DEPTH = 4;

    @Override
    public String name() {
        return "open-flow";
    }

    @Override
    public String description() {
        return "Hardware of the samples (and of --sources) by the open flow: built, run against the kernel, cycles as scheduled.";
    }

    /// The tally of one kernel's designs.
    private static final class Tally {
        private int built;
        private int wrong;
        private int refused;
        private long cycles;
        private double seconds;
        private final Map<String, Integer> reasons = new LinkedHashMap<>();

        void refuse(String why) {
            refused++;
            reasons.merge(why, 1, Integer::sum);
        }

        String commonest() {
            return reasons.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(e -> e.getKey() + (e.getValue() > 1 ? " (" + e.getValue() + ")" : ""))
                    .orElse("");
        }
    }

    @Override
    public BenchReport run(Job job) {
        int designs = job.seeds().orElse(job.quick() ? 4 : 20);
        var rows = new ArrayList<List<Cell>>();
        var all = new Tally();
        int accepted = 0;
        for (Map.Entry<String, Supplier<DirectiveSpace>> e : spaces(job).entrySet()) {
            var t = new Tally();
            kernel(e.getValue(), designs, job, t);
            accepted += t.built > 0 ? 1 : 0;
            all.built += t.built;
            all.wrong += t.wrong;
            all.refused += t.refused;
            job.progress()
                    .accept(e.getKey() + ": " + t.built + " built, " + t.wrong + " wrong, " + t.refused + " refused "
                            + t.commonest());
            rows.add(List.of(
                    Cell.of(e.getKey()),
                    Cell.of(t.built),
                    Cell.of(t.wrong),
                    Cell.of(t.refused),
                    Cell.of(t.built == 0 ? Double.NaN : (double) t.cycles / t.built),
                    Cell.of(t.built == 0 ? Double.NaN : t.seconds / t.built),
                    Cell.of(t.commonest())));
        }
        return new BenchReport(
                name(),
                "Designs of the open flow against their kernels.",
                Column.list(
                        "subject", "kernel",
                        "built", "built and run",
                        "wrong", "wrong or not as scheduled",
                        "refused", "refused",
                        "cycles", "mean cycles",
                        "seconds", "s a design",
                        "reason", "commonest reason"),
                rows,
                List.of(
                        Aim.atMost("designs wrong or not as scheduled", all.built > 0 ? all.wrong : Double.NaN, 0),
                        Aim.atLeast("share of kernels built", (double) accepted / Math.max(1, rows.size()), 0.8)),
                List.of(
                        "Per kernel the design without directives and " + designs + " drawn at random, for a clock of "
                                + CLOCK_NS + " ns, each run once on random inputs.",
                        "Seconds: passes, schedule, hardware and both runs, wall clock."));
    }

    private static void kernel(Supplier<DirectiveSpace> read, int designs, Job job, Tally t) {
        try {
            DirectiveSpace space = read.get();
            var kernel = new OpenKernel(space, CLOCK_NS, job.cancel());
            var seeded = new SplittableRandom(job.firstSeed());
            for (int i = 0; i <= designs; i++) {
                job.cancel().throwIfCancelled();
                design(kernel, i == 0 ? space.baseline() : space.space().draw(seeded), job, t);
            }
        } catch (NotBuildable | UserError e) {
            t.refuse(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fault(t, e, "reading it");
        }
    }

    private static void fault(Tally t, RuntimeException e, String where) {
        if (e instanceof CancellationException) {
            throw e;
        }
        t.wrong++;
        t.reasons.merge("FAULT: " + e + " in " + where, 1, Integer::sum);
    }

    private static void design(OpenKernel kernel, Configuration c, Job job, Tally t) {
        long begun = System.nanoTime();
        try {
            OpenKernel.Checked made = kernel.checked(c, job.cancel());
            t.built++;
            t.cycles += made.run().cycles();
            t.seconds += (System.nanoTime() - begun) * 1e-9;
            made.run().difference().ifPresent(d -> {
                t.wrong++;
                t.reasons.merge("WRONG: " + d + " in " + c.text(), 1, Integer::sum);
            });
        } catch (NotBuildable e) {
            t.refuse(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fault(t, e, c.text());
        }
    }

    private static Map<String, Supplier<DirectiveSpace>> spaces(Job job) {
        var all = new LinkedHashMap<String, Supplier<DirectiveSpace>>();
        job.samples()
                .ifPresent(s -> SamplesBench.projects(s)
                        .forEach(f -> all.put(f.getFileName().toString(), () -> sample(f, job))));
        job.sources()
                .ifPresent(s -> sources(s).forEach(f -> all.put(s.relativize(f).toString(), () -> space(f, job))));
        return all;
    }

    private static DirectiveSpace sample(Path folder, Job job) {
        try (Project project = Project.open(folder)) {
            return HlsWorkbench.open(project, project.file().both(), job.tools())
                    .directives();
        }
    }

    private static DirectiveSpace space(Path file, Job job) {
        return job.tools()
                .spaces()
                .build(
                        job.tools().reader().read(file, KernelReader.Options.defaults()),
                        Optional.empty(),
                        Optional.empty(),
                        Pruning.HARD);
    }

    private static List<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            return files.filter(f -> SourceEndings.isSourceOrHeader(f)
                            && f.getFileName().toString().matches(".*\\.(c|cc|cpp)")
                            && !f.getFileName()
                                    .toString()
                                    .matches(".*(_tb|test|local_support|generate|harness|support).*"))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        } catch (IOException e) {
            throw new UserError("Cannot read " + folder + ": " + e.getMessage() + ".", e);
        }
    }
}
