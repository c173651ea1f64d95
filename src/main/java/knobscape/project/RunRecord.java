package knobscape.project;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.UserError;
import knobscape.explore.Objectives;
import knobscape.space.KnobSet;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// A stored run without its evaluations.
///
/// @param id number within the project, from 1
/// @param name given by a person, empty where none was
/// @param work what is optimised
/// @param settings how
/// @param subjects what is searched, in order, at least one
/// @param origin how it began
/// @param standing how it stands
/// @param results folder that its results were last written to, where they were
public record RunRecord(
        long id,
        String name,
        WorkSettings work,
        RunSettings settings,
        List<StoredSubject> subjects,
        Origin origin,
        Standing standing,
        Optional<Path> results) {
    /// The beginning of a run.
    ///
    /// @param sourceHash SHA-256 of the sources and the directive file, to notice that they changed
    /// @param created when it began
    /// @param command the command line that repeats it
    /// @param program version of the program that began it
    public record Origin(String sourceHash, Instant created, String command, String program) {}

    /// The state of a run.
    ///
    /// @param reason why it ended, empty while it has not
    /// @param updated when something last arrived
    /// @param step optimisation steps completed by all subjects, -1 while the first initial designs are out
    /// @param toolSeconds tool time spent
    /// @param algorithmSeconds time the explorer itself took
    /// @param hypervolume of the newest front, NaN before the first step
    public record Standing(
            RunStatus status,
            String reason,
            Instant updated,
            int step,
            double toolSeconds,
            double algorithmSeconds,
            double hypervolume) {}

    public RunRecord {
        subjects = List.copyOf(subjects);
    }

    /// SHA-256 of what was read.
    public String sourceHash() {
        return origin.sourceHash;
    }

    /// When it began.
    public Instant created() {
        return origin.created;
    }

    /// The command line that repeats it.
    public String command() {
        return origin.command;
    }

    /// Version of the program that began it.
    public String program() {
        return origin.program;
    }

    /// How it stands.
    public RunStatus status() {
        return standing.status;
    }

    /// Why it ended, empty while it has not.
    public String reason() {
        return standing.reason;
    }

    /// When something last arrived.
    public Instant updated() {
        return standing.updated;
    }

    /// Steps completed by all subjects, -1 while the first initial designs are out.
    public int step() {
        return standing.step;
    }

    /// Tool time spent.
    public double toolSeconds() {
        return standing.toolSeconds;
    }

    /// Time the explorer itself took.
    public double algorithmSeconds() {
        return standing.algorithmSeconds;
    }

    /// Hypervolume of the newest front, NaN before the first step.
    public double hypervolume() {
        return standing.hypervolume;
    }

    /// The knobs of the first subject.
    public KnobSet knobs() {
        return subjects.getFirst().knobs();
    }

    /// Configurations of the first subject, a decimal number.
    public String spaceSize() {
        return subjects.getFirst().spaceSize();
    }

    /// The offer of the first subject's evaluator.
    public EvaluatorInfo info() {
        return subjects.getFirst().info();
    }

    /// Scales and reference point of the first subject, once its initial designs fixed them.
    public Optional<Objectives> objectives() {
        return subjects.getFirst().objectives();
    }

    /// The optimised work, where it is of one area. Throws [UserError] where the run is of another.
    ///
    /// @param type the settings of that area
    public <T extends WorkSettings> T work(Class<T> type) {
        if (type.isInstance(work)) {
            return type.cast(work);
        }
        throw new UserError("Run " + id + " is of '" + Areas.standard().of(work).title()
                + "'; on the command line it is for 'knobscape "
                + Areas.standard().of(work).verb() + "'.");
    }

    /// `run 3 (CGP, seed 1)`, or the name a person gave.
    public String title() {
        return name.isEmpty()
                ? "run " + id + " (" + Areas.standard().of(work).methods().label(settings.method()) + ", seed "
                        + settings.seed() + ")"
                : name;
    }

    /// The same, standing otherwise.
    RunRecord withStatus(RunStatus other) {
        return new RunRecord(
                id,
                name,
                work,
                settings,
                subjects,
                origin,
                new Standing(
                        other,
                        standing.reason,
                        standing.updated,
                        standing.step,
                        standing.toolSeconds,
                        standing.algorithmSeconds,
                        standing.hypervolume),
                results);
    }
}
