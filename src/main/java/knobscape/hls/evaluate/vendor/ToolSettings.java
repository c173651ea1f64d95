package knobscape.hls.evaluate.vendor;

import java.util.List;

/// How tools are run.
///
/// @param stageMinutes longest time of one stage
/// @param learnedFactor once three stages of a kind are known, their median times this is the limit; asked again at
/// the longest time before a design counts as timed out
/// @param crashRetries further attempts after a crash
/// @param licenceHours how long a licence is waited for
/// @param pauseSeconds first pause before another attempt; doubled each time, up to ten minutes
/// @param engine where they run
/// @param sbatch further options of Slurm's `sbatch` (`--partition=long`, `--mem=20G`, `--licenses=vivado:1`)
public record ToolSettings(
        double stageMinutes,
        double learnedFactor,
        int crashRetries,
        double licenceHours,
        double pauseSeconds,
        EngineKind engine,
        List<String> sbatch) {
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
        require(stageMinutes > 0 && Double.isFinite(stageMinutes), "the longest time of a stage", stageMinutes);
        require(learnedFactor >= 1, "the factor on the median time", learnedFactor);
        require(crashRetries >= 0, "the number of further attempts", crashRetries);
        require(licenceHours >= 0, "the time a licence is waited for", licenceHours);
        require(pauseSeconds >= 0 && Double.isFinite(pauseSeconds), "the pause between attempts", pauseSeconds);
        for (String option : sbatch) {
            if (!option.matches("--[a-z][a-z-]*(=[A-Za-z0-9_.,:/%*+@-]+)?")) {
                throw new IllegalArgumentException("'" + option + "' is no option of sbatch; write it as --name=value");
            }
        }
    }

    private static void require(boolean holds, String what, double value) {
        if (!holds) {
            throw new IllegalArgumentException(what + " cannot be " + value);
        }
    }

    /// The same on another engine.
    public ToolSettings with(EngineKind other) {
        return new ToolSettings(stageMinutes, learnedFactor, crashRetries, licenceHours, pauseSeconds, other, sbatch);
    }
}
