package knobscape.app.ui.study;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.export.DesignsExport;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.view.Nodes;
import knobscape.evaluate.UserError;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.Session;
import knobscape.study.StudyWorkbench;
import knobscape.study.export.StudyExporter;

/// The exports of a study: the selected configuration as a command line, a header or for Triton, the best for vLLM,
/// all of them as a table.
record StudyExport(DesignWork<StudyWorkbench> work) {
    private static final FileChoices.Kind HEADER = new FileChoices.Kind("C header", List.of("h"));
    private static final FileChoices.Kind JSON = new FileChoices.Kind("JSON", List.of("json"));

    /// Puts the command line of the selected configuration on the clipboard.
    void copyCommand() {
        selected("command line", (s, d) -> {
            String text = StudyExporter.commands(s.bench().study(), here(s), d.configuration());
            if (text.isEmpty()) {
                work.files().messages().show(Message.warning("The study names no program."));
            } else {
                Nodes.copy(text);
                work.files().messages().show(Message.done("The command line of #" + d.number() + " was copied."));
            }
        });
    }

    /// Writes the selected configuration as a C header.
    void header() {
        selected(
                "header",
                (s, d) -> work.files()
                        .save(
                                "Save the configuration as a C header",
                                s.project().name() + ".h",
                                HEADER,
                                "The header",
                                () -> StudyExporter.header(
                                        "Configuration #" + d.number() + " of "
                                                + s.project().name(),
                                        d.configuration())));
    }

    /// Puts the selected configuration on the clipboard as Triton's Python writes it.
    void copyTriton() {
        selected("triton.Config", (s, d) -> {
            try {
                Nodes.copy(StudyExporter.triton(d.configuration()));
                work.files().messages().show(Message.done("#" + d.number() + " was copied as triton.Config."));
            } catch (UserError e) {
                work.files().messages().show(Message.warning(e.getMessage()));
            }
        });
    }

    /// Writes the best configurations by the number of tokens as vLLM reads them.
    void vllm() {
        Optional<Session<StudyWorkbench>> open = work.session().get();
        DesignSet set = work.models().results().set();
        if (open.isEmpty() || set.objectives().isEmpty()) {
            work.files().messages().show(Message.warning("There is no run to export yet."));
            return;
        }
        Session<StudyWorkbench> s = open.get();
        work.files()
                .save(
                        "Save the best configurations as vLLM reads them",
                        s.project().name() + ".json",
                        JSON,
                        "The configurations",
                        () -> StudyExporter.vllm(
                                s.bench().study(),
                                Design.ranked(
                                        Arrays.asList(set.designs()),
                                        set.objectives().getFirst())));
    }

    private static Path here(Session<StudyWorkbench> s) {
        return s.project().resolve(s.bench().settings().source()).resolveSibling("");
    }

    private interface Taker {
        void take(Session<StudyWorkbench> study, Design design);
    }

    private void selected(String what, Taker taker) {
        Optional<Design> design = work.models().results().selectedDesign();
        if (design.isEmpty() || work.session().get().isEmpty()) {
            work.files().messages().show(Message.warning("Select a configuration first to have its " + what + "."));
        } else {
            taker.take(work.session().get().get(), design.get());
        }
    }

    /// Writes the designs that pass the filter as a table.
    void table(boolean isCsv) {
        Optional<RunRecord> stored =
                work.runs().current().get().or(() -> work.runs().runs().stream().reduce((a, b) -> b));
        if (stored.isEmpty() || work.session().get().isEmpty()) {
            work.files().messages().show(Message.warning("There is no run to export yet."));
            return;
        }
        Project project = work.session().get().get().project();
        RunRecord of = stored.get();
        new DesignsExport(work.files(), work.models().results())
                .save(isCsv, project.name() + "-run" + of.id(), project.name(), RunFiles.origin(project, of));
    }
}
