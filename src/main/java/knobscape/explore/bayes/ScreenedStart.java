package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;

/// The first runs in full of a search that began with screening: of the screened designs those with the least of each
/// objective as far as the lowest fidelity reports it, then those farthest apart by their reports.
///
/// @param observations what was screened and run so far
/// @param pending designs in flight
record ScreenedStart(Observations observations, EvaluatorInfo info, List<Proposal> pending) {

    /// What is still missing of `runs` designs at the highest fidelity; none where too little was screened to choose
    /// from.
    List<Proposal> further(int runs) {
        int topRank = info.top().rank();
        int lowest = info.fidelities().getFirst().rank();
        Set<Configuration> underWay = new LinkedHashSet<>();
        pending.stream().filter(p -> p.upTo().rank() == topRank).forEach(p -> underWay.add(p.configuration()));
        List<Observations.Design> screened = observations.designs().stream()
                .filter(d -> d.state() == Observations.State.MEASURED && d.has(lowest))
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
        double[][] reports = standardised(screened, outputs, lowest);
        List<Integer> chosen = new ArrayList<>();
        IntStream.range(0, screened.size())
                .filter(i -> screened.get(i).highestRank() == topRank
                        || underWay.contains(screened.get(i).configuration()))
                .forEach(chosen::add);
        int before = chosen.size();
        for (int p = 0; p < outputs.length && outputs[p] < observations.scales().size(); p++) {
            int column = p;
            // Least of an objective, whoever was chosen before: a second one would be the runner-up.
            IntStream.range(0, screened.size())
                    .filter(i -> !Double.isNaN(reports[i][column]))
                    .boxed()
                    .min((a, b) -> Double.compare(reports[a][column], reports[b][column]))
                    .filter(i -> !chosen.contains(i))
                    .ifPresent(chosen::add);
        }
        while (chosen.size() < Math.min(screened.size(), before + runs)) {
            chosen.add(farthest(reports, chosen));
        }
        return chosen.stream()
                .skip(before)
                .limit(runs - sent)
                .map(i -> new Proposal(
                        screened.get(i).configuration(),
                        info.top(),
                        Double.NaN,
                        Optional.empty(),
                        "initial design, chosen by its report"))
                .toList();
    }

    /// The row that is farthest from the chosen ones.
    static int farthest(double[][] reports, List<Integer> chosen) {
        int best = -1;
        double largest = -1;
        for (int i = 0; i < reports.length; i++) {
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
