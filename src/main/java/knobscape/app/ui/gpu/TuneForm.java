package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import knobscape.project.tune.TuneSettings;

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

    /// Takes over what a run or a project says.
    ///
    /// @param kernels what the network has; 0 where that is not known yet
    void fill(TuneSettings s, int kernels) {
        method.set(s.method());
        device.set(s.device());
        seed.set(s.seed());
        minutes.set(s.minutes());
        if (kernels > 0) {
            trials.set(s.trials() == 0 ? TuneSettings.DEFAULT_TRIALS_PER_TASK : Math.max(1, s.trials() / kernels));
        }
    }

    /// How something is seen as the form says.
    GpuNetwork.Subject subject(String source) {
        return new GpuNetwork.Subject(source, batch.get(), allTemplates.get(), fused.get());
    }

    /// Shows how something is seen.
    void show(GpuNetwork.Subject s) {
        batch.set(s.batch());
        allTemplates.set(s.allTemplates());
        fused.set(s.fused());
    }

    /// The settings of the runs, one a seed.
    ///
    /// @param network as a run names it
    List<TuneSettings> settings(GpuNetwork n, String network) {
        int all = (int) Math.min(Integer.MAX_VALUE, (long) trials.get() * n.kernels().size());
        var runs = new ArrayList<TuneSettings>();
        for (int i = 0; i < seeds.get(); i++) {
            runs.add(new TuneSettings(network, method.get(), device.get(), all, minutes.get(), TuneSettings.DEFAULT_EARLY_STOP, n.subject().batch(), n.subject().allTemplates(),
                    "knob", seed.get() + i, n.subject().fused(), Map.of()));
        }
        return runs;
    }
}
