package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import knobscape.app.system.Installation;
import knobscape.bench.Bench;
import knobscape.bench.BenchReport;
import knobscape.bench.Benches;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.project.Folders;
import knobscape.project.Numbers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `knobscape bench`: a table that the program repeats by itself.
@Command(
        name = "bench",
        description =
                "Repeat a table: run what is missing of it and print it with its aims. An interrupted bench resumes where it was.")
final class BenchCommand extends Verb {
    private static final int PATIENCE_SECONDS = 30;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one; without it, all are listed.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--quick", description = "End within some ten minutes on two cores.")
    private boolean quick;

    @Option(names = "--seeds", paramLabel = "N", description = "Repetitions.")
    private Optional<Integer> seeds = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the first repetition (default: 1).")
    private long firstSeed = 1;

    @Option(
            names = "--methods",
            paramLabel = "NAMES",
            split = ",",
            description =
                    "Methods to compare, with commas between them (default: all that the bench has; hls-tables, dgp and gtuner can choose).")
    private List<String> methods = List.of();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of measured designs, for the benches that need it.")
    private Optional<Path> data = Optional.empty();

    @Option(
            names = "--sources",
            paramLabel = "DIR",
            description =
                    "Folder of checkouts of MachSuite and PolyBench/C: sources that measured designs belong to, and further kernels to estimate, for the benches that can use them.")
    private Optional<Path> sources = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the table and for what is kept between runs (default: bench-NAME).")
    private Optional<Path> out = Optional.empty();

    BenchCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (name.isEmpty()) {
            Benches.all().forEach(b -> out().println(b.name() + "  " + b.description()));
            out().flush();
            return 0;
        }
        if (seeds.isPresent() && seeds.get() < 1) {
            throw new ParameterException(spec().commandLine(), "--seeds must be at least 1, not " + seeds.get() + ".");
        }
        Bench bench;
        try {
            bench = Benches.named(name.get());
        } catch (UserError e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
        Path folder = Folders.writable(context()
                .here()
                .resolve(out.orElse(Path.of("bench-" + bench.name())))
                .normalize());
        var cancel = new CancellationSignal();
        var said = new CountDownLatch(1);
        var hook = Thread.ofPlatform().unstarted(() -> {
            cancel.cancel();
            try {
                if (!said.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    // Native code that is still training must not be taken down piece by piece under its own
                    // feet; what is finished is on disk.
                    Runtime.getRuntime().halt(Problems.WORK_FAILED);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            BenchReport report = Benches.run(
                    bench,
                    new Bench.Job(
                            context().tools().get(),
                            Installation.samples(),
                            data.map(d -> context().here().resolve(d)),
                            folder,
                            quick,
                            seeds,
                            firstSeed,
                            this::progress,
                            cancel,
                            sources.map(s -> context().here().resolve(s)),
                            methods));
            if (isJson()) {
                print(report.json());
            } else {
                print(report);
                out().println("Files: " + folder);
            }
            out().flush();
            return 0;
        } catch (CancellationException e) {
            progress("Stopped; the same command resumes with what is missing.");
            return Problems.WORK_FAILED;
        } finally {
            said.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                progress("Ending.");
            }
        }
    }

    private synchronized void progress(String line) {
        err().println(line);
        err().flush();
    }

    private void print(BenchReport report) {
        out().println(report.title());
        out().println();
        var headings = new ArrayList<String>();
        for (int i = 0; i < report.columns().size(); i++) {
            headings.add(
                    (report.isNumeric(i) ? ">" : "") + report.columns().get(i).heading());
        }
        var table = new TextTable(headings);
        report.rows()
                .forEach(r -> table.add(r.stream().map(BenchReport.Cell::shown).toList()));
        out().print(table.text());
        out().println();
        var aims = new TextTable("aim", ">value", "target", "met");
        report.aims().forEach(a -> aims.add(a.name(), Numbers.shortest(a.value()), a.target(), a.met() ? "yes" : "no"));
        out().print(aims.text());
        report.notes().forEach(n -> out().println(n));
    }
}
