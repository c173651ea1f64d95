package knobscape.app.ui.hls;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.export.ToolOptions;
import knobscape.project.Session;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Values;

/// The kernel is read for the part and clock of the run shown, before the first run for those of the form: source,
/// knobs and report are of the designs in sight.
final class FollowedTarget {
    private static final List<Parameter<?>> TARGET = List.of(
            HlsSettings.PART,
            HlsSettings.CLOCK,
            HlsSettings.CLOCKS,
            HlsSettings.TRIPS,
            HlsSettings.PRUNING,
            HlsSettings.TRANSFORM,
            ToolOptions.FLOW,
            ToolOptions.VERSION);

    private final DesignWork<HlsWorkbench> work;
    private final LatestTask<Optional<Session<HlsWorkbench>>> reading;

    /// @param show takes the kernel read anew
    FollowedTarget(
            Background background,
            Messages messages,
            DesignWork<HlsWorkbench> work,
            Consumer<Session<HlsWorkbench>> show) {
        this.work = work;
        this.reading = new LatestTask<>(
                background,
                read -> read.filter(r -> work.session()
                                .get()
                                .filter(now -> now.project() == r.project())
                                .isPresent())
                        .ifPresent(show),
                e -> messages.fail("The kernel cannot be read for another part or clock", e));
        work.runs().form().taken().addListener((o, was, is) -> follow());
        work.runs().current().addListener((o, was, is) -> follow());
    }

    private void follow() {
        work.session().get().ifPresent(w -> {
            HlsSettings was = w.bench().settings();
            Values wanted = work.runs()
                    .current()
                    .get()
                    .map(r -> r.work().values())
                    .orElseGet(() -> work.runs().form().refined(was).values());
            Values next = was.values();
            for (Parameter<?> p : TARGET) {
                next = taken(p, next, wanted);
            }
            var settings = new HlsSettings(next);
            reading.submit(settings.equals(was) ? Optional::empty : () -> Optional.of(w.with(settings)));
        });
    }

    private static <T> Values taken(Parameter<T> p, Values to, Values from) {
        return to.with(p, from.find(p));
    }
}
