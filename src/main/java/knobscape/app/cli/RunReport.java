package knobscape.app.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.Session;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;
import knobscape.work.parameter.Parameter;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ObjectNode;

/// The report of an area's verb beside what every run tells: while it goes, and when it has ended.
interface RunReport {
    /// A run that is about to begin or go on.
    ///
    /// @param opened the work
    /// @param run how it goes
    /// @param folder results are written there; empty where nobody asked for files
    /// @param guard keeps files that are not this program's
    /// @param resumed the stored run that goes on; empty for a new one
    record Start(
            Session<? extends Workbench> opened,
            RunSettings run,
            Optional<Path> folder,
            FileGuard guard,
            Optional<RunRecord> resumed) {
        Project project() {
            return opened.project();
        }
    }

    /// The final report.
    ///
    /// @param json the document
    /// @param text for a person, lines
    /// @param note one sentence on standard error, empty for none
    /// @param isOfUse whether a completed run came to something; exit status 1 where it did not
    record Conclusion(ObjectNode json, String text, String note, boolean isOfUse) {}

    /// Names of the files that it writes into a folder, which are checked before the run begins.
    List<String> files();

    /// Lines of what a person should know before.
    default List<String> notes(Start start) {
        return List.of();
    }

    /// The settled work, where what was given decides about other settings; the same by default. Throws
    /// [IllegalArgumentException] for what cannot be together.
    ///
    /// @param given the settings that were given
    /// @param isProject whether a project was named, and not a source by itself
    default Area.Work settled(Area.Work asked, Set<Parameter<?>> given, boolean isProject) {
        return asked;
    }

    /// Further verbs below the area's.
    default List<CommandSpec> further(CommandContext context) {
        return List.of();
    }

    /// Answers what needs no source; gives the exit status, empty for everything else.
    default Optional<Integer> listed(Verb verb, Map<Parameter<?>, ParameterOptions.OptionUse> given) {
        return Optional.empty();
    }

    /// True if an option of its own asks for something that is no run.
    default boolean isAsked() {
        return false;
    }

    /// The report in place of a run; empty where a run is asked for.
    ///
    /// @param given the settings that were given
    default Optional<Conclusion> instead(Start start, Set<Parameter<?>> given) {
        return Optional.empty();
    }

    /// Listeners that tell how the run goes.
    ///
    /// @param err standard error
    /// @param usual tells steps and the front
    default List<RunListener> watchers(Start start, PrintWriter err, RunListener usual) {
        return List.of(usual);
    }

    /// Writes what is written and gives what is told.
    Conclusion conclude(Start start, RunResults results, RunEvent.Finished end);
}
