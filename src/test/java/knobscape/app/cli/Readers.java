package knobscape.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import knobscape.app.system.Installation;
import knobscape.network.onnx.OnnxWriter;
import knobscape.network.onnx.WeightFill;
import knobscape.network.zoo.Zoo;
import knobscape.project.ProjectFile;
import knobscape.project.RunStore;

/// Every kind of file that the program reads, with files to begin from and what a person types to have one read.
final class Readers {
    /// A kind of file.
    ///
    /// @param name of the kind
    /// @param file its name when it is read
    /// @param weight how many inputs it gets for each of the dearest kind's
    /// @param lines command lines, typed one after another in the folder of the file
    /// @param beside files that lie beside it, by name
    /// @param seeds files to begin from
    record Kind(
            String name,
            String file,
            double weight,
            List<String> lines,
            Map<String, byte[]> beside,
            List<byte[]> seeds) {

        /// Has a file read in an empty folder; throws [IllegalStateException] where an answer is no result and no
        /// sentence.
        ///
        /// @param terminal of the folder
        void read(Terminal terminal, Path folder, byte[] content) throws IOException {
            for (var e : beside.entrySet()) {
                Files.write(folder.resolve(e.getKey()), e.getValue());
            }
            Files.write(folder.resolve(file), content);
            for (String line : lines) {
                int code = terminal.run(line.split(" "));
                String said = terminal.out() + terminal.err();
                if (code < 0
                        || code > 2
                        || said.contains("nternal error")
                        || said.codePoints().anyMatch(c -> c == 0x1b)
                        || (code > 0 && terminal.err().isBlank())) {
                    throw new IllegalStateException(line + " ends with " + code + ": " + terminal.err());
                }
            }
        }
    }

    private static final String CSV = "a,b,time,lut\n1,on,3.5,100\n2,off,1e3,200\n4,on,,300\n\"8\",off,0.5,400\n";
    private static final String STATUS = "a,status,delay,lut\n1,ok,3.5,100\n2,failed,1,1\n4,timeout,,\n8,ok,.5,400\n";
    private static final String OPTUNA =
            "number,value,datetime_start,params_x,params_y,state\n0,1.5,2024-01-01,0.1,a,COMPLETE\n1,,2024-01-01,0.2,b,FAIL\n2,0.5,2024-01-02,0.3,a,COMPLETE\n";
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
    private static final String KERNEL =
            "void scale(int in[8], int out[8]) {\nl:\n  for (int i = 0; i < 8; i++) { out[i] = in[i] * 3; }\n}\n";
    private static final String DESIGNS = "unroll@scale/l,lut,ff\n1,900,700\n2,1800,1400\n4,3600,2800\n8,7200,5600\n";
    private static final String CONFIGURATION =
            "part=xc7z020clg484-1\n[hls]\nflow_target=vivado\nclock=10ns\nsyn.file=k.cpp\nsyn.top=scale\nsyn.directive.unroll=scale/l factor=2\n";
    private static final String COMPONENT =
            "{\"name\": \"c\", \"type\": \"HLS\", \"configuration\": {\"componentType\": \"HLS\", \"configFiles\": [\"hls_config.cfg\"], \"work_dir\": \"c\"}}";
    private static final String SCRIPT =
            "open_project p\nset_top scale\nadd_files k.cpp\nopen_solution s\nset_part {xc7z020clg484-1}\ncreate_clock -period 10 -name default\nset_directive_unroll -factor 2 \"scale/l\"\nset_directive_pipeline \"scale/l\"\ncsynth_design\n";
    private static final String APPLICATION =
            "<project name=\"p\" top=\"scale\"><files><file name=\"../k.cpp\" sc=\"0\" tb=\"false\"/></files><solutions><solution name=\"s\" status=\"active\"/></solutions></project>";
    private static final String ANSWERS =
            "{\"designs\": [{\"design\": 1, \"stage\": \"hls\", \"values\": {\"delay\": 5, \"lut\": 3, \"power\": 1}, \"seconds\": 3}, {\"design\": 2, \"failed\": \"crashed\", \"reason\": \"no\"}, {\"knobs\": {\"unroll@scale/l\": \"2\"}, \"values\": {\"delay\": 5}}]}";
    private static final String TRITON =
            "{\"configs_timings\": [[{\"kwargs\": {\"BLOCK_M\": 64}, \"num_warps\": 4, \"num_ctas\": 1, \"num_stages\": 3}, [0.5, 0.4, 0.6]], [{\"kwargs\": {\"BLOCK_M\": 128}, \"num_warps\": 8, \"num_ctas\": 1, \"num_stages\": 3}, [0.3, 0.2, 0.4]]]}";

    private final Path folder;
    private final Map<String, byte[]> kernel = Map.of("k.cpp", KERNEL.getBytes(UTF_8));
    private final List<Kind> all = new ArrayList<>();

    private Readers(Path folder) {
        this.folder = folder;
    }

    /// All kinds.
    ///
    /// @param folder an empty folder for the files to begin from
    static List<Kind> all(Path folder) throws IOException {
        var readers = new Readers(folder);
        readers.kernels();
        readers.measured();
        readers.networks();
        readers.stores();
        return List.copyOf(readers.all);
    }

    private void add(
            String name, String file, double weight, String lines, Map<String, byte[]> beside, byte[]... seeds) {
        all.add(new Kind(name, file, weight, List.of(lines.split("; ")), beside, List.of(seeds)));
    }

    private static byte[][] bytes(String... texts) {
        return Stream.of(texts).map(t -> t.getBytes(UTF_8)).toArray(byte[][]::new);
    }

    private void kernels() throws IOException {
        Path samples = Installation.samples().orElseThrow();
        Files.writeString(folder.resolve("k.cpp"), KERNEL);
        run("space", "k.cpp", "--write-directives", "own.yaml");
        add("cpp", "k.cpp", 1, "space k.cpp", Map.of(), sources(samples));
        add("directives", "d.yaml", 4, "space k.cpp --directives d.yaml", kernel, below(samples, "directives.yaml"));
        add(
                "own directives",
                "d.yaml",
                4,
                "space k.cpp --directives d.yaml",
                kernel,
                Files.readAllBytes(folder.resolve("own.yaml")));
        add("project", ProjectFile.FILE_NAME, 4, "space .; runs .", kernel, below(samples, ProjectFile.FILE_NAME));
        add("script", "run_hls.tcl", 2, "space run_hls.tcl; space k.cpp --import run_hls.tcl", kernel, bytes(SCRIPT));
        add(
                "configuration",
                "hls_config.cfg",
                2,
                "space .; space k.cpp --import hls_config.cfg",
                kernel,
                bytes(CONFIGURATION));
        add(
                "component",
                "vitis-comp.json",
                2,
                "space vitis-comp.json",
                Map.of("k.cpp", KERNEL.getBytes(UTF_8), "hls_config.cfg", CONFIGURATION.getBytes(UTF_8)),
                bytes(COMPONENT));
        add("application", "hls.app", 2, "space hls.app", kernel, bytes(APPLICATION));
        add("report", "csynth.xml", 4, "report csynth.xml", Map.of(), vendor("export_impl.xml", "fir_csynth.xml"));
        add(
                "text report",
                "k_csynth.rpt",
                4,
                "report k_csynth.rpt; report .",
                Map.of(),
                vendor(
                        "csynth.rpt",
                        "export_syn.rpt",
                        "fir_csynth.rpt",
                        "fir_cosim.rpt",
                        "power_routed.rpt",
                        "timing_routed.rpt",
                        "utilization_placed.rpt"));
    }

    private void measured() throws IOException {
        Map<String, byte[]> csv = Map.of("m.csv", CSV.getBytes(UTF_8));
        add(
                "csv",
                "m.csv",
                4,
                "space m.csv; explore m.csv --method random --steps 1 --init 1 --out o",
                Map.of(),
                bytes(CSV, STATUS, OPTUNA));
        add("mapping", "m.yaml", 4, "space m.csv --mapping m.yaml", csv, bytes(MAPPING));
        add(
                "tuned",
                "m.json",
                2,
                "space m.json",
                Map.of(),
                resource("evaluate/toy-kernel.json"),
                resource("gpu/kernel_tuner/t4.json"),
                resource("gpu/kernel_tuner/cache.json"));
        add("study", "m.db", 1, "space m.db", Map.of(), unpacked(resource("evaluate/toy-study.db.gz")));
        add("designs", "m.csv", 2, "calibrate k.cpp --designs m.csv", kernel, bytes(DESIGNS));
        String history = "history --import FILE --history h.db; history --history h.db";
        add(
                "cache",
                "c.json",
                2,
                history.replace("FILE", "c.json"),
                Map.of(),
                resource("gpu/kernel_tuner/cache.json"),
                resource("gpu/kernel_tuner/open.json"),
                resource("gpu/kernel_tuner/t4.json"));
        add(
                "log",
                "l.log",
                2,
                history.replace("FILE", "l.log"),
                Map.of(),
                resource("gpu/logs/tvm06.log"),
                resource("gpu/logs/tvm07.log"),
                resource("gpu/logs/tvm08.log"));
        add("triton", "k.autotune.json", 2, history.replace("FILE", "k.autotune.json"), Map.of(), bytes(TRITON));
        run(
                "history",
                "--import",
                Files.write(folder.resolve("c.json"), resource("gpu/kernel_tuner/cache.json"))
                        .toString(),
                "--history",
                "h.db");
        add(
                "history",
                "h.db",
                1,
                "history --history h.db; history --history i.db --import h.db",
                Map.of(),
                read("h.db"));
    }

    private void networks() throws IOException {
        Path samples = Installation.samples().orElseThrow();
        OnnxWriter.write(Zoo.RESNET18.network(1), folder.resolve("net.onnx"), WeightFill.computed());
        run("tune", "zoo:alexnet", "--device", "model:t4", "--method", "random", "--trials", "12", "--out", "t");
        run("fuse", "zoo:alexnet", "--method", "gsampler", "--evaluations", "60", "--out", "f");
        add("onnx", "n.onnx", 1, "space n.onnx", Map.of(), read("net.onnx"));
        add("layers", "n.csv", 2, "space n.csv", Map.of(), below(samples, "mobilenet_v2.csv"));
        add("graph", "n.json", 2, "space n.json", Map.of(), resource("gpu/tuning/small.json"));
        add(
                "tuning",
                "tuning.json",
                2,
                "export . --as json; tune zoo:alexnet --device model:t4 --method random --trials 1 --import tuning.json --out o",
                Map.of(),
                read("t/tuning.json"));
        add(
                "accelerator",
                "a.json",
                2,
                "fuse zoo:alexnet --accelerator a.json --method random --evaluations 2 --out o",
                Map.of(),
                below(samples, "accelerator.json"));
        add("strategy", "s.json", 4, "fuse zoo:alexnet --strategy s.json", Map.of(), read("f/strategy.json"));
        add("results", "run.json", 4, "export run.json --as csv", Map.of(), read("f/run.json"));
    }

    private void stores() throws IOException {
        Map<String, byte[]> project = Map.of(
                "k.cpp",
                KERNEL.getBytes(UTF_8),
                ProjectFile.FILE_NAME,
                "{\"formatVersion\": 1, \"source\": \"k.cpp\"}".getBytes(UTF_8));
        run("explore", "k.cpp", "--method", "random", "--steps", "2", "--init", "2", "--out", "e");
        run("explore", "k.cpp", "--toolchain", "told", "--steps", "4", "--init", "2", "--out", "a");
        run("ask", "a", "--count", "2");
        // A writer reads too, and more.
        String lines = "runs .; export . --as csv; runs . --rename 1=x; explore --resume .:1 --steps 3";
        add("store", RunStore.FILE_NAME, 1, lines, project, read("e/" + RunStore.FILE_NAME));
        add(
                "tuning store",
                RunStore.FILE_NAME,
                1,
                "runs .; export . --as csv; runs . --rename 1=x",
                project,
                read("t/" + RunStore.FILE_NAME));
        add(
                "fusion store",
                RunStore.FILE_NAME,
                1,
                "runs .; export . --as csv; runs . --rename 1=x",
                project,
                read("f/" + RunStore.FILE_NAME));
        add("old store", RunStore.FILE_NAME, 1, "runs .; runs . --rename 1=x", project, resource("project/runs-v2.db"));
        Map<String, byte[]> told = new TreeMap<>(project);
        told.put(RunStore.FILE_NAME, read("a/" + RunStore.FILE_NAME));
        add("answers", "a.json", 2, "tell . --from a.json; ask . --pending", told, bytes(ANSWERS));
    }

    private void run(String... words) {
        var terminal = new Terminal(() -> folder);
        if (terminal.run(words) != 0) {
            throw new IllegalStateException(List.of(words) + ": " + terminal.err());
        }
    }

    private byte[] read(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Readers.class.getResourceAsStream("/knobscape/" + name)) {
            return java.util.Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static byte[] unpacked(byte[] gz) throws IOException {
        try (var in = new GZIPInputStream(new java.io.ByteArrayInputStream(gz))) {
            return in.readAllBytes();
        }
    }

    private static byte[][] vendor(String... names) throws IOException {
        var all = new ArrayList<byte[]>();
        for (String name : names) {
            all.add(resource("hls/evaluate/vendor/" + name));
        }
        return all.toArray(byte[][]::new);
    }

    /// The kernels with their own headers in their place, so that one file is all.
    private static byte[][] sources(Path samples) throws IOException {
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
                        .getBytes(UTF_8));
            }
        }
        return all.toArray(byte[][]::new);
    }

    private static byte[][] below(Path folder, String name) throws IOException {
        var all = new ArrayList<byte[]>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path f : files.filter(f -> f.endsWith(name)).sorted().toList()) {
                all.add(Files.readAllBytes(f));
            }
        }
        return all.toArray(byte[][]::new);
    }
}
