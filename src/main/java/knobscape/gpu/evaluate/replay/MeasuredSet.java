package knobscape.gpu.evaluate.replay;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import knobscape.evaluate.replay.KernelTunerFile;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// A file of measured kernels as a device: its own knobs, its own failures, its own wall-clock time.
///
/// Knobs are the columns before the first result column; `tile_x_0, tile_x_1, ..` together are one knob, a
/// split. Failures are outcomes like any other. The cost of an answer is what the file says it took
/// (`compile_ms` + `bench_ms`, `all_cost_s`, `launch_overhead_ms`); where it says nothing, a second for
/// compiling plus the launches measured. A configuration that is measured twice counts as it was first.
public final class MeasuredSet {
    /// Most rows accepted.
    private static final int MOST_ROWS = 2_000_000;
    /// Columns that end the knobs.
    private static final Set<String> RESULTS = Set.of("status", "time_ms", "run1_ms", "n_measured", "first_seen");
    /// Columns that number rows.
    private static final Set<String> NUMBERING = Set.of("order", "index");
    private static final double COMPILE_SECONDS = 1;
    private static final Fidelity RUN = new Fidelity("run", 0);

    private final String name;
    private final String device;
    private final SetKind kind;
    private final OptionalLong flops;
    private final FiniteSpace space;
    private final Map<Configuration, Integer> rowOf;
    private final double[] milliseconds;
    private final double[] seconds;
    private final String[] failure;
    private final int repeated;

    private MeasuredSet(Path file, String device, SetKind kind, Rows rows, KnobSet knobs) {
        this.name = nameOf(file);
        this.device = device;
        this.kind = kind;
        this.flops = kind.flopsOf(stem(file));
        this.rowOf = rows.rowOf;
        this.milliseconds = rows.milliseconds;
        this.seconds = rows.seconds;
        this.failure = rows.failure;
        this.repeated = rows.repeated;
        this.space = new FiniteSpace(knobs, rowOf.keySet());
    }

    /// Reads a file: `.csv`, or a `.json` file of Kernel Tuner ([KernelTunerFile]), both also packed (`.gz`). Throws
    /// [UserError]
    /// with file and line for whatever is wrong with it.
    public static MeasuredSet open(Path file) {
        if (file.getFileName().toString().matches(".*\\.json(\\.gz)?")) {
            KernelTunerFile read = KernelTunerFile.read(file);
            return open(
                    file,
                    read.device().isEmpty() ? stem(file).replaceFirst("_.*", "") : read.device(),
                    SetKind.ofKernel(read.kernel().isEmpty() ? stem(file) : read.kernel()),
                    read.table());
        }
        CsvTable table = CsvTable.read(file);
        SetKind kind = SetKind.of(table.header())
                .orElseThrow(() -> new UserError(file
                        + ": line 1: no column 'time_ms' (or 'run1_ms') is there, so this is no file"
                        + " of measured kernels."));
        return open(file, stem(file).replaceFirst("_.*", ""), kind, table);
    }

    /// The measurements of a kernel among those of a file.
    ///
    /// @param kernel what it is called
    /// @param table its knobs, then its results
    public static MeasuredSet of(Path file, String device, String kernel, CsvTable table) {
        return open(file, device, SetKind.ofKernel(kernel), table);
    }

    private static MeasuredSet open(Path file, String device, SetKind kind, CsvTable table) {
        if (table.rowCount() == 0 || table.rowCount() > MOST_ROWS) {
            throw new UserError(
                    file + " has " + table.rowCount() + " rows; between 1 and " + MOST_ROWS + " are accepted.");
        }
        List<Column> columns = columns(table, kind);
        if (columns.isEmpty()) {
            throw new UserError(file + ": line 1: there is no column of a knob before the results.");
        }
        KnobSet knobs = new KnobSet(
                columns.stream().map(c -> new Knob(c.name, c.domain)).toList());
        return new MeasuredSet(file, device, kind, new Rows(table, knobs, columns), knobs);
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst("(\\.autotune)?\\.(csv|json)(\\.gz)?$", "");
    }

    private static String nameOf(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        return (folder == null || folder.getFileName() == null ? "" : folder.getFileName() + "/") + stem(file);
    }

    /// A knob and where its value stands.
    private record Column(String name, int[] places, Domain domain, Map<String, Integer> levels) {
        static String text(CsvTable table, int row, int[] places) {
            if (places.length == 1) {
                String cell = table.cell(row, places[0]);
                return cell.isEmpty() ? "none" : cell;
            }
            var b = new StringBuilder();
            for (int place : places) {
                String cell = table.cell(row, place);
                if (!cell.isEmpty()) {
                    b.append(b.isEmpty() ? "" : "x").append(cell);
                }
            }
            return b.isEmpty() ? "none" : b.toString();
        }
    }

    private static List<Column> columns(CsvTable table, SetKind kind) {
        var groups = new LinkedHashMap<String, List<Integer>>();
        for (int c = 0; c < table.header().size(); c++) {
            String heading = table.header().get(c);
            if (RESULTS.contains(heading)) {
                break;
            }
            if (!NUMBERING.contains(heading)) {
                boolean part = kind.splits() && heading.matches("[A-Za-z][A-Za-z0-9_]*_\\d");
                groups.computeIfAbsent(part ? heading.replaceFirst("_\\d$", "") : heading, k -> new ArrayList<>())
                        .add(c);
            }
        }
        var columns = new ArrayList<Column>();
        groups.forEach((name, list) -> {
            int[] places = list.stream().mapToInt(Integer::intValue).toArray();
            var texts = new LinkedHashMap<String, Integer>();
            String last = "";
            for (int r = 0; r < table.rowCount(); r++) {
                String text = Column.text(table, r, places);
                // Equal cells are one object in the table, and most are equal to the one above.
                if (text != last) {
                    texts.putIfAbsent(text, 0);
                    last = text;
                }
            }
            Domain domain = domain(texts.keySet());
            for (int level = 0; level < domain.size(); level++) {
                texts.put(domain.label(level), level);
            }
            columns.add(new Column(name, places, domain, texts));
        });
        return columns;
    }

    private static Domain domain(Set<String> texts) {
        if (texts.stream().allMatch(t -> t.matches("0|[1-9]\\d{0,8}"))) {
            var values = new TreeSet<Integer>();
            texts.forEach(t -> values.add(Integer.parseInt(t)));
            return new Domain.Factors(List.copyOf(values));
        }
        return new Domain.Categories(texts.stream().sorted().toList());
    }

    /// The results, row by row.
    private static final class Rows {
        private final Map<Configuration, Integer> rowOf;
        private final double[] milliseconds;
        private final double[] seconds;
        private final String[] failure;
        private int repeated;

        Rows(CsvTable table, KnobSet knobs, List<Column> columns) {
            int n = table.rowCount();
            rowOf = LinkedHashMap.newLinkedHashMap(n);
            milliseconds = new double[n];
            seconds = new double[n];
            failure = new String[n];
            int status = table.column("status").orElse(-1);
            int[] times = table.column("time_ms").isPresent()
                    ? new int[] {table.column("time_ms").getAsInt()}
                    : table.header().stream()
                            .filter(h -> h.matches("run\\d_ms"))
                            .mapToInt(h -> table.column(h).orElseThrow())
                            .toArray();
            int[] costs = List.of("compile_ms", "bench_ms", "launch_overhead_ms", "all_cost_s").stream()
                    .mapToInt(h -> table.column(h).orElse(-1))
                    .toArray();
            int runs = table.column("runs").orElse(-1);
            int[] levels = new int[columns.size()];
            String[] above = new String[levels.length];
            for (int r = 0; r < n; r++) {
                for (int k = 0; k < levels.length; k++) {
                    String text = Column.text(table, r, columns.get(k).places);
                    if (text != above[k]) {
                        levels[k] = requireNonNull(columns.get(k).levels.get(text));
                        above[k] = text;
                    }
                }
                if (rowOf.putIfAbsent(Configuration.of(knobs, levels), r) != null) {
                    repeated++;
                    continue;
                }
                failure[r] = status < 0 || table.cell(r, status).equals("ok") ? "" : words(table.cell(r, status));
                if (failure[r].isEmpty()) {
                    double sum = 0;
                    for (int t : times) {
                        sum += positive(table, r, t);
                    }
                    milliseconds[r] = sum / times.length;
                }
                double known = number(table, r, costs[0]) / 1000
                        + number(table, r, costs[1]) / 1000
                        + number(table, r, costs[2]) / 1000
                        + number(table, r, costs[3]);
                double launches = runs < 0 ? times.length : number(table, r, runs);
                seconds[r] = known > 0 ? known : COMPILE_SECONDS + (launches + 1) * milliseconds[r] / 1000;
            }
        }

        private static String words(String status) {
            return status.isBlank() ? "no result" : status.replace('_', ' ');
        }

        private static double number(CsvTable table, int row, int column) {
            if (column < 0 || table.cell(row, column).isEmpty()) {
                return 0;
            }
            try {
                double v = Double.parseDouble(table.cell(row, column));
                return Double.isFinite(v) && v >= 0 ? v : 0;
            } catch (NumberFormatException e) {
                throw new UserError(
                        table.file() + ":" + table.line(row) + ": '" + table.cell(row, column) + "' in column '"
                                + table.header().get(column) + "' is not a number.",
                        e);
            }
        }

        private static double positive(CsvTable table, int row, int column) {
            double v = number(table, row, column);
            if (v <= 0) {
                throw new UserError(
                        table.file() + ":" + table.line(row) + ": a kernel that ran needs a positive time in column '"
                                + table.header().get(column) + "', not '" + table.cell(row, column) + "'.");
            }
            return v;
        }
    }

    /// Folder and file, for example `gemm_clblast/TitanRTX`.
    public String name() {
        return name;
    }

    /// The device's name as the file is called.
    public String device() {
        return device;
    }

    /// Its family.
    public SetKind kind() {
        return kind;
    }

    /// Floating-point operations of one call, where they are known.
    public OptionalLong flops() {
        return flops;
    }

    /// The configurations in the file.
    public FiniteSpace space() {
        return space;
    }

    /// Rows left out because an earlier row has the same knobs.
    public int repeated() {
        return repeated;
    }

    /// Measured time in milliseconds, NaN for a failure and for what is not in the file.
    public double milliseconds(Configuration configuration) {
        Integer row = rowOf.get(configuration);
        return row == null || !failure[row].isEmpty() ? Double.NaN : milliseconds[row];
    }

    /// The metric to maximise for a time: GFLOPS, or calls per second where operations are not counted.
    public double speed(double timeMilliseconds) {
        return flops.isPresent() ? flops.getAsLong() / (timeMilliseconds * 1e6) : 1000 / timeMilliseconds;
    }

    /// The best value of the metric in the file.
    public double bestSpeed() {
        return rowOf.keySet().stream()
                .mapToDouble(this::milliseconds)
                .filter(t -> !Double.isNaN(t))
                .map(this::speed)
                .max()
                .orElse(Double.NaN);
    }

    /// An evaluator that answers from the file at once.
    public Evaluator evaluator() {
        return new Oracle();
    }

    private final class Oracle implements Evaluator {
        private final EvaluatorInfo info;
        private final Provenance provenance =
                new Provenance(EvaluatorKind.REPLAY.with(name), kind.name(), 0, Provenance.Source.REPLAYED);
        private final String metric = flops.isPresent() ? "gflops" : "rate";

        Oracle() {
            var reported = new HashMap<String, Set<String>>();
            reported.put(RUN.name(), Set.of(metric, "time"));
            var speed = flops.isPresent()
                    ? new Metric("gflops", "GFLOPS", "", Metric.Direction.MAXIMISE, Double.NaN)
                    : new Metric("rate", "Calls per second", "1/s", Metric.Direction.MAXIMISE, Double.NaN);
            info = new EvaluatorInfo(
                            EvaluatorKind.REPLAY.with(name),
                            "measured kernels (" + kind.description() + "), replayed",
                            Provenance.Source.REPLAYED,
                            List.of(RUN),
                            List.of(speed, new Metric("time", "Time", "ms", Metric.Direction.MINIMISE, Double.NaN)),
                            reported,
                            List.of(metric),
                            Map.of(
                                    RUN.name(),
                                    java.util.Arrays.stream(seconds).average().orElse(1)))
                    .simulated();
        }

        @Override
        public EvaluatorInfo info() {
            return info;
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            cancel.throwIfCancelled();
            Integer row = rowOf.get(request.configuration());
            Outcome outcome;
            if (row == null) {
                outcome = new Outcome.Failure(
                        FailureKind.REJECTED,
                        kind.exhaustive() ? "it violates the constraints of the space" : "it was not measured");
            } else {
                outcome = !failure[row].isEmpty()
                        ? new Outcome.Failure(FailureKind.REJECTED, failure[row])
                        : new Outcome.Measured(Map.of(metric, speed(milliseconds[row]), "time", milliseconds[row]));
            }
            stageDone.accept(
                    new Evaluation(request.configuration(), RUN, outcome, row == null ? 0 : seconds[row], provenance));
        }
    }
}
