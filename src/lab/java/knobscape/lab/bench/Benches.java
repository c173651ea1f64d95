package knobscape.lab.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.work.Method;
import tools.jackson.databind.json.JsonMapper;

/// The benches this program has.
public final class Benches {
    private Benches() {}

    /// All of them, in the order shown.
    public static List<Bench> all() {
        var methods = Stream.of(
                        Stream.of(
                                "random",
                                "ann",
                                "bt",
                                "dac19",
                                "fpl18",
                                "mes",
                                "cgp",
                                "cgp-paper",
                                "dcgp-paper",
                                "dcgp"),
                        LabMethods.peers().stream().map(Method::name),
                        LabMethods.ablations().stream().map(Method::name))
                .flatMap(m -> m)
                .toList();
        return List.of(
                new SamplesBench(),
                new HlsStepsBench(),
                new HlsTablesBench(methods),
                new HlsPromiseBench(),
                new SpaceSizesBench(),
                new RewritesBench(),
                new StartBench(),
                new WindowBench(),
                new FlowBench(),
                new HlsCalibrationBench(),
                new EstimatorBench(),
                new EstimatorPairsBench(),
                new OpenFlowBench(),
                new FusionBench(),
                new GpuModelBench(),
                new GpuActiveBench(),
                new GpuRivalsBench(),
                new DgpBench(),
                new GtunerBench(),
                new GpuSpeedBench());
    }

    /// Runs a bench and keeps its table as `NAME.json`, `.csv` and `.md` in the job's folder; the first is read
    /// back. Throws [UserError] where a method asked for is none of the bench's.
    public static BenchReport run(Bench bench, Bench.Job job) {
        for (String method : job.methods()) {
            if (!bench.methods().contains(method)) {
                throw new UserError(
                        bench.methods().isEmpty()
                                ? "Bench '" + bench.name() + "' has no methods to choose from; leave --methods out."
                                : "Bench '" + bench.name() + "' does not compare a method '" + method + "'"
                                        + NameSuggestions.didYouMean(method, bench.methods()) + "; it has "
                                        + String.join(", ", bench.methods()) + ".");
            }
        }
        BenchReport report = bench.run(job);
        FileOutput.write(job.out().resolve(bench.name() + ".csv"), report.csv());
        FileOutput.write(job.out().resolve(bench.name() + ".md"), report.markdown());
        FileOutput.write(
                kept(bench, job.out()),
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report.json()) + "\n");
        return report;
    }

    /// Where [#run] keeps the table of a bench.
    public static Path kept(Bench bench, Path folder) {
        return folder.resolve(bench.name() + ".json");
    }

    /// The bench called `name`; throws [UserError] naming the nearest where there is none.
    public static Bench named(String name) {
        var names = all().stream().map(Bench::name).toList();
        return all().stream()
                .filter(b -> b.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no bench '" + name + "'"
                        + NameSuggestions.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }
}
