package knobscape.lab.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsSettings;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.CompiledKernel;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import knobscape.hls.evaluate.estimator.StageFigures;
import knobscape.hls.evaluate.estimator.ToolProfile;
import knobscape.hls.evaluate.estimator.TripBasis;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.ToolVersion;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.clang.ClangFront;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;

/// `src/lab/run estimator-pairs`: the estimate of public kernels as they stand against the vendor's own report beside
/// them
/// (`hls/pairs/pairs.csv`). Their sources are fetched by whoever runs it: a folder named like the pair below
/// `--sources`.
public final class EstimatorPairsBench implements Bench {
    private static final double NEAR = 1.5;
    private static final double FAIR = 2;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /// A figure of the report beside the estimate's.
    private record PairComparison(String pair, OptionalDouble said, double estimated) {
        double factor() {
            double s = said.orElse(Double.NaN);
            return Math.max(Math.max(s, 1) / Math.max(estimated, 1), Math.max(estimated, 1) / Math.max(s, 1));
        }

        boolean within(double times, double more) {
            return said.isPresent() && (factor() <= times || Math.abs(said.getAsDouble() - estimated) <= more);
        }
    }

    @Override
    public String name() {
        return "estimator-pairs";
    }

    @Override
    public String description() {
        return "The estimate of public kernels as they stand against the vendor's report beside them.";
    }

    @Override
    public BenchReport run(Job job) {
        Path data = job.requiredData();
        Path file = data.resolve("hls/pairs/pairs.csv");
        Path sources = job.sources()
                .orElseThrow(
                        () -> new UserError(
                                "The kernels' sources are needed: name the folder of the fetched repositories with --sources."));
        var rows = new ArrayList<List<Cell>>();
        var notes = new ArrayList<String>(List.of(
                "Factor: the larger of estimate and report over the smaller. Nothing was measured after synthesis."));
        var latency = new ArrayList<PairComparison>();
        var dsp = new ArrayList<PairComparison>();
        var bram = new ArrayList<PairComparison>();
        var lut = new ArrayList<PairComparison>();
        var ff = new ArrayList<PairComparison>();
        int[] intervals = new int[2];
        try (var front = new ClangFront(CompileLimits.defaults())) {
            for (Map<String, String> r : records(file)) {
                job.cancel().throwIfCancelled();
                String name = r.getOrDefault("name", "");
                Path source = sources.resolve(name).resolve(r.getOrDefault("source", ""));
                if (!Files.exists(source)) {
                    notes.add(name + ": " + r.getOrDefault("repository", "") + " at " + r.getOrDefault("commit", "")
                            + " is not at " + source + ".");
                    continue;
                }
                try {
                    var compiled = front.compile(source, KernelReader.Options.defaults(), job.cancel());
                    EstimateReport e = new CompiledKernel(
                                    compiled, Optional.of(r.getOrDefault("top", "")), job.cancel())
                            .asItStands(settings(r), job.cancel());
                    StageFigures f = e.stages().getFirst();
                    latency.add(compare(name, r, "latency_max", f.latencyCycles()));
                    dsp.add(compare(name, r, "dsp", f.dsp()));
                    bram.add(compare(name, r, "bram", f.bram()));
                    lut.add(compare(name, r, "lut", f.lut()));
                    ff.add(compare(name, r, "ff", f.ff()));
                    intervals(r.getOrDefault("initiation_interval", ""), e, intervals);
                    rows.add(BenchReport.row(
                            List.of(name),
                            number(r, "latency_max").orElse(Double.NaN),
                            f.latencyCycles(),
                            latency.getLast().factor(),
                            number(r, "dsp").orElse(Double.NaN),
                            f.dsp(),
                            number(r, "bram").orElse(Double.NaN),
                            f.bram(),
                            number(r, "lut").orElse(Double.NaN),
                            f.lut(),
                            number(r, "ff").orElse(Double.NaN),
                            f.ff()));
                } catch (UserError e) {
                    notes.add(name + ": " + e.getMessage());
                }
            }
        }
        var aims = List.of(
                Aim.atLeast("latency within 1.5x", count(latency, NEAR, 0), 9),
                Aim.atLeast("latency within 2x", count(latency, FAIR, 0), 10),
                Aim.atLeast("intervals that are equal, share", intervals[0] / (double) Math.max(1, intervals[1]), 0.9),
                Aim.atLeast("DSP within 1.5x or 2", count(dsp, NEAR, 2), 10),
                Aim.atLeast("BRAM within 1.5x or 2", count(bram, NEAR, 2), 8),
                Aim.atLeast("LUT within 2x", count(lut, FAIR, 0), 9),
                Aim.atLeast("FF within 2x", count(ff, FAIR, 0), 9));
        return new BenchReport(
                name(),
                "The estimate of public kernels as they stand against the vendor's reports.",
                Column.list(
                        "kernel", "kernel",
                        "toolLatency", "latency, report",
                        "latency", "latency",
                        "factor", "factor",
                        "toolDsp", "DSP, report",
                        "dsp", "DSP",
                        "toolBram", "BRAM, report",
                        "bram", "BRAM",
                        "toolLut", "LUT, report",
                        "lut", "LUT",
                        "toolFf", "FF, report",
                        "ff", "FF"),
                rows,
                aims,
                notes);
    }

    private static List<Map<String, String>> records(Path file) {
        try (MappingIterator<Map<String, String>> rows = CsvMapper.builder()
                .build()
                .readerForMapOf(String.class)
                .with(CsvSchema.emptySchema().withHeader())
                .readValues(file.toFile())) {
            return rows.readAll();
        } catch (JacksonException e) {
            throw new UserError("Cannot read " + file + ": " + e.getOriginalMessage() + ".", e);
        }
    }

    private static EstimatorSettings settings(Map<String, String> r) {
        ToolVersion version = ToolVersion.of(r.getOrDefault("tool", "").replaceFirst("\\D+(\\d+\\.\\d).*", "$1"));
        boolean vitis = version.dialect() == Dialect.VITIS_HLS;
        return EstimatorSettings.defaults()
                .withPart(Part.byName(r.getOrDefault("part", "")))
                .withClockNs(Double.parseDouble(r.getOrDefault("clock_ns", "")))
                .withProfile(vitis ? ToolProfile.VITIS_HLS_2022 : ToolProfile.VIVADO_HLS_2018)
                .withUnasked(HlsSettings.unasked(version))
                .withTripBasis(TripBasis.WORST);
    }

    private static OptionalDouble number(Map<String, String> r, String column) {
        String v = r.getOrDefault(column, "");
        return v.matches("\\d+(\\.\\d+)?") ? OptionalDouble.of(Double.parseDouble(v)) : OptionalDouble.empty();
    }

    private static PairComparison compare(String pair, Map<String, String> r, String column, double estimated) {
        return new PairComparison(pair, number(r, column), estimated);
    }

    private static int count(List<PairComparison> all, double times, double more) {
        ToDoubleFunction<PairComparison> one = c -> c.within(times, more) ? 1 : 0;
        return (int) all.stream().mapToDouble(one).sum();
    }

    /// Every interval that the report names must be one of the estimate's.
    private static void intervals(String said, EstimateReport e, int[] equal) {
        NUMBER.matcher(said)
                .results()
                .mapToInt(m -> Integer.parseInt(m.group()))
                .forEach(ii -> {
                    equal[1]++;
                    equal[0] +=
                            e.loops().stream().mapToInt(LoopEstimate::interval).anyMatch(i -> i == ii) ? 1 : 0;
                });
    }
}
