package knobscape.hls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.open.OpenFlow;
import knobscape.work.Choices;

/// The toolchains that can evaluate designs of the HLS area, in the order shown.
public final class Toolchains {
    private Toolchains() {}

    /// The toolchains that come with the program.
    public static Choices<Toolchain> standard() {
        return new Choices<>(
                "toolchain",
                List.of(
                        new Toolchain(
                                EstimatorEvaluator.NAME,
                                "Built-in estimator",
                                "Estimates every stage of the FPGA flow by itself; needs no tool.",
                                job -> new EstimatorEvaluator(
                                        job.space(), job.kernel().estimator(job.seed(), job.runs()))),
                        new Toolchain(
                                OpenFlow.OPEN.word(),
                                "Open tools, ECP5",
                                "Makes the hardware itself and simulates it; Yosys and nextpnr, where installed, tell area and clock. open:xc7 for Xilinx 7 (area only), open:FOLDER names the tools.",
                                job -> OpenFlow.evaluator(
                                        job.argument(),
                                        job.folder(),
                                        work(job),
                                        job.kernel().tool(),
                                        folder(job, OpenFlow.OPEN))),
                        new Toolchain(
                                VendorTools.VITIS.word(),
                                "Vitis or Vivado HLS",
                                "Runs AMD's tools: C synthesis, logic synthesis, implementation. vitis:FOLDER names the installation.",
                                job -> VendorTools.vitis(
                                        job.argument(),
                                        work(job),
                                        job.kernel().tool(),
                                        folder(job, VendorTools.VITIS))),
                        new Toolchain(
                                EvaluatorKind.COMMAND.word(),
                                "Your own program",
                                "Starts a program of your own per design and stage (command:FILE); it writes result.json or a vendor's report.",
                                job -> VendorTools.command(
                                        job.argument(),
                                        job.folder(),
                                        work(job),
                                        job.kernel().tool(),
                                        folder(job, EvaluatorKind.COMMAND))),
                        new Toolchain(
                                EvaluatorKind.TOLD.word(),
                                "Told by you",
                                "You evaluate the designs and tell the results (knobscape ask, knobscape tell); told:FILE describes stages, metrics and objectives.",
                                job -> VendorTools.told(job.argument(), job.folder(), work(job)))));
    }

    static ToolWork work(Toolchain.Job job) {
        HlsSettings k = job.kernel();
        return new ToolWork(
                job.space(),
                Part.named(k.part()),
                k.clockNs(),
                k.includeDirs().stream()
                        .map(i -> job.folder().resolve(i).toAbsolutePath().normalize())
                        .toList(),
                k.defines(),
                options(job));
    }

    /// The tool's options with absolute places. Throws [UserError] for a folder or file that is not there.
    static ToolOptions options(Toolchain.Job job) {
        ToolOptions o = job.kernel().toolOptions();
        return o.with(
                        ToolOptions.C_FLAGS,
                        o.cFlags().stream()
                                .map(f -> f.startsWith("-I")
                                        ? "-I" + existing(job, f.substring(2), "folder of headers")
                                        : f)
                                .toList())
                .with(
                        ToolOptions.TESTBENCH,
                        o.testbench().stream()
                                .map(f -> existing(job, f, "testbench"))
                                .toList());
    }

    private static String existing(Toolchain.Job job, String path, String what) {
        Path p = job.folder().resolve(path).toAbsolutePath().normalize();
        if (!Files.exists(p)) {
            throw new UserError(
                    "The " + what + " '" + path + "' of the tool's settings is not there (looked for " + p + ").");
        }
        return p.toString().replace('\\', '/');
    }

    static Path folder(Toolchain.Job job, EvaluatorKind kind) {
        return job.runs().resolve("tools").resolve(kind.word());
    }

    /// Those that a window offers: they evaluate by themselves.
    public static List<Toolchain> fitting(Choices<Toolchain> known) {
        return known.all().stream()
                .filter(t -> !t.name().equals(EvaluatorKind.TOLD.word()))
                .toList();
    }

    /// The toolchain that `argument` (`estimator`, `command:FILE`) names; throws [UserError] naming the nearest
    /// where there is none.
    public static Toolchain named(Choices<Toolchain> known, String argument) {
        return known.named(EvaluatorKind.of(argument).word());
    }

    /// Makes the evaluator that `argument` names for a job; what stands behind the colon replaces the job's
    /// argument.
    public static Evaluator create(Choices<Toolchain> known, String argument, Toolchain.Job job) {
        String rest = EvaluatorKind.of(argument).argument(argument).orElse("");
        return named(known, argument)
                .factory()
                .create(new Toolchain.Job(job.space(), job.kernel(), rest, job.folder(), job.runs(), job.seed()));
    }
}
