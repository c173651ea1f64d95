package knobscape.work.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.space.Configuration;
import knobscape.work.tool.ToolProcess.ProcessExit;

/// How one tool is driven: what it is given for a design and a stage, and how its answer is read.
public interface ToolFlow {
    /// Finds and asks the tool, once; nothing of a person's is run before. Throws [knobscape.evaluate.UserError] that
    /// says what is missing.
    void open();

    /// The offer of the tool, in general words before [#open()].
    EvaluatorInfo info();

    /// Version of the tool, for the provenance of its numbers.
    String version();

    /// True if it gets a home folder of its own in the folder of each design: tools keep settings there that many at
    /// once would damage.
    default boolean hasOwnHome() {
        return true;
    }

    /// True if a program that ended well without a result may have one the next time, as vendors' tools do that lose
    /// a report.
    default boolean mayLoseResults() {
        return true;
    }

    /// Longest time of a stage, beside what settings say; infinite where it has none of its own.
    default double limitSeconds(Fidelity stage) {
        return Double.POSITIVE_INFINITY;
    }

    /// True if what a stage measured and a later one does not tell is known of the design there, too.
    default boolean carriesValues() {
        return false;
    }

    /// The place that names a stage's program, before a sentence about it: `k.study.yaml:5: `; empty where none does.
    default String place(Fidelity stage) {
        return "";
    }

    /// Everything the result depends on, as text: directives, sources, part, clock, version.
    String inputs(Configuration configuration, Fidelity stage);

    /// Writes what the tool needs into the folder, removes earlier results of this stage, and gives the command;
    /// without
    /// steps where this program did the work itself.
    Command prepare(Configuration configuration, Fidelity stage, Path folder, CancellationSignal cancel);

    /// The result of a stage.
    ///
    /// @param log what the tool printed in this attempt
    Result read(Configuration configuration, Fidelity stage, Path folder, String log, ProcessExit ended);

    /// Removes what is large and not needed any more, once no later stage will follow.
    void clean(Path folder);

    /// Programs with their arguments, one after the other, and what their environment has beside this process's own.
    /// Where one ends with another status than 0, the rest is not started.
    record Command(List<List<String>> steps, Map<String, String> environment) {
        public Command {
            steps = List.copyOf(steps);
            environment = Map.copyOf(environment);
        }
    }

    /// An outcome.
    ///
    /// @param seconds the tool's own time of the stage, where it tells it
    record Result(Outcome outcome, OptionalDouble seconds) {}
}
