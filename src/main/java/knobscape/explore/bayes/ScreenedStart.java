package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;

/// The first runs in full of a search that began with screening: of the screened designs those with the least of each
/// objective as far as the lowest fidelity reports it, then those farthest apart by their reports.
///
/// @param observations what was screened and run so far
/// @param history what it cost, and what is in flight
/// @param drawn the designs of the start in the order that decides between equals, however they were screened
record ScreenedStart(Observations observations, EvaluatorInfo info, History history, List<Configuration> drawn) {

    /// Chance to fit its part below which a screened design is no start.
    private static final double LIKELY = 0.4;

    /// The missing rest of `runs` designs at the highest fidelity; none where too little was screened to
    /// choose from. Where they are expected to take more than the start's share of a limited tool time, only
    /// designs that cost no more than each one's part of what is left; the cheapest where there are none, down to
    /// the fewest runs needed.
    ///
    /// @param toolSeconds of the whole run, positive infinity for no limit
    List<Proposal> further(int runs, double toolSeconds) {
        int topRank = info.top().rank();
        int lowest = info.fidelities().getFirst().rank();
        Set<Configuration> underWay = new LinkedHashSet<>();
        history.pending().stream()
                .filter(p -> p.upTo().rank() == topRank)
                .forEach(p -> underWay.add(p.configuration()));
        List<Observations.Design> screened = observations.designs().stream()
                .filter(d -> d.state() == Observations.State.MEASURED && d.has(lowest))
                .sorted(Comparator.comparingInt(d -> drawn.indexOf(d.configuration())))
                .toList();
        long sent = observations.designs().stream()
                        .filter(d -> d.highestRank() == topRank)
                        .filter(d -> !underWay.contains(d.configuration()))
                        .count()
                + underWay.size();
        if (screened.isEmpty()
                || sent >= runs
                || observations.levels().isEmpty()
                || observations.levels().getFirst().fidelity().rank() != lowest) {
            return List.of();
        }
        int[] outputs = observations.levels().getFirst().outputs();
        int objectives = (int) Arrays.stream(outputs)
                .takeWhile(o -> o < observations.scales().size())
                .count();
        double[][] reports = standardised(screened, outputs, lowest);
        List<Integer> before = IntStream.range(0, screened.size())
                .filter(i -> screened.get(i).highestRank() == topRank
                        || underWay.contains(screened.get(i).configuration()))
                .boxed()
                .toList();
        int missing = (int) (runs - sent);
        var capacity = CapacityModel.of(history, info);
        boolean[] fits = new boolean[screened.size()];
        for (int i = 0; i < fits.length; i++) {
            double load = CapacityModel.load(history, info, screened.get(i).configuration());
            fits[i] = Double.isNaN(load) || capacity.fits(load, 0) > LIKELY;
        }
        List<Integer> chosen = choose(reports, objectives, before, runs, missing, i -> fits[i]);
        if (chosen.isEmpty()) {
            chosen = choose(reports, objectives, before, runs, missing, i -> true);
        }
        var budget = StartBudget.of(new ToolTime(history, info), toolSeconds, underWay);
        double[] seconds = screened.stream()
                .mapToDouble(d -> budget.time().seconds(d.configuration()))
                .toArray();
        if (chosen.stream().mapToDouble(i -> seconds[i]).sum() > budget.left()) {
            chosen = choose(
                    reports, objectives, before, runs, missing, i -> fits[i] && seconds[i] * missing <= budget.left());
            if (chosen.isEmpty() && sent < StartBudget.FEWEST_RUNS) {
                chosen = IntStream.range(0, screened.size())
                        .boxed()
                        .filter(i -> !before.contains(i))
                        .min(Comparator.comparingDouble(i -> seconds[i]))
                        .stream()
                        .toList();
            }
        }
        return chosen.stream()
                .map(i -> new Proposal(
                        screened.get(i).configuration(),
                        info.top(),
                        Double.NaN,
                        Optional.empty(),
                        "initial design, chosen by its report"))
                .toList();
    }

    /// At most `missing` of the rows that are allowed and not among `before`: those with the least of each of the first
    /// `objectives` columns, then those farthest apart, as long as there are `runs` of them.
    private static List<Integer> choose(
            double[][] reports, int objectives, List<Integer> before, int runs, int missing, IntPredicate allowed) {
        List<Integer> open =
                IntStream.range(0, reports.length).filter(allowed).boxed().toList();
        List<Integer> chosen = new ArrayList<>(before);
        for (int column = 0; column < objectives; column++) {
            int c = column;
            // Least of an objective, whoever was chosen before: a second one would be the runner-up.
            open.stream()
                    .filter(i -> !Double.isNaN(reports[i][c]))
                    .min(Comparator.comparingDouble(i -> reports[i][c]))
                    .filter(i -> !chosen.contains(i))
                    .ifPresent(chosen::add);
        }
        while (chosen.size() < before.size() + runs && !chosen.containsAll(open)) {
            chosen.add(farthest(reports, open, chosen));
        }
        return chosen.stream().skip(before.size()).limit(missing).toList();
    }

    /// The row that is farthest from the chosen ones.
    static int farthest(double[][] reports, List<Integer> chosen) {
        return farthest(reports, IntStream.range(0, reports.length).boxed().toList(), chosen);
    }

    /// The open row that is farthest from the chosen ones.
    private static int farthest(double[][] reports, List<Integer> open, List<Integer> chosen) {
        int best = -1;
        double largest = -1;
        for (int i : open) {
            if (chosen.contains(i)) {
                continue;
            }
            double nearest = Double.POSITIVE_INFINITY;
            for (int c : chosen) {
                double sum = 0;
                for (int j = 0; j < reports[i].length; j++) {
                    double d = reports[i][j] - reports[c][j];
                    sum += Double.isNaN(d) ? 0 : d * d;
                }
                nearest = Math.min(nearest, sum);
            }
            if (nearest > largest) {
                largest = nearest;
                best = i;
            }
        }
        return best;
    }

    private static double[][] standardised(List<Observations.Design> designs, int[] outputs, int rank) {
        double[][] rows = new double[designs.size()][outputs.length];
        for (int p = 0; p < outputs.length; p++) {
            int j = outputs[p];
            var spread = Observations.spread(designs.stream(), rank, j);
            double unit = spread.deviation() > 0 ? spread.deviation() : 1;
            for (int i = 0; i < rows.length; i++) {
                rows[i][p] = (designs.get(i).values()[rank][j] - spread.mean()) / unit;
            }
        }
        return rows;
    }
}
