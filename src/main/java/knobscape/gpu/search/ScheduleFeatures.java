package knobscape.gpu.search;

import java.util.List;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.gpu.space.template.Schedule;

/// The features of a schedule that cost models see.
///
/// @param rows statistics by written buffer
/// @param joined those of four statements one after the other
record ScheduleFeatures(List<double[]> rows, float[] joined) {
    static ScheduleFeatures of(Schedule schedule) {
        List<double[]> rows = StatementFeatures.rows(schedule.kernels());
        return new ScheduleFeatures(rows, StatementFeatures.joined(rows));
    }
}
