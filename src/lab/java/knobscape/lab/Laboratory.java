package knobscape.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import knobscape.app.cli.Main;
import knobscape.app.cli.TextTable;
import knobscape.app.system.Installation;
import knobscape.app.system.TemporaryFolder;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.lab.bench.Bench;
import knobscape.lab.bench.BenchReport;
import knobscape.lab.bench.Benches;
import knobscape.lab.bench.LabMethods;
import knobscape.lab.bench.ResultsFolder;
import knobscape.lab.window.LabWindow;
import knobscape.project.Folders;
import knobscape.project.NumberFormats;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/// The laboratory's command line, `src/lab/run NAME`: a published table that the program repeats by itself.
@Command(
        name = "src/lab/run",
        description =
                "Repeat a table: run what is missing of it and print it with its aims. An interrupted bench resumes where it was.")
public final class Laboratory implements Callable<Integer> {
    private static final int PATIENCE_SECONDS = 30;
    private static final int FAILED = 1;
    private static final String ALL = "all";

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one, or all; without it, all are listed.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--window", description = "Choose, run and look at tables in a window.")
    private boolean window;

    @Option(names = "--json", description = "Print one JSON document on standard output and nothing else.")
    private boolean json;

    @Option(names = "--quick", description = "End within some ten minutes on two cores.")
    private boolean quick;

    @Option(names = "--finished", description = "Run nothing: the table of the trials that are finished in --out.")
    private boolean finished;

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

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Write the table there too, and the page of all tables in it anew (src/lab/results).")
    private Optional<Path> results = Optional.empty();

    private final Path here;

    private Laboratory(Path here) {
        this.here = here;
    }

    /// @param arguments the words after `src/lab/run`
    public static void main(String[] arguments) {
        TemporaryFolder.use();
        System.exit(commandLine(Path.of("").toAbsolutePath()).execute(arguments));
    }

    /// The command line.
    ///
    /// @param here where it was started
    static CommandLine commandLine(Path here) {
        return Main.withReports(new CommandLine(new Laboratory(here)));
    }

    @Override
    public Integer call() {
        if (window) {
            LabWindow.open();
            return 0;
        }
        if (name.isEmpty()) {
            Benches.all().forEach(b -> print(b.name() + "  " + b.description()));
            return 0;
        }
        if (seeds.isPresent() && seeds.get() < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must be at least 1, not " + seeds.get() + ".");
        }
        if (quick && finished) {
            throw new ParameterException(
                    spec.commandLine(), "--quick runs less and --finished runs nothing: give one of them.");
        }
        List<Bench> benches;
        try {
            benches = name.get().equals(ALL) ? Benches.all() : List.of(Benches.named(name.get()));
        } catch (UserError e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        var cancel = new CancellationSignal();
        var ended = new CountDownLatch(1);
        var hook = Thread.ofPlatform().unstarted(() -> {
            cancel.cancel();
            try {
                if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    // Native code that is still training must not be taken down piece by piece under its own
                    // feet; what is finished is on disk.
                    Runtime.getRuntime().halt(FAILED);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int failed = 0;
            for (Bench bench : benches) {
                try {
                    run(bench, cancel);
                } catch (UserError e) {
                    if (benches.size() == 1) {
                        throw e;
                    }
                    // Of all tables, those whose data are not at hand are left out.
                    progress(bench.name() + ": " + e.getMessage());
                    failed++;
                }
            }
            return failed < benches.size() ? 0 : FAILED;
        } catch (CancellationException e) {
            progress("Stopped; the same command resumes with what is missing.");
            return FAILED;
        } finally {
            ended.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                progress("Ending.");
            }
        }
    }

    private void run(Bench bench, CancellationSignal cancel) {
        Path folder =
                Folders.writable(here.resolve(out.map(o -> name.equals(Optional.of(ALL)) ? o.resolve(bench.name()) : o)
                                .orElse(Path.of("bench-" + bench.name())))
                        .normalize());
        BenchReport report = Benches.run(
                bench,
                new Bench.Job(
                        LabMethods.tools(),
                        Installation.samples(),
                        data.map(here::resolve),
                        folder,
                        finished ? Bench.Extent.FINISHED : quick ? Bench.Extent.QUICK : Bench.Extent.WHOLE,
                        seeds,
                        firstSeed,
                        this::progress,
                        cancel,
                        sources.map(here::resolve),
                        methods));
        results.ifPresent(r -> ResultsFolder.add(Folders.writable(here.resolve(r)), report, command(bench)));
        if (json) {
            print(JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report.json()));
        } else {
            print(text(report) + "Files: " + folder);
        }
    }

    /// The command that makes a table, without folders of this machine.
    private String command(Bench bench) {
        return "src/lab/run " + bench.name() + (quick ? " --quick" : "") + (finished ? " --finished" : "")
                + seeds.map(n -> " --seeds " + n).orElse("")
                + (firstSeed == 1 ? "" : " --seed " + firstSeed)
                + (methods.isEmpty() ? "" : " --methods " + String.join(",", methods))
                + data.map(_ -> " --data DIR").orElse("")
                + sources.map(_ -> " --sources DIR").orElse("");
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }

    private synchronized void progress(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    private static String text(BenchReport report) {
        var headings = new ArrayList<String>();
        for (int i = 0; i < report.columns().size(); i++) {
            headings.add(
                    (report.isNumeric(i) ? ">" : "") + report.columns().get(i).heading());
        }
        var table = new TextTable(headings);
        report.rows()
                .forEach(r -> table.add(r.stream().map(BenchReport.Cell::shown).toList()));
        var aims = new TextTable("aim", ">value", "target", "met");
        report.aims()
                .forEach(
                        a -> aims.add(a.name(), NumberFormats.shortest(a.value()), a.target(), a.met() ? "yes" : "no"));
        return report.title() + "\n\n" + table.text() + "\n" + aims.text() + String.join("\n", report.notes()) + "\n";
    }
}
