package knobscape.app.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.gpu.search.TaskSearch;
import knobscape.project.Folders;
import knobscape.network.source.NetworkNames;
import knobscape.project.Numbers;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunStatus;
import knobscape.project.tune.TuneSettings;
import knobscape.project.tune.TuningFiles;
import knobscape.project.tune.TuningLog;
import knobscape.project.tune.TuningRun;
import knobscape.project.tune.TuningStore;
import knobscape.project.tune.TuningTarget;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `knobscape tune`: the kernels of a network made fast on a device.
@Command(name = "tune", description = "Tune the kernels of a network on a device and print the best of each. Ctrl-C stops; a stopped or killed run can be resumed.")
final class TuneCommand extends Verb {
    private static final Pattern NUMBERED = Pattern.compile("(.+):(\\d{1,18})");
    private static final long REWRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SPARSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Parameters(arity = "0..1", paramLabel = "NETWORK", description = "An .onnx, .json or .csv file, a built-in network (resnet18) or a project folder; none with --device replay:FILE.")
    private Optional<String> network = Optional.empty();

    @Option(names = "--resume", paramLabel = "RUN", description = "Go on with a stored run: FOLDER:NUMBER, or FOLDER for its newest.")
    private Optional<String> resume = Optional.empty();

    @Option(names = "--method", paramLabel = "NAME", description = "autotvm, bted, bted+bao, ga, random or grid (default: the project's, else bted+bao).")
    private Optional<String> method = Optional.empty();

    @Option(names = "--device", paramLabel = "NAME", description = "model:NAME (model:gtx1080ti and others), replay:FILE, opencl or cuda (opencl:N, cuda:N for the Nth, counted from 0) (default: the project's, else model:gtx1080ti).")
    private Optional<String> device = Optional.empty();

    @Option(names = "--trials", paramLabel = "N", description = "Measurements in all (default: 256 per kernel).")
    private Optional<Integer> trials = Optional.empty();

    @Option(names = "--minutes", paramLabel = "N", description = "Most time of this start (default: no limit).")
    private Optional<Double> minutes = Optional.empty();

    @Option(names = "--early-stop", paramLabel = "N", description = "A kernel is done after N measurements without a new best; 0 never (default: 400).")
    private Optional<Integer> earlyStop = Optional.empty();

    @Option(names = "--batch", paramLabel = "N", description = "Inputs per run of the network (default: 1).")
    private Optional<Integer> batch = Optional.empty();

    @Option(names = "--dim", paramLabel = "NAME=N", description = "An extent that the ONNX file leaves open, by its name or as INPUT:AXIS; may be repeated.")
    private Map<String, Long> dims = new LinkedHashMap<>();

    @Option(names = "--all-templates", description = "Tune every template of a kernel (direct and Winograd), not only the first.")
    private boolean allTemplates;

    @Option(names = "--bare", description = "Measure kernels without what the network fuses behind them (bias, ReLU, residual).")
    private boolean bare;

    @Option(names = "--features", paramLabel = "NAME", description = "What cost models see: knob, itervar or curve (default: knob).")
    private Optional<String> features = Optional.empty();

    @Option(names = "--import", paramLabel = "FILE", description = "An AutoTVM log of the same device: what it has of the network's kernels is known before the search begins, and not counted.")
    private Optional<Path> log = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of everything random (default: 1).")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the runs, tuning.json and log.jsonl (default: the project, else NETWORK.knobscape beside the file, or here).")
    private Optional<Path> out = Optional.empty();

    TuneCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (resume.isPresent()) {
            return goOn(resume.get());
        }
        Optional<Project> project = project();
        if (network.isEmpty() && device.filter(d -> d.startsWith("replay:")).isEmpty()) {
            throw new ParameterException(spec().commandLine(), "Name a network (a file or a built-in one), a project, a measured set with --device replay:FILE, or a run with --resume.");
        }
        String source = project.isPresent() || network.isEmpty() ? "" : NetworkNames.source(network.get(), context().here());
        TuneSettings settings = usage(() -> given(project.map(p -> TuneSettings.of(p, out.isPresent() || p.isScratch())).orElseGet(() -> TuneSettings.defaults(source))));
        usage(() -> TuningRun.method(settings.method()));
        Path here = project.map(Project::folder).orElse(context().here());
        try (TuningTarget target = TuningTarget.open(settings, here)) {
            Optional<TuningLog.Matched> known = log.map(l -> TuningLog.match(context().here().resolve(l).normalize(), target));
            Path folder = Folders.writable(context().here().resolve(out.orElseGet(() -> project.map(Project::runsFolder).orElseGet(() -> usual(settings)))).normalize());
            target.notes().forEach(n -> err().println("Note: " + n));
            known.ifPresent(k -> err().println("Known before: " + k.words() + ". " + k.rest()
                    + (settings.tails() ? " They are taken as of bare kernels; --bare compares like with like." : "")));
            try (TuningStore store = new TuningStore(folder)) {
                return tune(TuningRun.start(settings, target, store, Clock.systemUTC(), System::nanoTime, known), store, folder);
            }
        }
    }

    private Optional<Project> project() {
        try {
            return network.filter(n -> !n.startsWith("zoo:")).map(context().here()::resolve).filter(p -> Files.isDirectory(p) || p.endsWith(ProjectFile.FILE_NAME))
                    .map(p -> Project.open(p.normalize(), out.map(context().here()::resolve)));
        } catch (java.nio.file.InvalidPathException e) {
            throw new UserError("'" + network.orElse("") + "' is not the name of a file.", e);
        }
    }

    /// Settings with what the options say; a file named by an option is looked for where the person is.
    private TuneSettings given(TuneSettings d) {
        String on = device.map(x -> x.startsWith("replay:") ? "replay:" + context().here().resolve(x.substring("replay:".length())).normalize() : x).orElse(d.device());
        return new TuneSettings(d.network(), method.orElse(d.method()), on, trials.orElse(d.trials()), minutes.orElse(d.minutes()), earlyStop.orElse(d.earlyStop()), batch.orElse(d.batch()),
                allTemplates || d.allTemplates(), features.orElse(d.features()), seed.orElse(d.seed()), !bare && d.tails(), dims.isEmpty() ? d.dims() : dims);
    }

    private int goOn(String text) throws InterruptedException {
        if (network.isPresent() || method.isPresent() || device.isPresent() || seed.isPresent() || batch.isPresent() || features.isPresent() || out.isPresent() || log.isPresent() || !dims.isEmpty() || allTemplates || bare) {
            throw new ParameterException(spec().commandLine(), "With --resume only --trials, --minutes and --early-stop can be given: a run goes on as it began.");
        }
        var numbered = NUMBERED.matcher(text);
        boolean has = !Files.isDirectory(context().here().resolve(text)) && numbered.matches();
        Path folder = context().here().resolve(has ? numbered.group(1) : text).normalize();
        if (!Files.isRegularFile(folder.resolve(TuningStore.FILE_NAME))) {
            throw new UserError(folder + " has no tuning runs; name the folder that was given with --out.");
        }
        try (TuningStore store = new TuningStore(folder)) {
            TuningStore.Tuning tuning = store.find(has ? Optional.of(Long.valueOf(numbered.group(2))) : Optional.empty());
            TuneSettings settings = usage(() -> tuning.settings().withBudget(trials.orElse(tuning.settings().trials()), minutes.orElse(tuning.settings().minutes()),
                    earlyStop.orElse(tuning.settings().earlyStop())));
            Path here = Files.isRegularFile(folder.resolve(ProjectFile.FILE_NAME)) ? folder : context().here();
            try (TuningTarget target = TuningTarget.open(settings, here)) {
                return tune(TuningRun.resume(tuning, settings, target, store, Clock.systemUTC(), System::nanoTime), store, folder);
            }
        }
    }

    private static Path usual(TuneSettings settings) {
        String name = settings.network().isEmpty() ? settings.device().substring("replay:".length()) : settings.network().replaceFirst("^zoo:", "");
        Path path = Path.of(name);
        String stem = path.getFileName().toString().replaceFirst("\\.(onnx|json|csv(\\.gz)?)$", "");
        Path folder = Path.of(stem + ".knobscape");
        return settings.network().isEmpty() || path.getParent() == null ? folder : path.getParent().resolve(folder);
    }

    private <T> T usage(Supplier<T> check) {
        try {
            return check.get();
        } catch (IllegalArgumentException | UserError e) {
            throw new ParameterException(spec().commandLine(), Character.toUpperCase(e.getMessage().charAt(0)) + e.getMessage().substring(1));
        }
    }

    private int tune(TuningRun run, TuningStore store, Path folder) throws InterruptedException {
        err().println("Tuning " + run.target().kernels().size() + " kernels of " + run.target().name() + " with " + run.settings().method() + ", seed " + run.settings().seed()
                + ": at most " + run.budget() + " measurements on " + run.settings().device() + run.target().hardware().map(h -> ", " + h).orElse("") + " ("
                + run.target().kernels().getFirst().evaluator().info().source().words() + ")" + (run.trials() == 0 ? "" : "; going on after " + run.trials()) + ".");
        err().flush();
        var cancel = new CancellationSignal();
        return Stoppable.guard(cancel::cancel, () -> report(run, run.run(cancel, new Printer()), store, folder));
    }

    /// One line that is rewritten where a person watches, else a line now and then.
    private final class Printer implements TuningRun.Watcher {
        private long printed = Long.MIN_VALUE;

        @Override
        public void measured(TuningTarget.Kernel kernel, TaskSearch.Answer answer, TuningRun.Progress p) {
            long now = System.nanoTime();
            boolean live = context().interactive();
            if (printed != Long.MIN_VALUE && now - printed < (live ? REWRITE_NANOS : SPARSE_NANOS)) {
                return;
            }
            printed = now;
            String text = p.trials() + "/" + p.most() + "  " + kernel.task() + " " + kernel.tag() + " #" + answer.number() + String.format(Locale.ROOT, "  best %.1f", p.best())
                    + (Double.isNaN(p.latencyMilliseconds()) ? "" : String.format(Locale.ROOT, "  network %.4g ms", p.latencyMilliseconds()))
                    + (Double.isNaN(p.secondsLeft()) ? "" : "  left about " + Numbers.duration(p.secondsLeft()));
            if (live) {
                err().print("\r" + text + "    ");
            } else {
                err().println(text);
            }
            err().flush();
        }
    }

    private int report(TuningRun run, TuningRun.Ending end, TuningStore store, Path folder) {
        TuningFiles.write(run, end, store, folder);
        if (context().interactive()) {
            err().println();
        }
        err().println("Ended: " + end.reason() + ".");
        if (isJson()) {
            print(TuningFiles.json(run, end, folder));
        } else {
            table(run);
            out().println("Network: " + Numbers.shortest(run.latencyMilliseconds()) + " ms in its kernels (" + run.target().kernels().getFirst().evaluator().info().source().words() + ")");
            out().println("Files: " + folder + " (tuning.json, log.jsonl)");
            out().println("Run: " + folder + ":" + run.id());
            out().flush();
        }
        if (end.status() != RunStatus.COMPLETED) {
            err().println("To go on: knobscape tune --resume " + folder + ":" + run.id());
        }
        err().flush();
        return end.status() == RunStatus.FAILED ? Problems.WORK_FAILED : 0;
    }

    private void table(TuningRun run) {
        var table = new TextTable("task", "kernel", "fused behind", ">count", ">trials", ">GFLOPS", ">ms", "knobs");
        int untried = 0;
        for (int k = 0; k < run.searches().size(); k++) {
            TuningTarget.Kernel kernel = run.target().kernels().get(k);
            int trials = run.searches().get(k).trials();
            Optional<Evaluation> best = run.searches().get(k).best();
            String tail = kernel.tails().isEmpty() ? "" : kernel.tails().getFirst().epilogue().words();
            int count = kernel.tails().isEmpty() ? kernel.count() : kernel.tails().getFirst().count();
            table.add(kernel.task(), kernel.id(), tail, "" + count, "" + trials, value(best, "gflops"), value(best, "time"),
                    best.map(e -> e.configuration().text()).orElse(trials == 0 ? "not tried" : "nothing valid found"));
            for (int t = 1; t < kernel.tails().size() && best.isPresent(); t++) {
                Optional<Evaluation> other = run.withTail(k, t);
                String same = best.get().configuration().text();
                table.add("", "", kernel.tails().get(t).epilogue().words(), "" + kernel.tails().get(t).count(), "", value(other, "gflops"), value(other, "time"),
                        other.map(e -> e.configuration().text()).map(x -> x.equals(same) ? "the same" : x).orElse("not measured with this tail"));
            }
            untried += trials == 0 ? 1 : 0;
        }
        out().print(table.text());
        if (untried > 0) {
            out().println("Not tried: " + untried + " of " + run.searches().size() + " kernels; a measurement of each takes --trials " + run.searches().size() + " or more.");
        }
    }

    private static String value(Optional<Evaluation> e, String metric) {
        return Numbers.shortest(e.map(x -> x.value(metric).orElse(Double.NaN)).orElse(Double.NaN));
    }
}
