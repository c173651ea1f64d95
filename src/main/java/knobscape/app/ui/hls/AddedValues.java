package knobscape.app.ui.hls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.area.WorkFiles;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.space.SpaceViewModel;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.space.TypedValues;
import knobscape.hls.space.Widening;
import knobscape.project.Session;
import knobscape.space.KnobSet;

/// Values that a person adds to knobs. A wider space has a directive file of its own beside the runs, and the project
/// remembers which one it had; the person's own files stay as they are. Used from the JavaFX thread.
final class AddedValues {
    private final Background background;
    private final Messages messages;
    private final DesignWork<HlsWorkbench> work;
    private final SpaceEdits edits;
    private final SpaceViewModel space;
    private final Opening opening;

    /// Shows the open project read with other settings.
    interface Opening {
        /// @param words said while it is read
        /// @param then follows when it is shown
        void use(String words, Session<HlsWorkbench> other, Runnable then);
    }

    AddedValues(
            Background background,
            Messages messages,
            DesignWork<HlsWorkbench> work,
            SpaceEdits edits,
            SpaceViewModel space,
            Opening opening) {
        this.background = background;
        this.messages = messages;
        this.work = work;
        this.edits = edits;
        this.space = space;
        this.opening = opening;
    }

    /// Adds what was typed for a knob; what is no value is said.
    void add(String knob, String text) {
        Optional<Session<HlsWorkbench>> open = edits.base();
        if (open.isEmpty() || text.isBlank()) {
            return;
        }
        KnobSet knobs = open.get().bench().directives().space().knobs();
        List<String> there =
                knobs.get(knobs.indexOf(knob).orElseThrow()).domain().labels();
        List<String> values;
        try {
            values = TypedValues.read(knob, text).stream()
                    .filter(v -> !there.contains(v))
                    .toList();
        } catch (IllegalArgumentException e) {
            messages.show(Message.warning(String.valueOf(e.getMessage())));
            return;
        }
        String name = KnobLabels.shortest(knob);
        if (values.isEmpty()) {
            messages.show(Message.warning(name + " has these values already."));
            return;
        }
        widen(open.get(), Widening.of(knobs, knob, values), "values of " + name, () -> {});
    }

    /// Opens the project with a wider space; can be undone. What the kernel does not allow is refused before anything
    /// on the screen changes.
    ///
    /// @param name of the change, as it follows "Undo" in the menu
    /// @param then follows when it is open
    void widen(Session<HlsWorkbench> from, Widening more, String name, Runnable then) {
        Session<HlsWorkbench> before = edits.base().orElse(from);
        background.compute(
                () -> from.with(from.bench()
                        .settings()
                        .with(
                                HlsSettings.DIRECTIVES,
                                HlsFiles.widened(from, more).toString())),
                wider -> use(wider, () -> {
                    work.undo()
                            .perform(new UndoStack.Edit(
                                    "change of " + name,
                                    () -> {
                                        // It is open already when this edit is first made.
                                        if (edits.base().filter(b -> b == wider).isEmpty()) {
                                            use(wider, () -> {});
                                        }
                                    },
                                    () -> use(before, () -> {})));
                    then.run();
                }),
                e -> messages.fail("The space cannot be widened", e));
    }

    private void use(Session<HlsWorkbench> other, Runnable then) {
        Optional<SourceElement> selected = space.source().selected().get();
        HlsSettings kernel = other.bench().settings();
        opening.use("Reading the space", other, () -> {
            selected.ifPresent(space::select);
            Settings memory = work.memory();
            kernel.directives().ifPresentOrElse(d -> memory.put(key(kernel), d), () -> memory.remove(key(kernel)));
            work.keep();
            then.run();
        });
    }

    /// A project just read, with the space it had last; away from the screen. A space that is gone, or that the source
    /// does not allow any more, is left.
    static Session<HlsWorkbench> remembered(Session<HlsWorkbench> read) {
        HlsSettings kernel = read.bench().settings();
        Optional<String> file = WorkFiles.memory(read)
                .get(key(kernel))
                .filter(f -> !kernel.directives().equals(Optional.of(f)) && Files.isRegularFile(Path.of(f)));
        try {
            return file.isPresent() ? read.with(kernel.with(HlsSettings.DIRECTIVES, file.get())) : read;
        } catch (UserError e) {
            return read;
        }
    }

    private static String key(HlsSettings kernel) {
        return "knobs." + kernel.top().orElse("");
    }
}
