package knobscape.work.tool;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.TextList;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;

/// How tools are run.
///
/// @param values of [#PARAMETERS]
public record ToolSettings(Values values) {
    private static final Set<String> OWN_OPTIONS =
            Set.of("--array", "--chdir", "--job-name", "--output", "--parsable", "--wait", "--wrap");

    /// Where tools run.
    public enum EngineKind {
        /// On this machine.
        LOCAL,
        /// As jobs of a Slurm cluster whose file system this machine shares.
        SLURM
    }

    private static final String STAGE = "tool.";
    private static final String BUDGET = "tool.budget.";

    /// Longest time of one stage in minutes.
    public static final Parameter<Double> STAGE_MINUTES = Parameter.real(
                    STAGE + "stageMinutes", 360, ValueType.above(0, 100_000))
            .unit("min")
            .words("Stage limit", "Longest time of one stage of a tool; shorter limits are learned")
            .group("Tools");
    /// Once three stages of a kind are known, the longest of them times this is the limit; asked again at the longest
    /// time before a design counts as timed out.
    public static final Parameter<Double> LEARNED_FACTOR =
            Parameter.real(STAGE + "learnedFactor", 5, ValueType.from(1, Integer.MAX_VALUE));
    /// Further attempts after a crash.
    public static final Parameter<Integer> CRASH_RETRIES =
            Parameter.count(STAGE + "crashRetries", 3, 0, Integer.MAX_VALUE);
    /// How long a licence is waited for.
    public static final Parameter<Double> LICENCE_HOURS =
            Parameter.real(STAGE + "licenceHours", 12, ValueType.from(0, Integer.MAX_VALUE));
    /// First pause before another attempt; doubled each time, up to ten minutes.
    public static final Parameter<Double> PAUSE_SECONDS =
            Parameter.real(STAGE + "pauseSeconds", 20, ValueType.from(0, Integer.MAX_VALUE));
    /// Where they run.
    public static final Parameter<EngineKind> ENGINE = Parameter.choice(STAGE + "engine", EngineKind.LOCAL)
            .words("Tools run on", "Where tools run: this machine, or a Slurm cluster that shares its files")
            .option("--engine", "NAME")
            .group("Tools");
    /// Further options of Slurm's `sbatch` (`--partition=long`, `--licenses=vivado:1`).
    public static final Parameter<List<String>> SBATCH = Parameter.texts(
            STAGE + "sbatch",
            new TextList(
                    ValueType.text()
                            .that(
                                    ToolSettings::isFree,
                                    "options of sbatch written as --name=value that the program does not set itself"),
                    " ",
                    false));
    /// Time between two questions for the queue of a cluster; some ask their users to ask seldom.
    public static final Parameter<Double> QUEUE_SECONDS =
            Parameter.real(STAGE + "queueSeconds", 2, ValueType.from(0.1, 3600));
    /// Memory of a job in GiB; one that places and routes can take 20.
    public static final Parameter<Double> JOB_GB = Parameter.real(BUDGET + "jobGb", 4, ValueType.above(0, 100_000))
            .at("tool.jobGb")
            .unit("GiB")
            .words("Memory per job", "At most as many jobs run at once as fit into this machine's memory")
            .group("Tools");
    /// Jobs that may run at once for want of licences.
    public static final Parameter<Integer> LICENCES = Parameter.count(BUDGET + "licences", 0, 0, 1_000_000)
            .at("tool.licences")
            .none("no limit")
            .words("Licences", "Jobs that may run at once for want of licences")
            .group("Tools");
    /// Room for the folders of designs in GiB: where it is over, the projects of those evaluated longest ago go
    /// (reports and logs stay).
    public static final Parameter<Double> DISK_GB = Parameter.real(BUDGET + "diskGb", 0, ValueType.from(0, 100_000))
            .at("tool.diskGb")
            .none("no limit")
            .unit("GiB")
            .words("Disk", "Room for the folders of designs; over it, old projects go and reports stay")
            .group("Tools");

    /// Everything that is declared of them.
    public static final Parameters PARAMETERS = Parameters.of(
            ENGINE,
            STAGE_MINUTES,
            LEARNED_FACTOR,
            CRASH_RETRIES,
            LICENCE_HOURS,
            PAUSE_SECONDS,
            SBATCH,
            QUEUE_SECONDS,
            JOB_GB,
            LICENCES,
            DISK_GB);

    /// Six hours a stage, five times the longest known, three more attempts after a crash, a night for a licence, on
    /// this
    /// machine.
    public static final ToolSettings DEFAULT = new ToolSettings(PARAMETERS.usual());

    private static boolean isFree(String option) {
        return option.matches("--[a-z][a-z-]*(=[A-Za-z0-9_.,:/%*+@-]+)?")
                && !OWN_OPTIONS.contains(option.split("=", 2)[0]);
    }

    /// The same with another value of one setting. Throws [IllegalArgumentException] where it cannot be.
    public <T> ToolSettings with(Parameter<T> parameter, T value) {
        return new ToolSettings(values.with(parameter, value));
    }

    /// Longest time of one stage in minutes.
    public double stageMinutes() {
        return values.get(STAGE_MINUTES);
    }

    /// Factor on the longest known time of a stage that is its limit.
    public double learnedFactor() {
        return values.get(LEARNED_FACTOR);
    }

    /// Further attempts after a crash.
    public int crashRetries() {
        return values.get(CRASH_RETRIES);
    }

    /// How long a licence is waited for.
    public double licenceHours() {
        return values.get(LICENCE_HOURS);
    }

    /// First pause before another attempt.
    public double pauseSeconds() {
        return values.get(PAUSE_SECONDS);
    }

    /// Where they run.
    public EngineKind engine() {
        return values.get(ENGINE);
    }

    /// Further options of `sbatch`.
    public List<String> sbatch() {
        return values.get(SBATCH);
    }

    /// Time between two questions for the queue of a cluster.
    public double queueSeconds() {
        return values.get(QUEUE_SECONDS);
    }

    /// The resources that jobs may use.
    public JobBudget budget() {
        return new JobBudget(values.get(JOB_GB), values.get(LICENCES), values.get(DISK_GB));
    }

    /// Jobs that run at once: on this machine within its processors and memory, on a cluster as it likes.
    public int jobs() {
        return engine() == EngineKind.SLURM
                ? budget().licences() > 0 ? budget().licences() : Integer.MAX_VALUE
                : budget().jobs(Runtime.getRuntime().availableProcessors(), memoryGb());
    }

    /// Memory of this machine in GiB.
    public static double memoryGb() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean m
                ? m.getTotalMemorySize() / (double) (1L << 30)
                : Double.MAX_VALUE;
    }
}
