package knobscape.app.ui.hls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.LogViewModel.Note;
import knobscape.app.ui.task.Background;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.space.StatedDesign;
import knobscape.project.Session;

/// Shows a design that was decided elsewhere, and what the space lacks of it.
final class ImportedDirectives {
    private static final int MOST_SAID = 3;
    private static final List<FileChoices.Kind> KINDS = List.of(new FileChoices.Kind(
            "Directives and annotated sources",
            Stream.concat(Stream.of("tcl", "cfg", "ini"), SourceEndings.SOURCES.stream())
                    .toList()));

    private final Background background;
    private final FileChoices choices;
    private final Messages messages;
    private final DesignWork<HlsWorkbench> work;
    private final Results results;
    private final AddedValues added;

    ImportedDirectives(
            Background background,
            FileChoices choices,
            Messages messages,
            DesignWork<HlsWorkbench> work,
            AddedValues added) {
        this.background = background;
        this.choices = choices;
        this.messages = messages;
        this.work = work;
        this.results = work.models().results();
        this.added = added;
    }

    /// Asks for a file and shows its design.
    void ask() {
        choices.openFile("Import directives", KINDS).ifPresent(this::read);
    }

    private void read(Path file) {
        Optional<Session<HlsWorkbench>> open = work.session().get();
        open.ifPresent(w -> background.compute(
                () -> w.bench().kernelWork().imported(file),
                d -> show(w, file, d),
                e -> messages.fail(file + " cannot be imported", e)));
    }

    private void show(Session<HlsWorkbench> from, Path file, StatedDesign d) {
        if (work.session().get().filter(w -> w == from).isEmpty()) {
            return;
        }
        String name = String.valueOf(file.getFileName());
        boolean comparable = results.set().knobs().equals(d.configuration().knobs());
        if (comparable) {
            work.models().insight().tryOut(d.configuration(), name);
        }
        String shown = !comparable
                ? name
                        + " was read, but the designs shown have other knobs; start a run or show a newer one, then import again."
                : results.whatIf().get().isPresent()
                        ? name + " is shown as a design to try out; Enter evaluates it."
                        : name + " is design #" + results.selected().get() + ", now selected.";
        d.left()
                .forEach(l -> work.logs()
                        .warnings()
                        .add(new Note(true, name + ": " + l.directive() + ": " + l.why(), () -> {})));
        messages.show(
                d.left().isEmpty()
                        ? comparable ? Message.done(shown) : Message.warning(shown)
                        : new Message(
                                Message.Kind.WARNING,
                                shown + " " + lacks(d.left()),
                                d.candidates().isEmpty()
                                        ? Optional.empty()
                                        : Optional.of(
                                                new Message.Action("Add to the space", () -> widen(from, file, d)))));
    }

    private static String lacks(List<StatedDesign.SkippedDirective> left) {
        return left.stream()
                        .limit(MOST_SAID)
                        .map(l -> l.directive() + ": " + l.why())
                        .collect(Collectors.joining("; ", "Not in this design: ", ""))
                + (left.size() > MOST_SAID ? "; and " + (left.size() - MOST_SAID) + " more (see the warnings)." : ".");
    }

    /// Opens the project with what the design asks for beside what the space has, and imports again.
    private void widen(Session<HlsWorkbench> from, Path file, StatedDesign d) {
        added.widen(from, d.widening(), "values of " + file.getFileName(), () -> whenShown(() -> read(file)));
    }

    /// The designs of a space just opened are shown a little later than its source.
    private void whenShown(Runnable then) {
        DesignSet before = results.set();
        if (work.session()
                .get()
                .filter(w -> w.bench().space().knobs().equals(before.knobs()))
                .isPresent()) {
            then.run();
            return;
        }
        results.shown().addListener(new ChangeListener<>() {
            @Override
            public void changed(ObservableValue<? extends VisibleDesigns> o, VisibleDesigns a, VisibleDesigns now) {
                // In between there are none.
                if (now.set() != before && now.set().knobs().size() > 0) {
                    results.shown().removeListener(this);
                    then.run();
                }
            }
        });
    }
}
