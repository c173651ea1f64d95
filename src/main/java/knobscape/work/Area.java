package knobscape.work;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;
import tools.jackson.databind.node.ObjectNode;

/// A kind of work: what its files are, how it is opened, which methods and evaluators it has. The upper floors
/// know an area by this interface alone.
public interface Area {
    /// Keys of a project file that are no settings.
    Set<String> FILE_KEYS = Set.of("formatVersion", "name", "description", "kind");

    /// The work: what is optimised and how.
    ///
    /// @param settings what
    /// @param run how
    record Work(WorkSettings settings, RunSettings run) {
        /// Both as values of all settings.
        public Values values() {
            return settings.values().and(run.values());
        }
    }

    /// Work opened from a bare file, without a project.
    ///
    /// @param name of the project it would make
    /// @param folder where its runs go unless another folder is named
    /// @param work everything by default
    record BareProject(String name, Path folder, Work work) {
        /// The same work with other settings.
        public BareProject with(WorkSettings settings) {
            return new BareProject(name, folder, new Work(settings, work.run()));
        }
    }

    /// The description of an area.
    ///
    /// @param kind name in files (`hls`)
    /// @param title for a person (`FPGA directives`)
    /// @param verb of the command line that runs it (`explore`)
    /// @param sourceExample a source as a project file names it (`"zoo:resnet18" or a network file`)
    /// @param help what help says of the verb
    record About(String kind, String title, String verb, String sourceExample, Help help) {}

    /// The help on an area's verb.
    ///
    /// @param purpose one sentence
    /// @param sourceLabel stands for what is opened (`PROJECT|SOURCE`)
    /// @param sourceWords explains it, in sentences
    /// @param nameOne completes "Name ...", where nothing is named
    record Help(String purpose, String sourceLabel, String sourceWords, String nameOne) {}

    /// The description of the area.
    About about();

    /// Name in files.
    default String kind() {
        return about().kind();
    }

    /// Title for a person.
    default String title() {
        return about().title();
    }

    /// Verb of the command line that runs it.
    default String verb() {
        return about().verb();
    }

    /// Its search methods.
    Choices<? extends Named> methods();

    /// The evaluators for the area.
    Choices<? extends Named> evaluators();

    /// The settings of its work, in the order shown.
    Parameters parameters();

    /// The settings of its runs ([RunSettings#parameters]).
    Parameters runParameters();

    /// Its settings with these values of [#parameters()].
    WorkSettings settings(Values values);

    /// Values of all settings with what follows from some of them for others; the same by default. Throws
    /// [UserError] for what cannot be together.
    default Values arranged(Values all) {
        return all;
    }

    /// Work with these values of all settings.
    default Work work(Values all) {
        Values arranged = arranged(all);
        return new Work(settings(arranged.only(parameters())), new RunSettings(arranged.only(runParameters())));
    }

    /// The settings of its work and of its runs.
    default Parameters allParameters() {
        return parameters().and(runParameters());
    }

    /// The work in a project file. Throws [UserError] naming file and key.
    ///
    /// @param project the whole file
    default Work read(JsonFields project) {
        try {
            Values all = arranged(allParameters().project(project, FILE_KEYS));
            if (all.find(WorkSettings.SOURCE).isEmpty()) {
                throw new UserError(
                        project.file() + " names no source; write \"source\": " + about().sourceExample() + ".");
            }
            all.check(p -> project.file() + ": " + p.key());
            return work(all);
        } catch (IllegalArgumentException e) {
            throw new UserError(project.file() + ": " + e.getMessage() + ".", e);
        }
    }

    /// Writes what [#read] reads.
    default void write(Work work, ObjectNode project) {
        parameters().writeProject(work.settings().values(), project);
        runParameters().writeProject(work.run().values(), project);
    }

    /// The work in a stored run.
    default WorkSettings readStored(JsonFields stored) {
        return settings(parameters().stored(stored));
    }

    /// The run settings in a stored run.
    default RunSettings readStoredRun(JsonFields stored) {
        return new RunSettings(runParameters().stored(stored));
    }

    /// True if a file without a project is this area's alone, by its name. None is by default: a network can be
    /// tuned as well as fused.
    default boolean accepts(Path file) {
        return false;
    }

    /// True if work that files keep under the name of another area is this area's now.
    ///
    /// @param kind that name
    /// @param work a project file, or what a stored run says of the work
    default boolean tookOver(String kind, JsonFields work) {
        return false;
    }

    /// The file in a folder without a project that this area opens; none by default.
    default Optional<Path> inside(Path folder) {
        return Optional.empty();
    }

    /// A source that the command line names, where it can be no project, as work with everything by default; empty
    /// where it is a file, which is opened as [#bare] says.
    ///
    /// @param text as typed
    /// @param here where the person is
    /// @param own the user's folder for runs
    default Optional<BareProject> named(String text, Path here, Path own) {
        return Optional.empty();
    }

    /// The source that an evaluator names by itself, as a set of measured designs does.
    default Optional<String> sourceIn(String toolchain) {
        return Optional.empty();
    }

    /// True if runs lie beside their results and share that folder with those of other sources.
    default boolean keepsRunsWithResults() {
        return false;
    }

    /// The method called `name`; throws [UserError] naming the nearest where there is none.
    default Named method(String name) {
        return methods().named(name);
    }

    /// The work with these settings: those that files they name bring along, where no option says
    /// otherwise; the settings themselves by default.
    default WorkSettings effective(Work work, WorkLocation place) {
        return work.settings();
    }

    /// The work with what it depends on outside of its files fixed, when a run begins; the same by default.
    ///
    /// @param history the user's tuning history, where there is one
    default Work begun(Work work, Optional<Path> history) {
        return work;
    }

    /// Names of the settings that a run may change when it is resumed.
    default List<String> resumable() {
        return List.of(
                RunSettings.STEPS.name(),
                RunSettings.EARLY_STOP.name(),
                RunSettings.HOURS.name(),
                RunSettings.WAIT.name());
    }

    /// A file that this area accepts, as work with everything by default.
    ///
    /// @param file absolute
    BareProject bare(Path file);

    /// Opens work. Throws [knobscape.evaluate.UserError] for whatever is wrong with it. Not done on a thread
    /// that draws.
    Workbench open(WorkSettings settings, WorkLocation place);

    /// Words of the command line that say how a run goes and what of its work differs from what the project says.
    ///
    /// @param project what the project file says
    /// @param place paths start here
    default List<String> command(Work work, WorkSettings project, WorkLocation place) {
        Values all = work.values().moved(f -> place.resolve(f).toString());
        return all.command(project.values().moved(f -> place.resolve(f).toString()));
    }
}
