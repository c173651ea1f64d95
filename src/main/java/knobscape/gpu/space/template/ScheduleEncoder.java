package knobscape.gpu.space.template;

import java.util.ArrayList;
import java.util.List;
import knobscape.space.Configuration;
import knobscape.space.Encoder;

/// The parts of every split as `log2(factor) / log2(length)` and the options by rank, all in [0, 1], in knob order. Columns are named `tile_f.0` (outermost), ...
/// and like their option. This is AutoTVM's knob feature on a scale where distances mean something.
public final class ScheduleEncoder implements Encoder {
    private final ScheduleSpace space;
    private final List<String> columns;

    /// The encoder of a space.
    public ScheduleEncoder(ScheduleSpace space) {
        this.space = space;
        var names = new ArrayList<String>();
        for (ScheduleKnob k : space.scheduleKnobs()) {
            switch (k) {
                case ScheduleKnob.Split s -> {
                    for (int i = 0; i < s.parts(); i++) {
                        names.add(s.name() + "." + i);
                    }
                }
                case ScheduleKnob.Option o -> names.add(o.name());
            }
        }
        columns = List.copyOf(names);
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public double[] encode(Configuration configuration) {
        double[] x = new double[columns.size()];
        int at = 0;
        for (int k = 0; k < space.scheduleKnobs().size(); k++) {
            int level = configuration.level(k);
            switch (space.scheduleKnobs().get(k)) {
                case ScheduleKnob.Split s -> {
                    for (int i = 0; i < s.parts(); i++) {
                        x[at++] = s.length() == 1 ? 0 : Math.log(s.factor(level, i)) / Math.log(s.length());
                    }
                }
                case ScheduleKnob.Option o -> x[at++] = o.size() == 1 ? 0 : level / (o.size() - 1.0);
            }
        }
        return x;
    }
}
