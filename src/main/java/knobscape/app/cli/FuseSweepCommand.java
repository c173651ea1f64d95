package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.StripWork;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripSearch;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.search.strip.StripSweep.Axis;
import knobscape.fusion.source.ByteSize;
import knobscape.network.source.NetworkNames;
import knobscape.project.Folders;
import knobscape.project.NumberFormats;
import knobscape.work.WorkLocation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape fuse sweep`: exact answers over a range of buffers, bandwidths, batches or arrays.
@Command(
        name = "sweep",
        description =
                "Exact answers over a range of buffers, bandwidths, batches or arrays, with the knee and what a little more brings.")
final class FuseSweepCommand extends Verb {
    private static final double MICRO = 1e6;
    private static final double MEGA = 1e6;
    private static final List<Double> FACTORS = List.of(0.25, 0.35, 0.5, 0.71, 1.0, 1.41, 2.0, 2.83, 4.0, 5.66, 8.0);
    private static final List<Double> BATCHES = List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0);

    private static final ParameterOptions OPTIONS = new ParameterOptions(knobscape.work.parameter.Parameters.of(
            FusionSettings.ACCELERATOR, FusionSettings.BUFFER, FusionSettings.BATCH, FusionSettings.DIMS));

    @Parameters(arity = "1..*", paramLabel = "NETWORK", description = "ONNX, JSON or CSV files, or built-in networks.")
    private List<String> networks = List.of();

    @Option(
            names = "--over",
            paramLabel = "NAME",
            description = "buffer (the default), bandwidth, batch or array is varied.")
    private Axis axis = Axis.BUFFER;

    @Option(
            names = "--values",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Values: sizes such as 256KiB,1MB for buffer, factors for bandwidth and array, counts for batch (default: a range that fits).")
    private List<String> values = List.of();

    @Option(
            names = "--objective",
            paramLabel = "NAME",
            description = "time (the default), traffic or energy is made least.")
    private Objective objective = Objective.TIME;

    private FuseSweepCommand(CommandContext context) {
        super(context);
    }

    /// The verb with the options of the settings that it takes.
    static CommandSpec of(CommandContext context) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new FuseSweepCommand(context));
        OPTIONS.addTo(spec, "What stays the same");
        return spec;
    }

    @Override
    public Integer call() {
        if (objective == Objective.ROOM) {
            throw new UserError(
                    "A sweep makes time, traffic or energy least; the least room is one answer: fuse --objective room.");
        }
        var cancel = new CancellationSignal();
        ObjectNode root = JsonMapper.builder().build().createObjectNode();
        var curves = root.putArray("curves");
        for (String name : networks) {
            StripWork work = open(name);
            work.notes().forEach(n -> err().println("Note: " + n));
            List<Double> range = values.isEmpty() ? range(work) : values();
            StripSweep.Curve curve =
                    StripSweep.over(work.graph(), work.machine(), work.batch(), objective, axis, range, cancel);
            Optional<String> little = StripSearch.solve(work.model(), objective, cancel)
                    .map(a -> StripSweep.sensitivities(work.graph(), work.machine(), work.batch(), a, cancel));
            ObjectNode json = StripReport.json(curve);
            little.ifPresent(l -> json.put("sensitivities", l));
            json.put("accelerator", work.accelerator().name()).put("batch", work.batch());
            curves.add(json);
            if (!isJson()) {
                print(work, curve, little);
            }
        }
        if (isJson()) {
            print(root);
        }
        out().flush();
        err().flush();
        return 0;
    }

    /// Where a person is; nothing is stored.
    private record Here(Path folder) implements WorkLocation {
        @Override
        public boolean isScratch() {
            return true;
        }
    }

    private StripWork open(String name) {
        var bare = FusionArea.bare(NetworkNames.source(name, context().here()), Folders.userRuns());
        return usage(() -> {
            var given = OPTIONS.given(spec().commandLine().getParseResult());
            var s = new FusionSettings(ParameterOptions.apply(
                    given, bare.work().settings().values(), context().here()));
            return StripWork.open(new Here(context().here()), s);
        });
    }

    private List<Double> range(StripWork work) {
        return switch (axis) {
            case BUFFER ->
                StripSweep.buffers(
                        work.graph(),
                        work.machine(),
                        work.batch(),
                        work.accelerator().bufferBytes());
            case BANDWIDTH, ARRAY -> FACTORS;
            case BATCH -> BATCHES;
        };
    }

    private List<Double> values() {
        var all = new ArrayList<Double>();
        for (String v : values) {
            try {
                double number = axis == Axis.BUFFER ? ByteSize.parse(v) : Double.parseDouble(v);
                if (!(number > 0) || (axis == Axis.BATCH && number > FusionSettings.MAX_BATCH)) {
                    throw new IllegalArgumentException("'" + v + "' is out of range");
                }
                all.add(number);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec().commandLine(),
                        "--values: '" + v + "' is no value of " + axis.name().toLowerCase(Locale.ROOT)
                                + "; write sizes such as 1MB for buffer, else positive numbers.",
                        e);
            }
        }
        return all.stream().sorted().toList();
    }

    private void print(StripWork work, StripSweep.Curve curve, Optional<String> little) {
        out().println(curve.network() + ", accelerator " + work.accelerator().name() + ", batch " + work.batch());
        var table = new TextTable(
                ">" + axis.name().toLowerCase(Locale.ROOT),
                ">time (us)",
                ">speedup",
                ">off-chip (MB)",
                ">of least",
                ">groups",
                "");
        for (int i = 0; i < curve.points().size(); i++) {
            StripSweep.Point p = curve.points().get(i);
            String mark = i == curve.knee() ? "knee: nine tenths of the gain" : "";
            table.add(Stream.concat(
                            Stream.of(shown(p.value())),
                            p.answer()
                                    .map(a -> cells(a, mark))
                                    .orElseGet(() -> Stream.of("-", "-", "-", "-", "-", "nothing fits")))
                    .toList());
        }
        out().print(table.text());
        little.ifPresent(
                l -> out().println("At " + ByteSize.shown(work.accelerator().bufferBytes()) + ", a little more: " + l));
    }

    private static Stream<String> cells(StripAnswer a, String mark) {
        return Stream.of(
                NumberFormats.shortest(a.total().seconds() * MICRO),
                String.format(Locale.ROOT, "%.2f", a.speedup()),
                NumberFormats.shortest(a.total().offChip() / MEGA),
                String.format(Locale.ROOT, "%.2f", a.trafficOverBound()),
                "" + a.groups().size(),
                mark);
    }

    private String shown(double value) {
        return axis == Axis.BUFFER ? ByteSize.shown(value) : NumberFormats.shortest(value);
    }
}
