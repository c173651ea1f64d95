package knobscape.app.ui.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.explore.Objectives;
import knobscape.explore.RunEvent;
import knobscape.pareto.Hypervolume;
import knobscape.pareto.ParetoFront;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunResults.TracePoint;
import knobscape.project.RunStore;

/// One reference point for all runs of a project that can be compared, so that their hypervolumes are: that of the
/// oldest of them.
///
/// @param objectives metrics, scales, and the reference point
/// @param best hypervolume of the designs of all runs together
record CommonScale(Objectives objectives, double best) {

    /// The scale of runs, oldest first; empty before any has fixed its objectives.
    static Optional<CommonScale> of(List<RunResults> runs) {
        return runs.stream()
                .flatMap(r -> r.run().objectives().stream())
                .findFirst()
                .map(o -> new CommonScale(o, volume(o, runs)));
    }

    private static double volume(Objectives o, List<RunResults> runs) {
        var front = new ParetoFront<Boolean>(o.count());
        runs.forEach(r -> r.front().stream()
                .flatMap(d -> d.at(r.run().info().top()).flatMap(o::vector).stream())
                .forEach(v -> front.add(v, true)));
        return volume(o, front);
    }

    private static double volume(Objectives o, ParetoFront<?> front) {
        return front.size() == 0 ? 0 : Hypervolume.of(front.vectors(), o.referencePoint());
    }

    /// Hypervolume of a run alone.
    double volume(RunResults run) {
        return volume(objectives, List.of(run));
    }

    /// The trace of a run by this scale: what was measured is taken in the order in which it came.
    List<TracePoint> trace(RunResults run, RunStore store) {
        RunRecord record = run.run();
        if (record.objectives().filter(objectives::equals).isPresent()
                || record.objectives().isEmpty()) {
            return run.trace();
        }
        var front = new ParetoFront<Boolean>(objectives.count());
        var volumes = new TreeMap<Integer, Double>();
        int step = 0;
        for (RunEvent e : store.past(record)) {
            if (e instanceof RunEvent.StageDone d
                    && d.evaluation().fidelity().rank() == record.info().top().rank()) {
                if (d.step() != step) {
                    volumes.merge(step, volume(objectives, front), Math::max);
                    step = d.step();
                }
                objectives.vector(d.evaluation()).ifPresent(v -> front.add(v, true));
            }
        }
        volumes.merge(step, volume(objectives, front), Math::max);
        double highest = 0;
        for (Map.Entry<Integer, Double> v : volumes.entrySet()) {
            highest = Math.max(highest, v.getValue());
            v.setValue(highest);
        }
        return run.trace().stream()
                .map(p -> {
                    Map.Entry<Integer, Double> at = volumes.floorEntry(p.step());
                    return new TracePoint(
                            p.step(),
                            Double.isFinite(p.hypervolume()) ? at == null ? 0 : at.getValue() : p.hypervolume(),
                            p.frontSize(),
                            p.toolSeconds(),
                            p.algorithmSeconds(),
                            p.diagnostics());
                })
                .toList();
    }
}
