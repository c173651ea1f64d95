package knobscape.work;

import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.node.ObjectNode;

/// A kind of work: what its files are, how it is opened, which methods and evaluators it has. The upper floors
/// know an area by this interface alone.
public interface Area {
    /// What is optimised and how.
    ///
    /// @param settings what
    /// @param run how
    record Work(WorkSettings settings, RunSettings run) {}

    /// Work opened from a bare file, without a project.
    ///
    /// @param name of the project it would make
    /// @param folder where its runs go unless another folder is named
    /// @param work everything by default
    record Bare(String name, Path folder, Work work) {
        /// The same work with other settings.
        public Bare with(WorkSettings settings) {
            return new Bare(name, folder, new Work(settings, work.run()));
        }
    }

    /// What an area is.
    ///
    /// @param kind name in files (`hls`)
    /// @param title for a person (`FPGA directives`)
    /// @param verb of the command line that runs it (`explore`)
    /// @param settingsType record type of its settings
    record About(String kind, String title, String verb, Class<? extends WorkSettings> settingsType) {}

    /// What it is.
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

    /// Record type of its settings.
    default Class<? extends WorkSettings> settingsType() {
        return about().settingsType();
    }

    /// Its search methods.
    Choices<? extends Named> methods();

    /// What can evaluate for it.
    Choices<? extends Named> evaluators();

    /// What a project file says of it. Throws [knobscape.evaluate.UserError] naming file and key.
    ///
    /// @param project the whole file
    Work read(JsonFields project);

    /// Writes what [#read] reads.
    void write(Work work, ObjectNode project);

    /// Whether a file without a project is this area's alone, by its name. None is by default: a network can be
    /// tuned as well as fused.
    default boolean accepts(Path file) {
        return false;
    }

    /// A file that this area accepts, as work with everything by default.
    ///
    /// @param file absolute
    Bare bare(Path file);

    /// Opens work. Throws [knobscape.evaluate.UserError] for whatever is wrong with it. Not done on a thread
    /// that draws.
    Workbench open(WorkSettings settings, Place place);

    /// The option of the command line that limits a run, with its value (`--steps 40`), and whatever else says
    /// how it runs.
    List<String> runOptions(RunSettings run, Place place);
}
