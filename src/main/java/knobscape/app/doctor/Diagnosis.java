package knobscape.app.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import knobscape.app.system.Display;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.HardwareDevice;
import knobscape.gpu.evaluate.device.KernelResources;
import knobscape.gpu.evaluate.device.MeasureSettings;
import knobscape.hls.HlsSettings;
import knobscape.hls.evaluate.Part;
import knobscape.hls.open.OpenTools;
import knobscape.project.ProjectFile;
import knobscape.work.tool.ToolSettings;

/// The findings on a machine. Nothing is changed and no library of a driver is loaded into this process: a
/// broken driver must not take the diagnosis with it.
///
/// @param checks in the order shown
public record Diagnosis(List<Check> checks) {
    private static final long ENOUGH_DISK = 1L << 30;
    private static final long ENOUGH_MEMORY = 1L << 30;

    public Diagnosis {
        checks = List.copyOf(checks);
    }

    /// How something stands.
    public enum State {
        /// There, and as far as can be told it works.
        FOUND("found"),
        /// Not there.
        ABSENT("absent"),
        /// There, but something is wrong.
        TROUBLE("trouble");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /// The word shown.
        public String words() {
            return words;
        }
    }

    /// One thing looked for.
    ///
    /// @param name what
    /// @param state how it stands
    /// @param needed whether the program cannot work without it
    /// @param found what exactly was found, or where it was looked for
    /// @param advice how to fix it, or that it is not needed; empty where nothing needs fixing
    public record Check(String name, State state, boolean needed, String found, String advice) {}

    /// Looks at this machine.
    ///
    /// @param here the folder whose disk is examined
    public static Diagnosis ofThisMachine(Path here) {
        Diagnosis found = of(
                new Machine(System.getenv(), System.getProperties()),
                here,
                Display.whyNone(),
                Runtime.getRuntime().maxMemory(),
                Runtime.getRuntime().availableProcessors());
        var checks = new ArrayList<>(found.checks);
        int at = checks.size() - 1;
        checks.addAll(at, List.of(device("cuda"), device("opencl"), resources()));
        return new Diagnosis(checks);
    }

    /// Asks a device what it is, as tuning does: in a process of its own.
    private static Check device(String name) {
        try (HardwareDevice d = HardwareDevice.open(name, MeasureSettings.DEFAULT)) {
            return new Check(
                    "Device " + name,
                    State.FOUND,
                    false,
                    d.info().hardware() + ", " + d.info().version(),
                    d.info().caution());
        } catch (UserError e) {
            return new Check(
                    "Device " + name,
                    State.ABSENT,
                    false,
                    e.getMessage(),
                    "only needed to measure kernels with --device " + name + "; the models of GPUs need none");
        }
    }

    private static Check resources() {
        return KernelResources.whyNot()
                .map(why -> new Check(
                        "CUDA resources",
                        State.ABSENT,
                        false,
                        why,
                        "not needed to tune; to see registers and spills, put nvcc of CUDA 12 on the PATH"))
                .orElse(new Check(
                        "CUDA resources",
                        State.FOUND,
                        false,
                        "registers and spills of kernels can be told without a GPU",
                        ""));
    }

    static Diagnosis of(Machine machine, Path here, Optional<String> whyNoDisplay, long maxMemory, int processors) {
        var checks = new ArrayList<Check>();
        Properties p = machine.properties();
        checks.add(new Check(
                "Java",
                State.FOUND,
                true,
                p.getProperty("java.version") + " (" + p.getProperty("java.vendor") + "), "
                        + p.getProperty("java.home"),
                ""));
        checks.add(new Check(
                "Machine",
                State.FOUND,
                true,
                p.getProperty("os.name") + " " + p.getProperty("os.arch") + ", " + processors
                        + (processors == 1 ? " processor" : " processors"),
                ""));
        checks.add(
                maxMemory < ENOUGH_MEMORY
                        ? new Check(
                                "Memory",
                                State.TROUBLE,
                                false,
                                bytes(maxMemory) + " for the program",
                                "give Java more, for example KNOBSCAPE_JAVA_OPTS=-Xmx4g")
                        : new Check("Memory", State.FOUND, false, bytes(maxMemory) + " for the program", ""));
        checks.add(disk(here));
        checks.add(library("Store (SQLite)", () -> {
            try (var c = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:");
                    var s = c.createStatement();
                    var r = s.executeQuery("SELECT sqlite_version()")) {
                return r.getString(1);
            }
        }));
        checks.add(whyNoDisplay
                .map(why -> new Check(
                        "Display", State.ABSENT, false, why, "without it the command line does the same work"))
                .orElse(new Check(
                        "Display",
                        State.FOUND,
                        false,
                        machine.environment("DISPLAY").orElse("this system's"),
                        "")));
        checks.add(fpga(
                machine,
                "Vitis HLS",
                List.of("vitis-run", "vitis_hls", "vivado_hls"),
                List.of("XILINX_HLS", "XILINX_VITIS")));
        checks.add(fpga(machine, "Vivado", List.of("vivado"), List.of("XILINX_VIVADO")));
        checks.add(pyosys(
                machine,
                open(
                        machine,
                        "Yosys",
                        OpenTools.YOSYS,
                        "only --toolchain open tells area by it; " + OpenTools.ADVICE)));
        checks.add(open(
                machine,
                "nextpnr",
                OpenTools.NEXTPNR,
                "only --toolchain open tells the clock by it; " + OpenTools.ADVICE));
        checks.add(open(
                machine,
                "Icarus Verilog",
                List.of("iverilog"),
                "only 'make simulate' of exported Verilog needs it; install iverilog by the system's packages"));
        checks.add(part(machine, here));
        checks.add(licence(machine));
        checks.add(jobs(ToolSettings.memoryGb(), processors));
        checks.add(gpu(machine));
        checks.add(cuda(machine));
        checks.add(openCl(machine));
        checks.add(
                machine.program("sbatch")
                        .map(s -> slurm(machine, s))
                        .orElse(
                                new Check(
                                        "Slurm",
                                        State.ABSENT,
                                        false,
                                        "no sbatch on the PATH",
                                        "not needed: tools run on this machine; for --engine slurm start the program where sbatch is")));
        return new Diagnosis(checks);
    }

    /// All checks as text, a paragraph each.
    public String text() {
        return checks.stream()
                .map(c -> c.name() + " (" + c.state().words() + "): " + c.found()
                        + (c.advice().isEmpty() ? "" : "\n    " + remedy(c)))
                .collect(Collectors.joining("\n\n"));
    }

    private static String remedy(Check c) {
        return c.state() == State.ABSENT
                ? c.advice().substring(0, 1).toUpperCase(Locale.ROOT)
                        + c.advice().substring(1)
                : "To fix it: " + c.advice();
    }

    /// True if everything needed is there.
    public boolean isUsable() {
        return checks.stream().noneMatch(c -> c.needed() && c.state() != State.FOUND);
    }

    private static Check disk(Path here) {
        if (!Files.isWritable(here)) {
            return new Check(
                    "Disk", State.TROUBLE, false, here + " cannot be written", "start in another folder or give --out");
        }
        // Not of its file store, which Java does not find where the root was changed.
        long free = here.toFile().getUsableSpace();
        return free < ENOUGH_DISK
                ? new Check(
                        "Disk",
                        State.TROUBLE,
                        false,
                        bytes(free) + " free in " + here,
                        "make room: runs grow by about a kilobyte per design, tools by up to a gigabyte (\"diskGb\" in \"tool\" limits it)")
                : new Check("Disk", State.FOUND, false, bytes(free) + " free in " + here, "");
    }

    @FunctionalInterface
    private interface Probe {
        String version() throws Exception;
    }

    private static Check library(String name, Probe probe) {
        try {
            return new Check(name, State.FOUND, true, probe.version(), "");
        } catch (Exception | LinkageError e) {
            return new Check(
                    name,
                    State.TROUBLE,
                    true,
                    String.valueOf(e.getMessage()),
                    "its native library is unpacked into the temporary folder (java.io.tmpdir): is that writable, and may programs run from it?");
        }
    }

    /// Which partitions there are; `sbatch` alone says nothing about a cluster.
    private static Check slurm(Machine machine, Path sbatch) {
        return machine.firstLine("sinfo", "--noheader", "--format=%R (%a, %D nodes)")
                .map(p -> new Check("Slurm", State.FOUND, false, sbatch + ", partition " + p, ""))
                .orElse(new Check(
                        "Slurm",
                        State.TROUBLE,
                        false,
                        sbatch + ", but sinfo names no partition",
                        "start the controller, or correct SLURM_CONF; --engine slurm needs it"));
    }

    /// Looks whether Vivado has the part of the project in this folder, or the default part without a project.
    private static Check part(Machine machine, Path here) {
        String name = "Part installed";
        String part;
        try {
            Path project = here.resolve(ProjectFile.FILE_NAME);
            part = Part.named(
                            Files.isRegularFile(project)
                                            && ProjectFile.read(project).work() instanceof HlsSettings s
                                    ? s.part()
                                    : Optional.empty())
                    .orderingName();
        } catch (UserError e) {
            return new Check(name, State.TROUBLE, false, e.getMessage(), "name a part that is known in knobscape.json");
        }
        if (machine.program("vivado").isEmpty()) {
            return new Check(
                    name,
                    State.ABSENT,
                    false,
                    "no Vivado to ask for " + part,
                    "the built-in estimator needs none; to measure, source Vivado's settings64.sh");
        }
        Optional<String> answer = machine.vivado("puts \"PARTS [llength [get_parts -quiet " + part + "]]\"");
        if (answer.isEmpty()) {
            return new Check(
                    name,
                    State.TROUBLE,
                    false,
                    "Vivado does not answer in batch mode",
                    "start 'vivado -mode batch' by hand: it says what is missing (a library, a licence, a home that can be written)");
        }
        return answer.get().equals("PARTS 0")
                ? new Check(
                        name,
                        State.TROUBLE,
                        false,
                        "Vivado does not have " + part,
                        "install its device family (Vivado: Help, Add Design Tools or Devices), or choose another with --part")
                : new Check(name, State.FOUND, false, part, "");
    }

    /// How many jobs of tools fit into the memory.
    static Check jobs(double memoryGb, int processors) {
        double gb = ToolSettings.DEFAULT.budget().jobGb();
        int jobs = (int) Math.min(processors, memoryGb / gb);
        String found = String.format(
                Locale.ROOT, "%.0f GiB, %d processors: %d jobs of %.0f GiB at once", memoryGb, processors, jobs, gb);
        return jobs < 1
                ? new Check(
                        "Memory per job",
                        State.TROUBLE,
                        false,
                        found,
                        "tools of large parts take up to 20 GiB a job: use a larger machine, or Slurm (--engine slurm)")
                : new Check(
                        "Memory per job",
                        State.FOUND,
                        false,
                        found,
                        memoryGb < 20
                                ? "place and route of a large part takes up to 20 GiB: set \"jobGb\" in \"tool\""
                                : "");
    }

    /// Where the vendor's tools look for licences; free parts need none.
    private static Check licence(Machine machine) {
        Optional<String> gone = java.util.stream.Stream.of("XILINXD_LICENSE_FILE", "LM_LICENSE_FILE")
                .flatMap(v -> machine.environment(v).stream())
                .flatMap(v ->
                        java.util.Arrays.stream(v.split(java.util.regex.Pattern.quote(java.io.File.pathSeparator))))
                .filter(f -> !f.isBlank() && !f.contains("@") && !Files.exists(Path.of(f)))
                .findFirst();
        if (gone.isPresent()) {
            return new Check(
                    "FPGA licence",
                    State.TROUBLE,
                    false,
                    "there is no file " + gone.get(),
                    "correct XILINXD_LICENSE_FILE or LM_LICENSE_FILE: a licence file, or PORT@SERVER");
        }
        return java.util.stream.Stream.of("XILINXD_LICENSE_FILE", "LM_LICENSE_FILE")
                .flatMap(v -> machine.environment(v).map(e -> v + "=" + e).stream())
                .findFirst()
                .map(e -> new Check("FPGA licence", State.FOUND, false, e, ""))
                .orElse(new Check(
                        "FPGA licence",
                        State.ABSENT,
                        false,
                        "neither XILINXD_LICENSE_FILE nor LM_LICENSE_FILE is set",
                        "small parts need none; for the others set one of them to the licence file or PORT@SERVER"));
    }

    private static Check fpga(Machine machine, String name, List<String> programs, List<String> variables) {
        for (String program : programs) {
            Optional<Path> at = machine.program(program);
            if (at.isPresent()) {
                Optional<String> version =
                        machine.firstLine(program, program.equals("vitis-run") ? "--version" : "-version");
                return version.map(v -> new Check(name, State.FOUND, false, at.get() + ", " + v, ""))
                        .orElse(new Check(
                                name,
                                State.TROUBLE,
                                false,
                                at.get() + " does not tell its version",
                                "start it once by hand: it says what is missing (a library, settings64.sh)"));
            }
        }
        for (String v : variables) {
            Optional<String> home = machine.environment(v);
            if (home.isPresent()) {
                return new Check(
                        name,
                        State.TROUBLE,
                        false,
                        v + "=" + home.get() + ", but " + programs.getFirst() + " is not on the PATH",
                        "source its settings64.sh");
            }
        }
        return new Check(
                name,
                State.ABSENT,
                false,
                "no " + programs.getFirst() + " on the PATH",
                "the built-in estimator needs none; to measure, source the tool's settings64.sh");
    }

    /// An open tool. It is not started: the first start of a Python package takes minutes.
    private static Check open(Machine machine, String name, List<String> programs, String advice) {
        return programs.stream()
                .flatMap(p -> machine.program(p).stream())
                .findFirst()
                .map(at -> new Check(name, State.FOUND, false, at.toString(), ""))
                .orElse(new Check(
                        name,
                        State.ABSENT,
                        false,
                        "no " + String.join(" or ", programs) + " on the PATH",
                        "not needed: " + advice));
    }

    /// Yosys is a module of Python too, without a program.
    private static Check pyosys(Machine machine, Check program) {
        return program.state() == State.FOUND
                ? program
                : OpenTools.PYTHON.stream()
                        .flatMap(p -> machine.firstLine(p, "-c", OpenTools.PYOSYS, "-V").stream()
                                .map(v -> new Check(program.name(), State.FOUND, false, v + ", pyosys of " + p, "")))
                        .findFirst()
                        .orElse(program);
    }

    private static Check gpu(Machine machine) {
        Optional<String> name =
                machine.firstLine("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader");
        if (name.isPresent()) {
            return new Check("GPU", State.FOUND, false, name.get(), "");
        }
        return machine.program("nvidia-smi")
                .map(at -> new Check(
                        "GPU",
                        State.TROUBLE,
                        false,
                        at + " gives no answer",
                        "load the driver; nvidia-smi, started by hand, says what is wrong"))
                .orElse(new Check(
                        "GPU",
                        State.ABSENT,
                        false,
                        "no nvidia-smi on the PATH",
                        "the models of GPUs need none; to measure on an NVIDIA GPU, install its driver"));
    }

    private static Check cuda(Machine machine) {
        Optional<Path> nvcc = machine.program("nvcc");
        Optional<Path> nvrtc = machine.library("libnvrtc.so.12", "nvrtc64_120_0.dll");
        if (nvcc.isEmpty() && nvrtc.isEmpty()) {
            return new Check(
                    "CUDA",
                    State.ABSENT,
                    false,
                    "neither nvcc nor libnvrtc.so.12",
                    "only needed for --device cuda: install the CUDA toolkit 12 and put nvcc on the PATH");
        }
        return new Check(
                "CUDA",
                State.FOUND,
                false,
                String.join(
                        ", ",
                        java.util.stream.Stream.of(nvcc, nvrtc)
                                .flatMap(Optional::stream)
                                .map(Path::toString)
                                .toList()),
                "");
    }

    private static Check openCl(Machine machine) {
        Optional<Path> loader = machine.library("libOpenCL.so.1", "OpenCL.dll");
        List<String> vendors = machine.openClVendors();
        if (loader.isEmpty() && vendors.isEmpty()) {
            return new Check(
                    "OpenCL",
                    State.ABSENT,
                    false,
                    "no libOpenCL and no /etc/OpenCL/vendors",
                    "only needed for --device opencl: install the loader and a device's driver (Debian and Ubuntu, for the CPU: ocl-icd-libopencl1 and pocl-opencl-icd)");
        }
        if (loader.isEmpty()) {
            return new Check(
                    "OpenCL",
                    State.TROUBLE,
                    false,
                    "devices " + String.join(", ", vendors) + ", but no libOpenCL.so.1",
                    "install the loader (Debian and Ubuntu: ocl-icd-libopencl1)");
        }
        return vendors.isEmpty()
                ? new Check(
                        "OpenCL",
                        State.TROUBLE,
                        false,
                        loader.get() + ", but no device in /etc/OpenCL/vendors",
                        "install a device's driver; for the CPU: pocl-opencl-icd")
                : new Check("OpenCL", State.FOUND, false, loader.get() + ", " + String.join(", ", vendors), "");
    }

    private static String bytes(long n) {
        return n >= 1L << 30 ? String.format(Locale.ROOT, "%.1f GiB", n / (double) (1L << 30)) : (n >> 20) + " MiB";
    }
}
