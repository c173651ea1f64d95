package knobscape.app.ui.hls;

import java.math.BigInteger;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.hls.space.SpaceViewModel;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.space.DirectiveSpace;
import knobscape.project.Design;
import knobscape.project.Session;
import knobscape.space.Configuration;

/// A person's cuts to the space that the next runs explore; kept beside the runs. Used from the JavaFX thread.
final class SpaceEdits {
    private final Background background;
    private final Messages messages;
    private final UndoStack undo;
    private final DesignWork<HlsWorkbench> work;
    private final SpaceViewModel space;
    private Optional<Session<HlsWorkbench>> base = Optional.empty();
    private KnobEdits edits = KnobEdits.none();
    private int asked;

    SpaceEdits(
            Background background,
            Messages messages,
            UndoStack undo,
            DesignWork<HlsWorkbench> work,
            SpaceViewModel space) {
        this.background = background;
        this.messages = messages;
        this.undo = undo;
        this.work = work;
        this.space = space;
        space.onToggle(this::toggle);
    }

    /// Lets `show` take the kernel whenever it is read for the part or clock of other designs.
    void follow(Consumer<Session<HlsWorkbench>> show) {
        new FollowedTarget(background, messages, work, read -> {
            work.use(read);
            show.accept(read);
            remembered();
        });
    }

    /// Begins with the whole space of a project that was read.
    void open(Session<HlsWorkbench> whole) {
        asked++;
        base = Optional.of(whole);
        edits = KnobEdits.none();
    }

    /// Takes out what a person took out when the project was last open.
    void remembered() {
        if (kernel().isPresent()) {
            var kept = KnobEdits.of(work.memory().lines(key()));
            if (!kept.isNone()) {
                apply(kept);
            }
        }
    }

    /// The open project with all values of its knobs.
    Optional<Session<HlsWorkbench>> base() {
        return base;
    }

    /// The same where it is a kernel.
    private Optional<HlsWorkbench> kernel() {
        return base.map(Session::bench);
    }

    /// Takes values out of what the next runs explore, as the selected design says; can be undone.
    void restrict(String name, BiFunction<DirectiveSpace, Configuration, KnobEdits> maker) {
        edited(maker).ifPresent(next -> change(name, next));
    }

    /// Finds how large the space is, and as [#restrict] would make it: it is pruned again, not only cut.
    void restricted(
            BiFunction<DirectiveSpace, Configuration, KnobEdits> maker, BiConsumer<BigInteger, BigInteger> then) {
        edited(maker).ifPresent(next -> {
            Session<HlsWorkbench> from = base.orElseThrow();
            background.compute(
                    () -> HlsFiles.edited(from, next).bench().space().size(),
                    left -> then.accept(from.bench().space().size(), left),
                    e -> messages.fail("The space cannot be pruned", e));
        });
    }

    private Optional<KnobEdits> edited(BiFunction<DirectiveSpace, Configuration, KnobEdits> maker) {
        Optional<Design> keep = work.models().results().selectedDesign();
        if (keep.isEmpty() || kernel().isEmpty()) {
            messages.show(Message.warning("Select a design of a kernel first: the knobs keep its values."));
        }
        return kernel().filter(b -> keep.isPresent() && !work.runs().anyActive())
                .map(b -> maker.apply(b.directives(), keep.orElseThrow().configuration()));
    }

    /// Takes a value out of a knob, or puts it back; can be undone. The space is pruned again away from the
    /// screen, and the next run explores it.
    private void toggle(String knob, String value) {
        Optional<KnobEdits> after = kernel().map(b -> b.directives().space().knobs())
                .flatMap(knobs -> knobs.indexOf(knob).stream()
                        .mapToObj(i -> knobs.get(i).domain().labels())
                        .findFirst())
                .flatMap(values -> edits.toggled(knob, value, values));
        if (work.runs().anyActive()) {
            messages.show(Message.warning("Stop the run before changing what is explored; it can be resumed."));
        } else {
            after.ifPresent(next -> change("change of " + KnobLabels.shortest(knob), next));
        }
    }

    private void change(String name, KnobEdits next) {
        KnobEdits before = edits;
        undo.perform(new UndoStack.Edit(name, () -> apply(next), () -> apply(before)));
    }

    private void apply(KnobEdits next) {
        Optional<Session<HlsWorkbench>> from = base;
        if (from.isEmpty()) {
            return;
        }
        edits = next;
        work.memory().putLines(key(), next.lines());
        work.keep();
        int mine = ++asked;
        background.compute(
                () -> HlsFiles.edited(from.get(), next),
                edited -> {
                    if (mine == asked && work.session().get().isPresent()) {
                        work.use(edited);
                        space.open(
                                from.get().bench().directives(), edited.bench().directives());
                    }
                },
                e -> {
                    messages.fail("The space cannot be changed", e);
                    work.session()
                            .get()
                            .ifPresent(w -> space.open(
                                    from.get().bench().directives(), w.bench().directives()));
                });
    }

    private String key() {
        return base.map(b -> "edits." + b.bench().kernel().top()).orElse("edits");
    }
}
