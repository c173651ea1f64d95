package knobscape.app.ui.gpu;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.DoubleProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.LongProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleDoubleProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleLongProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import knobscape.gpu.GpuSettings;
import knobscape.work.RunSettings;

/// How the next press of Tune tunes. Used from the JavaFX thread.
final class TuneForm {
    static final String USUAL_DEVICE = "model:gtx1080ti";
    private static final int USUAL_TRIALS = 64;
    private final StringProperty method = new SimpleStringProperty("bted+bao");
    private final StringProperty device = new SimpleStringProperty(USUAL_DEVICE);
    private final IntegerProperty trials = new SimpleIntegerProperty(USUAL_TRIALS);
    private final DoubleProperty minutes = new SimpleDoubleProperty();
    private final LongProperty seed = new SimpleLongProperty(1);
    private final IntegerProperty seeds = new SimpleIntegerProperty(1);
    private final IntegerProperty batch = new SimpleIntegerProperty(1);
    private final BooleanProperty allTemplates = new SimpleBooleanProperty();
    private final BooleanProperty fused = new SimpleBooleanProperty(true);
    private final StringProperty dims = new SimpleStringProperty("");
    private final StringProperty features = new SimpleStringProperty("knob");
    private final StringProperty log = new SimpleStringProperty("");

    StringProperty method() {
        return method;
    }

    StringProperty device() {
        return device;
    }

    /// Measurements of a task.
    IntegerProperty trials() {
        return trials;
    }

    /// Most minutes of a run, 0 for no limit.
    DoubleProperty minutes() {
        return minutes;
    }

    /// The first seed.
    LongProperty seed() {
        return seed;
    }

    /// Runs one after the other, each with the next seed.
    IntegerProperty seeds() {
        return seeds;
    }

    IntegerProperty batch() {
        return batch;
    }

    BooleanProperty allTemplates() {
        return allTemplates;
    }

    BooleanProperty fused() {
        return fused;
    }

    /// Extents that the file leaves open, as `NAME=N, NAME=N`.
    StringProperty dims() {
        return dims;
    }

    /// What cost models see.
    StringProperty features() {
        return features;
    }

    /// An AutoTVM log whose records are known before the next run begins; empty for none.
    StringProperty log() {
        return log;
    }

    /// Takes over what a run or a project says.
    ///
    /// @param kernels what the network has; 0 where that is not known yet
    void fill(GpuSettings what, RunSettings how, int kernels) {
        method.set(how.method());
        device.set(how.toolchain());
        seed.set(how.seed());
        minutes.set(what.minutes());
        if (kernels > 0) {
            trials.set(how.steps() == 0 ? GpuSettings.DEFAULT_TRIALS_PER_KERNEL : Math.max(1, how.steps() / kernels));
        }
    }

    /// What is tuned as the form says. Throws [IllegalArgumentException] naming what is impossible.
    ///
    /// @param was what was tuned
    GpuSettings what(GpuSettings was) {
        Map<String, Long> extents = new TreeMap<>();
        for (String each : dims.get().isBlank() ? new String[0] : dims.get().split("\\s*,\\s*")) {
            if (!each.strip().matches("\\S+=\\d{1,9}")) {
                throw new IllegalArgumentException("extents are written NAME=N, not '" + each + "'");
            }
            int at = each.lastIndexOf('=');
            extents.put(
                    each.substring(0, at).strip(),
                    Long.valueOf(each.substring(at + 1).strip()));
        }
        return new GpuSettings(
                was.source(),
                batch.get(),
                extents,
                allTemplates.get(),
                !fused.get(),
                features.get(),
                minutes.get(),
                Optional.of(log.get().strip()).filter(l -> !l.isEmpty()));
    }

    /// Shows what is tuned.
    void show(GpuSettings what) {
        batch.set(what.batch());
        allTemplates.set(what.allTemplates());
        fused.set(!what.bare());
        features.set(what.features());
        minutes.set(what.minutes());
        log.set(what.log().orElse(""));
        dims.set(what.dims().entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", ")));
    }

    /// How to tune, for one run per seed.
    List<RunSettings> runs(GpuNetwork n) {
        int all = (int)
                Math.min(Integer.MAX_VALUE, (long) trials.get() * n.kernels().size());
        RunSettings d = GpuSettings.defaultRun();
        return IntStream.range(0, seeds.get())
                .mapToObj(i -> d.withMethod(method.get())
                        .withToolchain(device.get())
                        .withBudget(all, d.initialDesigns(), d.earlyStop())
                        .withSeed(seed.get() + i))
                .toList();
    }
}
