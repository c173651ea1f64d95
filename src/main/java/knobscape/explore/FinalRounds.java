package knobscape.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.space.Configuration;

/// The fastest configurations of a search, measured again once it is over, because the fastest of many single
/// measurements is mostly a lucky one: the best ten (a tenth of those that ran where these are fewer than a hundred,
/// two at least) in three rounds, every other one in reverse, so that each pair is compared within minutes and a drift
/// of the clock favours none. What counts is the mean ([RepeatedMeasurements]).
///
/// @param speed of a measured evaluation: larger is better, 0 or less counts for nothing
public record FinalRounds(ToDoubleFunction<Evaluation> speed) {
    /// How often the best are measured again.
    public static final int ROUNDS = 3;
    /// Why they are.
    public static final String REASON = "one of the best, measured again";

    private static final int MOST = 10;
    private static final int ONE_OF = 10;

    /// Those of the best that were measured least often, the fastest first in every other round; none where all rounds
    /// are done, or fewer than two ran.
    public List<Configuration> next(History history) {
        RepeatedMeasurements repeats = RepeatedMeasurements.bySpeed(speed);
        history.evaluations().forEach(repeats::add);
        List<Configuration> ran = history.evaluations().stream()
                .map(Evaluation::configuration)
                .distinct()
                .filter(c -> repeats.count(c) > 0)
                .sorted(Comparator.comparingDouble(c -> repeats.loss(c).orElseThrow()))
                .toList();
        List<Configuration> top =
                ran.stream().limit(Math.clamp(ran.size() / ONE_OF, 2, MOST)).toList();
        int least = top.stream().mapToInt(repeats::count).min().orElse(0);
        if (ran.size() < 2 || least > ROUNDS) {
            return List.of();
        }
        var round = new ArrayList<>(
                top.stream().filter(c -> repeats.count(c) == least).toList());
        if (least % 2 == 0) {
            Collections.reverse(round);
        }
        return round;
    }
}
