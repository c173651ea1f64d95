package knobscape.hls.evaluate.vendor;

/// Patience with a tool.
///
/// @param stageMinutes longest time of one stage
/// @param learnedFactor once three stages of a kind are known, their median times this is the limit; asked again at
/// the longest time before a design counts as timed out
/// @param crashRetries further attempts after a crash
/// @param licenceHours how long a licence is waited for
/// @param pauseSeconds first pause before another attempt; doubled each time, up to ten minutes
public record ToolLimits(
        double stageMinutes, double learnedFactor, int crashRetries, double licenceHours, double pauseSeconds) {
    /// Six hours a stage, five times the median, three more attempts after a crash, a night for a licence.
    public static final ToolLimits DEFAULT = new ToolLimits(360, 5, 3, 12, 20);

    public ToolLimits {
        require(stageMinutes > 0 && Double.isFinite(stageMinutes), "the longest time of a stage", stageMinutes);
        require(learnedFactor >= 1, "the factor on the median time", learnedFactor);
        require(crashRetries >= 0, "the number of further attempts", crashRetries);
        require(licenceHours >= 0, "the time a licence is waited for", licenceHours);
        require(pauseSeconds >= 0 && Double.isFinite(pauseSeconds), "the pause between attempts", pauseSeconds);
    }

    private static void require(boolean holds, String what, double value) {
        if (!holds) {
            throw new IllegalArgumentException(what + " cannot be " + value);
        }
    }
}
