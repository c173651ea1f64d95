package knobscape.hls.evaluate.vendor;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;

/// How tools are run.
///
/// @param stageMinutes longest time of one stage
/// @param learnedFactor once three stages of a kind are known, their median times this is the limit; asked again at
/// the longest time before a design counts as timed out
/// @param crashRetries further attempts after a crash
/// @param licenceHours how long a licence is waited for
/// @param pauseSeconds first pause before another attempt; doubled each time, up to ten minutes
/// @param engine where they run
/// @param sbatch further options of Slurm's `sbatch` (`--partition=long`, `--licenses=vivado:1`)
/// @param options what the tool is told besides the design
/// @param budget what jobs may use
/// @param script whether the unified tools (2024.2 and later) are driven by a script or a configuration file
public record ToolSettings(
        double stageMinutes,
        double learnedFactor,
        int crashRetries,
        double licenceHours,
        double pauseSeconds,
        EngineKind engine,
        List<String> sbatch,
        ToolOptions options,
        JobBudget budget,
        Script script) {
    private static final Set<String> OWN_OPTIONS =
            Set.of("--array", "--chdir", "--job-name", "--output", "--parsable", "--wait", "--wrap");

    /// What drives the tool.
    public enum Script {
        /// A Tcl script, which every version takes.
        TCL,
        /// `hls_config.cfg` for `v++ -c --mode hls` and `vitis-run --mode hls`.
        CFG
    }

    /// Settings of earlier versions, without options and budget.
    public ToolSettings(
            double stageMinutes,
            double learnedFactor,
            int crashRetries,
            double licenceHours,
            double pauseSeconds,
            EngineKind engine,
            List<String> sbatch) {
        this(
                stageMinutes,
                learnedFactor,
                crashRetries,
                licenceHours,
                pauseSeconds,
                engine,
                sbatch,
                ToolOptions.NONE,
                JobBudget.DEFAULT,
                Script.TCL);
    }

    /// Six hours a stage, five times the median, three more attempts after a crash, a night for a licence, on this
    /// machine.
    public static final ToolSettings DEFAULT = new ToolSettings(360, 5, 3, 12, 20, EngineKind.LOCAL, List.of());

    /// Where tools run.
    public enum EngineKind {
        /// On this machine.
        LOCAL,
        /// As jobs of a Slurm cluster whose file system this machine shares.
        SLURM
    }

    public ToolSettings {
        sbatch = List.copyOf(sbatch);
        // Runs of earlier versions have none of these.
        options = Objects.requireNonNullElse(options, ToolOptions.NONE);
        budget = Objects.requireNonNullElse(budget, JobBudget.DEFAULT);
        script = Objects.requireNonNullElse(script, Script.TCL);
        JobBudget.require(
                stageMinutes > 0 && Double.isFinite(stageMinutes), "the longest time of a stage", stageMinutes);
        JobBudget.require(learnedFactor >= 1, "the factor on the median time", learnedFactor);
        JobBudget.require(crashRetries >= 0, "the number of further attempts", crashRetries);
        JobBudget.require(licenceHours >= 0, "the time a licence is waited for", licenceHours);
        JobBudget.require(
                pauseSeconds >= 0 && Double.isFinite(pauseSeconds), "the pause between attempts", pauseSeconds);
        for (String option : sbatch) {
            if (!option.matches("--[a-z][a-z-]*(=[A-Za-z0-9_.,:/%*+@-]+)?")) {
                throw new IllegalArgumentException("'" + option + "' is no option of sbatch; write it as --name=value");
            }
            if (OWN_OPTIONS.contains(option.split("=", 2)[0])) {
                throw new IllegalArgumentException("'" + option + "' is set by the program itself; leave it out");
            }
        }
    }

    /// Jobs that run at once: on this machine within its processors and memory, on a cluster as it likes.
    public int jobs() {
        return engine == EngineKind.SLURM
                ? budget.licences() > 0 ? budget.licences() : Integer.MAX_VALUE
                : budget.jobs(Runtime.getRuntime().availableProcessors(), memoryGb());
    }

    /// Memory of this machine in GiB.
    public static double memoryGb() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean m
                ? m.getTotalMemorySize() / (double) (1L << 30)
                : Double.MAX_VALUE;
    }

    /// The same for another flow.
    public ToolSettings with(Flow flow) {
        return with(options.with(flow));
    }

    /// The same with other things that the tool is told.
    public ToolSettings with(ToolOptions others) {
        return new ToolSettings(
                stageMinutes,
                learnedFactor,
                crashRetries,
                licenceHours,
                pauseSeconds,
                engine,
                sbatch,
                others,
                budget,
                script);
    }

    /// The same on another engine.
    public ToolSettings with(EngineKind other) {
        return new ToolSettings(
                stageMinutes,
                learnedFactor,
                crashRetries,
                licenceHours,
                pauseSeconds,
                other,
                sbatch,
                options,
                budget,
                script);
    }
}
