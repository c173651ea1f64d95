package knobscape.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.app.system.Installation;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.fusion.export.StrategyFile;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.TuningExport;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.cdt.CdtKernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.network.ImportOptions;
import knobscape.network.onnx.OnnxWriter;
import knobscape.network.onnx.WeightFill;
import knobscape.network.source.NetworkSource;
import knobscape.network.zoo.Zoo;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunReference;
import knobscape.project.RunStore;

/// Every kind of file that the program reads, with files to begin from.
final class Readers {
    /// A kind of file.
    ///
    /// @param name of the kind
    /// @param file its name when it is read
    /// @param weight how many inputs it gets for each of the cheapest kind's
    /// @param read reads it
    /// @param seeds files to begin from
    record Kind(String name, String file, double weight, Reading read, List<byte[]> seeds) {}

    @FunctionalInterface
    interface Reading {
        /// Reads a file; throws [knobscape.evaluate.UserError] where it cannot be what it should be.
        void read(Path file) throws IOException;
    }

    private static final String CSV = "a,b,time,lut\n1,on,3.5,100\n2,off,1e3,200\n4,on,,300\n\"8\",off,0.5,400\n";
    private static final String MAPPING = """
            replay: 1
            name: fuzz
            description: a few designs
            knobs:
              columns: [a, b]
            metrics:
              time: {label: Time, unit: ms}
              lut: {label: LUT, unit: "", limit: 1000}
            fidelities:
              - name: run
                seconds: first(time, 1) * 2
                valid: time < 1000
                metrics: {time: time, lut: lut + 1}
            objectives: [time, lut]
            """;

    private Readers() {}

    /// All kinds.
    ///
    /// @param folder an empty folder for the files to begin from
    static List<Kind> all(Path folder) throws IOException {
        Path samples = Installation.samples().orElseThrow();
        var terminal = new Terminal(() -> folder);
        run(
                terminal,
                "tune",
                "zoo:alexnet",
                "--device",
                "model:t4",
                "--method",
                "random",
                "--trials",
                "12",
                "--out",
                "t");
        run(terminal, "export", "t:1", "--as", "autotvm", "--out", "log");
        run(terminal, "fuse", "zoo:alexnet", "--method", "gsampler", "--evaluations", "60", "--out", "f");
        OnnxWriter.write(Zoo.RESNET18.network(1), folder.resolve("net.onnx"), WeightFill.computed());
        Path csv = Files.writeString(folder.resolve("designs.csv"), CSV);
        Path mapping = Files.writeString(folder.resolve("designs.yaml"), MAPPING);
        List<byte[]> projects = below(samples, ProjectFile.FILE_NAME);
        var readers = List.of(
                new Kind("directives", "d.yaml", 4, DirectiveFile::read, below(samples, "directives.yaml")),
                new Kind("project", ProjectFile.FILE_NAME, 4, ProjectFile::read, projects),
                new Kind("csv", "m.csv", 4, f -> ReplaySet.open(f, Optional.of(mapping)), List.of(bytes(csv))),
                new Kind("mapping", "m.yaml", 4, f -> ReplaySet.open(csv, Optional.of(f)), List.of(bytes(mapping))),
                new Kind("onnx", "n.onnx", 1, Readers::network, List.of(bytes(folder.resolve("net.onnx")))),
                new Kind("layers", "n.csv", 2, Readers::network, below(samples, "mobilenet_v2.csv")),
                new Kind("graph", "n.json", 2, Readers::network, List.of(resource("gpu/tuning/small.json"))),
                new Kind("log", "log.json", 2, AutoTvmLog::read, List.of(bytes(folder.resolve("log/autotvm.json")))),
                new Kind(
                        "tuning",
                        "tuning.json",
                        2,
                        f -> TuningExport.of(f.getParent()),
                        List.of(bytes(folder.resolve("t/tuning.json")))),
                new Kind("accelerator", "a.json", 4, AcceleratorFile::read, below(samples, "accelerator.json")),
                new Kind(
                        "strategy", "s.json", 4, StrategyFile::read, List.of(bytes(folder.resolve("f/strategy.json")))),
                new Kind(
                        "results",
                        "run.json",
                        2,
                        f -> RunReference.parse(f.toString(), f.getParent()),
                        List.of(bytes(folder.resolve("f/run.json")))),
                new Kind("report", "csynth.xml", 4, ReportReader::read, reports()),
                new Kind("store", RunStore.FILE_NAME, 1, Readers::store, List.of(bytes(folder.resolve("f/runs.db")))),
                new Kind("old store", RunStore.FILE_NAME, 1, Readers::store, List.of(resource("project/runs-v2.db"))),
                new Kind("cpp", "k.cpp", 1, Readers::kernel, kernels(samples)));
        return Stream.concat(readers.stream(), readers.stream().flatMap(k -> typed(k).stream()))
                .toList();
    }

    /// The same files as a person names them on the command line, whose own parsing and printing is part of it.
    private static Optional<Kind> typed(Kind kind) {
        List<String> words = switch (kind.name()) {
            case "csv", "onnx", "layers", "graph", "cpp" -> List.of("space", kind.file());
            case "project" -> List.of("space", ".");
            case "report" -> List.of("report", kind.file());
            case "store" -> List.of("export", ".", "--as", "csv");
            case "old store" -> List.of("runs", ".");
            case "log" -> List.of("history", "--import", kind.file(), "--history", "h.db");
            case "tuning" -> List.of("export", ".", "--as", "json");
            case "accelerator" ->
                List.of(
                        "fuse",
                        "zoo:alexnet",
                        "--accelerator",
                        kind.file(),
                        "--method",
                        "random",
                        "--evaluations",
                        "2",
                        "--out",
                        "o");
            case "directives" -> List.of("space", "k.cpp", "--directives", kind.file());
            case "results" -> List.of("export", kind.file(), "--as", "csv");
            default -> List.of();
        };
        return words.isEmpty()
                ? Optional.empty()
                : Optional.of(new Kind(
                        "typed " + kind.name(), kind.file(), kind.weight() / 4, f -> type(f, words), kind.seeds()));
    }

    private static void type(Path file, List<String> words) throws IOException {
        Path folder = java.util.Objects.requireNonNull(file.getParent());
        if (words.contains("k.cpp") && !file.endsWith("k.cpp")) {
            Files.writeString(folder.resolve("k.cpp"), KERNEL);
        }
        if (file.endsWith(RunStore.FILE_NAME)) {
            Files.writeString(folder.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"k.cpp\"}");
        }
        var terminal = new Terminal(() -> folder);
        int code = terminal.run(words.toArray(String[]::new));
        String said = terminal.out() + terminal.err();
        if (code < 0
                || code > 2
                || said.contains("nternal error")
                || said.codePoints().anyMatch(c -> c == 0x1b)
                || (code > 0 && terminal.err().isBlank())) {
            throw new IllegalStateException(words + " ends with " + code + ": " + terminal.err());
        }
    }

    private static final String KERNEL =
            "void scale(int in[8], int out[8]) {\nl:\n  for (int i = 0; i < 8; i++) { out[i] = in[i] * 3; }\n}\n";

    private static void run(Terminal terminal, String... words) {
        if (terminal.run(words) != 0) {
            throw new IllegalStateException(terminal.err());
        }
    }

    private static void kernel(Path file) {
        Kernel kernel = new CdtKernelReader().read(file, KernelReader.Options.defaults());
        SpaceBuilder.build(kernel, SpaceLimits.defaults());
    }

    private static void network(Path file) {
        NetworkSource.read(file.toString(), ImportOptions.none());
    }

    /// Everything that is in a store, as a reader and as a writer sees it.
    private static void store(Path file) throws IOException {
        Path json = file.resolveSibling(ProjectFile.FILE_NAME);
        if (!file.endsWith("tuning.db")) {
            Files.writeString(json, "{\"formatVersion\": 1, \"source\": \"k.cpp\"}");
        }
        for (boolean writing : new boolean[] {false, true}) {
            try (Project project = Project.open(file.getParent())) {
                Optional<RunStore> runs = writing ? Optional.of(project.lock()) : project.runs();
                runs.ifPresent(s -> s.list().forEach(r -> {
                    s.results(r.id());
                    s.past(r);
                }));
            }
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        return Files.readAllBytes(file);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Readers.class.getResourceAsStream("/knobscape/" + name)) {
            return java.util.Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static List<byte[]> reports() throws IOException {
        var all = new ArrayList<byte[]>();
        for (String name :
                List.of("export_syn.rpt", "export_impl.xml", "fir_csynth.xml", "power_routed.rpt", "fir_csynth.rpt")) {
            all.add(resource("hls/evaluate/vendor/" + name));
        }
        return all;
    }

    /// The kernels with their own headers in their place, so that one file is all.
    private static List<byte[]> kernels(Path samples) throws IOException {
        var all = new ArrayList<byte[]>();
        try (Stream<Path> files = Files.walk(samples)) {
            for (Path cpp : files.filter(f -> f.toString().endsWith(".cpp") && !f.endsWith("check.cpp"))
                    .sorted()
                    .toList()) {
                String name = cpp.getFileName().toString().replace(".cpp", ".h");
                Path header = cpp.resolveSibling(name);
                String text = Files.readString(cpp);
                all.add((Files.exists(header)
                                ? text.replace("#include \"" + name + "\"", Files.readString(header))
                                : text)
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    private static List<byte[]> below(Path folder, String name) throws IOException {
        var all = new ArrayList<byte[]>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path f : files.filter(f -> f.endsWith(name)).sorted().toList()) {
                all.add(bytes(f));
            }
        }
        return all;
    }
}
