package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.evaluate.model.MeasuredSetModel;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;

/// `src/lab/run gpu-model`: rank correlation of the analytical GPU models with every exhaustive measured set of a
/// device there is a model of.
public final class GpuModelBench implements Bench {
    private static final double TARGET = 0.7;
    private static final int QUICK_ROWS = 3000;
    private static final int ROWS = 50_000;

    private static final List<String> METHODS = List.of("model");

    /// A measured set, and the model of its device.
    private record ModelledSet(MeasuredSet set, GpuSpec gpu, int rows)
            implements TrialSubject<MeasuredSetModel.Agreement> {
        @Override
        public String name() {
            return set.name();
        }

        /// The model changes with the program.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public String words(MeasuredSetModel.Agreement a) {
            return BenchReport.decimals(a.spearman(), 3);
        }

        @Override
        public MeasuredSetModel.Agreement run(
                String method, long seed, Map<String, MeasuredSetModel.Agreement> earlier) {
            return MeasuredSetModel.compare(set, gpu, rows);
        }
    }

    @Override
    public String name() {
        return "gpu-model";
    }

    @Override
    public String description() {
        return "Rank correlation of the analytical GPU models with measured kernels.";
    }

    @Override
    public BenchReport run(Job job) {
        Path data = GpuSets.folder(job);
        var runner = TrialRunner.inTurn(job, "trials.jsonl", MeasuredSetModel.Agreement.class, 1);
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        var notes = new ArrayList<String>();
        for (Path file : GpuSets.files(data)) {
            job.cancel().throwIfCancelled();
            MeasuredSet set = MeasuredSet.open(file);
            if (!set.kind().exhaustive()) {
                continue;
            }
            Optional<GpuSpec> gpu = GpuSpec.find(set.device());
            if (gpu.isEmpty()) {
                notes.add(set.name() + " is left out: there is no model of its device.");
                continue;
            }
            for (var t : runner.run(new ModelledSet(set, gpu.get(), job.quick() ? QUICK_ROWS : ROWS), METHODS)) {
                MeasuredSetModel.Agreement a = t.figures();
                rows.add(BenchReport.row(
                        List.of(set.name(), gpu.get().label()),
                        a.rows(),
                        a.spearman(),
                        a.ratio(),
                        a.bestOfPredicted()));
                aims.add(Aim.atLeast("Spearman on " + set.name(), a.spearman(), TARGET));
            }
        }
        if (rows.isEmpty()) {
            throw new UserError("There is no exhaustive measured set in " + data + ".");
        }
        notes.add(
                "Only configurations that ran are compared; what the model finds does not fit ranks last. The constants of the model, some of them for single kernels and for AMD, were chosen with these sets at hand, so other devices will fare worse.");
        notes.add("Best of 10: fastest measured among the ten the model likes best, as a share of the fastest of all.");
        return new BenchReport(
                name(),
                "Analytical GPU models against measured kernels",
                Column.list(
                        "set", "set",
                        "device", "model",
                        "rows", "rows",
                        "spearman", "Spearman",
                        "ratio", "median model / measured",
                        "bestOf10", "best of 10"),
                rows,
                aims,
                notes);
    }

    /// Where the measured sets are.
    static final class GpuSets {
        private GpuSets() {}

        static Path folder(Job job) {
            Path data = job.data()
                    .orElseThrow(
                            () -> new UserError(
                                    "Measured kernels are needed: name their folder with --data (the one that holds gemm_clblast/*.csv.gz)."));
            return Files.isDirectory(data.resolve("gpu")) ? data.resolve("gpu") : data;
        }

        static List<Path> files(Path folder) {
            try (Stream<Path> all = Files.walk(folder, 2)) {
                List<Path> found = all.filter(f -> f.toString().matches(".*\\.csv(\\.gz)?")
                                && !f.getFileName().toString().equals("networks.csv"))
                        .sorted()
                        .toList();
                if (found.isEmpty()) {
                    throw new UserError("There is no CSV of measured kernels in " + folder + ".");
                }
                return found;
            } catch (IOException e) {
                throw new UserError("Cannot read " + folder + ": " + e.getMessage() + ".", e);
            }
        }
    }
}
