package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.Guess;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.source.SourceNote;
import knobscape.project.Project;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.FiniteSpace;

/// Where HLS searches are held against known fronts: suites of measured designs, and kernels answered by the
/// built-in estimate. Suites that were published apart from each other serve as blind tests of whatever was chosen
/// on the others.
final class HlsSuites {
    /// The suite of kernels that the built-in estimate answers for.
    static final String ESTIMATES = "estimates";

    /// Folders of measured designs below the data folder, each a suite. hlsfactory_pairs has no knobs and serves as
    /// the source of what is known before a run.
    private static final List<String> FOLDERS =
            List.of("fudan_machsuite", "hlsdataset_polybench", "spector_hls", "dahlia", "hlsyn");
    /// Knobs that change the problem and not only its implementation: their most frequent value is kept.
    private static final List<String> SIZES = List.of("num_hist", "window_size_x", "no_size", "tmpdim", "indim");
    /// Kernels of MachSuite (Reagen et al. 2014) and PolyBench/C 4.2.1 that the built-in estimate answers for too where
    /// `--sources` has them: those whose default knobs make 10^4 to 10^9 designs, by their paths in a checkout.
    private static final List<String> PUBLIC = List.of(
            "md/knn/md.c",
            "md/grid/md.c",
            "nw/nw/nw.c",
            "sort/merge/sort.c",
            "sort/radix/sort.c",
            "stencil/stencil3d/stencil.c",
            "viterbi/viterbi/viterbi.c",
            "datamining/covariance/covariance.c",
            "linear-algebra/blas/gemm/gemm.c",
            "linear-algebra/blas/syrk/syrk.c",
            "linear-algebra/kernels/2mm/2mm.c",
            "linear-algebra/kernels/atax/atax.c",
            "linear-algebra/kernels/mvt/mvt.c",
            "stencils/fdtd-2d/fdtd-2d.c",
            "stencils/jacobi-2d/jacobi-2d.c");
    /// Fewest designs that leave a regression something to predict.
    private static final int FEWEST = 150;
    private static final int FEWEST_VALID = 60;

    private HlsSuites() {}

    /// A kernel of a suite, not opened yet.
    ///
    /// @param suite name of the suite
    /// @param name of the kernel
    /// @param opener reads it; empty where it is left out, which the given listener is told in one sentence
    record Kernel(String suite, String name, Function<Consumer<String>, Optional<OpenKernel>> opener) {
        Optional<OpenKernel> open(Consumer<String> leftOut) {
            return opener.apply(leftOut);
        }

        String subject() {
            return suite + "/" + name;
        }
    }

    /// A kernel ready to be searched.
    ///
    /// @param objectives those of which every front point has a positive value, as the relative distance needs
    /// @param guess the built-in estimate, where the kernel's source is at hand
    /// @param fullHours tool hours of one run to the highest fidelity
    record OpenKernel(
            String subject,
            DesignSpace space,
            Encoder encoder,
            Supplier<Evaluator> evaluator,
            List<Metric> objectives,
            ReferenceFront reference,
            Optional<Guess> guess,
            double fullHours) {}

    /// Every kernel of every suite there is, by suite and name.
    static List<Kernel> all(Bench.Job job) {
        var kernels = new ArrayList<Kernel>();
        job.data()
                .ifPresent(data -> measured(data)
                        .forEach((suite, files) -> files.forEach(file ->
                                kernels.add(new Kernel(suite, stem(file), told -> open(suite, file, job, told))))));
        if (job.data().isEmpty() || isSuites(job.data().get())) {
            job.samples()
                    .ifPresent(samples -> SamplesBench.projects(samples)
                            .forEach(folder -> kernels.add(new Kernel(
                                    ESTIMATES,
                                    folder.getFileName().toString(),
                                    told -> estimate(
                                            folder.getFileName().toString(), Project.open(folder), job, told)))));
            PUBLIC.forEach(path -> source(path, job)
                    .ifPresent(file -> kernels.add(new Kernel(
                            ESTIMATES,
                            publicName(path),
                            told -> estimate(publicName(path), project(path, file, job), job, told)))));
        }
        if (kernels.isEmpty()) {
            throw new UserError("There are neither measured designs (name their folder with --data) nor samples.");
        }
        return List.copyOf(kernels);
    }

    private static boolean isSuites(Path data) {
        return FOLDERS.stream().anyMatch(f -> folder(data, f).isPresent());
    }

    private static Optional<Path> folder(Path data, String suite) {
        return Stream.of(data.resolve("hls").resolve(suite), data.resolve(suite))
                .filter(Files::isDirectory)
                .findFirst();
    }

    /// CSV files by suite: of the known folders below `data`, else those of `data` itself.
    private static Map<String, List<Path>> measured(Path data) {
        var suites = new java.util.LinkedHashMap<String, List<Path>>();
        FOLDERS.forEach(f -> folder(data, f).ifPresent(at -> suites.put(f, MeasuredFiles.csv(at))));
        if (suites.isEmpty()) {
            suites.put(data.getFileName().toString(), MeasuredFiles.csv(data));
        }
        return suites;
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst("\\.csv(\\.gz)?$", "");
    }

    private static Optional<OpenKernel> open(String suite, Path file, Bench.Job job, Consumer<String> leftOut) {
        String subject = suite + "/" + stem(file);
        ReplaySet set;
        try {
            set = ReplaySet.open(file);
        } catch (UserError e) {
            leftOut.accept(subject + " is left out: " + e.getMessage());
            return Optional.empty();
        }
        List<Configuration> designs = sameProblem(set.space());
        EvaluatorInfo info = set.info();
        List<Evaluation> top = designs.stream()
                .map(c -> set.stages(c).getLast())
                .filter(e -> e.fidelity().rank() == info.top().rank() && e.isMeasured())
                .toList();
        List<Metric> objectives = objectives(info, top);
        if (designs.size() < FEWEST || top.size() < FEWEST_VALID || objectives.size() < 2) {
            leftOut.accept(subject + " is left out: " + designs.size() + " designs, " + top.size() + " valid, "
                    + objectives.size() + " objectives above 0.");
            return Optional.empty();
        }
        Optional<Guess> guess = job.sources().flatMap(s -> MeasuredKernel.guess(set, s, job.tools(), objectives));
        var space = new FiniteSpace(set.space().knobs(), designs);
        try (Evaluator e = set.evaluator()) {
            return Optional.of(opened(
                    subject, space, new FeatureEncoder(space.knobs()), e, set::evaluator, objectives, guess, job));
        }
    }

    /// The designs whose problem is the most frequent one.
    private static List<Configuration> sameProblem(FiniteSpace space) {
        List<Configuration> designs = space.enumerate().toList();
        for (int k = 0; k < space.knobs().size(); k++) {
            if (SIZES.contains(space.knobs().get(k).name())) {
                int knob = k;
                Map<String, Long> counts =
                        designs.stream().collect(Collectors.groupingBy(c -> c.value(knob), Collectors.counting()));
                String most = counts.entrySet().stream()
                        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                        .orElseThrow()
                        .getKey();
                designs =
                        designs.stream().filter(c -> c.value(knob).equals(most)).toList();
            }
        }
        return designs;
    }

    /// The set's objectives that are above 0 in every design; where that leaves fewer than two, other metrics of which
    /// less is better join them (LUT and DSP of some HLSyn kernels reach 0, BRAM does not).
    private static List<Metric> objectives(EvaluatorInfo info, List<Evaluation> top) {
        List<Metric> own = info.objectives().stream()
                .map(info::metric)
                .filter(m -> isPositive(top, m.name()))
                .toList();
        return own.size() >= 2
                ? own
                : Stream.concat(
                                own.stream(),
                                info.metrics().stream()
                                        .filter(m -> m.direction() == Metric.Direction.MINIMISE
                                                && !own.contains(m)
                                                && isPositive(top, m.name())))
                        .toList();
    }

    private static boolean isPositive(List<Evaluation> top, String metric) {
        double[] values = top.stream()
                .map(e -> e.value(metric))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
        return values.length == top.size()
                && Arrays.stream(values).allMatch(v -> v > 0)
                && Arrays.stream(values).distinct().count() > 1;
    }

    /// In one of the checkouts below `--sources`, or that folder itself.
    private static Optional<Path> source(String path, Bench.Job job) {
        return job.sources().stream()
                .flatMap(folder -> {
                    try (Stream<Path> inside = Files.list(folder)) {
                        return Stream.concat(Stream.of(folder), inside.sorted()).toList().stream();
                    } catch (IOException e) {
                        throw new UserError("Cannot read the sources in " + folder + ": " + e.getMessage() + ".", e);
                    }
                })
                .map(checkout -> checkout.resolve(path))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static String publicName(String path) {
        return path.substring(0, path.lastIndexOf('/')).replace('/', '-');
    }

    private static Project project(String path, Path file, Bench.Job job) {
        return Project.open(file, Optional.of(job.out().resolve("kernels").resolve(publicName(path))));
    }

    /// A kernel as the built-in estimate answers for it. One whose headers are not all there is left out: what they
    /// declare fixes sizes and trip counts, so its space would be another and its figures not comparable.
    private static Optional<OpenKernel> estimate(String name, Project opened, Bench.Job job, Consumer<String> leftOut) {
        try (Project project = opened) {
            HlsWorkbench bench = HlsWorkbench.open(project, project.file().both(), job.tools());
            List<SourceNote> missing = bench.kernel().notes().stream()
                    .filter(SourceNote::isMissingHeader)
                    .toList();
            if (!missing.isEmpty()) {
                leftOut.accept(ESTIMATES + "/" + name + " is left out, its space would be too small: "
                        + missing.stream().map(SourceNote::toString).collect(Collectors.joining("; ")) + ".");
                return Optional.empty();
            }
            try (Evaluator e = bench.evaluator(HlsSettings.defaultRun())) {
                return Optional.of(opened(
                        ESTIMATES + "/" + name,
                        bench.space(),
                        bench.encoder(),
                        e,
                        () -> bench.evaluator(HlsSettings.defaultRun()),
                        e.info().objectives().stream().map(e.info()::metric).toList(),
                        Optional.empty(),
                        job));
            }
        } catch (UserError e) {
            leftOut.accept(ESTIMATES + "/" + name + " is left out: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static OpenKernel opened(
            String subject,
            DesignSpace space,
            Encoder encoder,
            Evaluator evaluator,
            Supplier<Evaluator> evaluators,
            List<Metric> objectives,
            Optional<Guess> guess,
            Bench.Job job) {
        return new OpenKernel(
                subject,
                space,
                encoder,
                evaluators,
                objectives,
                ReferenceFront.of(
                        subject,
                        space,
                        evaluator,
                        objectives,
                        job.quick() ? ReferenceFront.SAMPLE / 10 : ReferenceFront.SAMPLE,
                        1,
                        job.cancel()),
                guess,
                evaluator.info().typicalSeconds().values().stream()
                                .mapToDouble(Double::doubleValue)
                                .sum()
                        / 3600);
    }
}
