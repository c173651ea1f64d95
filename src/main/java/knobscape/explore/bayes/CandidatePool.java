package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.explore.Candidates;
import knobscape.explore.StepRandom;
import knobscape.numeric.Parallel;
import knobscape.numeric.Shuffle;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;

/// Where a Bayesian explorer searches: the whole space where it is small, else a fresh uniform sample each step
/// plus neighbours of the front. Features are the encoder's columns less those that never vary, or the ranks of
/// their values.
final class CandidatePool {
    /// Draws that decide which columns vary in a space too large to list.
    private static final int COLUMN_SAMPLE = 2_000;
    private static final long COLUMN_STREAM = -1;

    private final DesignSpace space;
    private final Encoder encoder;
    private final BayesSettings settings;
    private final int[] columns;
    /// By column the ranks of its values; empty where features stay as encoded.
    private final List<FeatureRanks> ranked;
    private final Optional<Batch> whole;
    private final Optional<PriorMean> prior;

    /// Configurations and their features, row by row.
    record Batch(List<Configuration> configurations, double[][] x) {
        /// Of designs observed.
        static Batch of(List<Observations.Design> designs) {
            return new Batch(
                    designs.stream().map(Observations.Design::configuration).toList(),
                    designs.stream().map(Observations.Design::x).toArray(double[][]::new));
        }
    }

    /// Some rows of a batch.
    static Batch only(Batch all, int[] rows) {
        return new Batch(
                Arrays.stream(rows).mapToObj(all.configurations::get).toList(),
                Arrays.stream(rows).mapToObj(i -> all.x[i]).toArray(double[][]::new));
    }

    CandidatePool(DesignSpace space, Encoder encoder, BayesSettings settings, long seed, Optional<PriorMean> prior) {
        this.prior = prior;
        this.space = space;
        this.encoder = encoder;
        this.settings = settings;
        Optional<List<Configuration>> all =
                Candidates.whole(space, settings.pool().whole());
        List<Configuration> sample = all.orElseGet(
                () -> Candidates.draw(space, Set.of(), COLUMN_SAMPLE, StepRandom.of(seed, COLUMN_STREAM)));
        double[][] full = encoder.encodeAll(sample);
        this.columns = IntStream.range(0, encoder.length())
                .filter(c -> Arrays.stream(full).anyMatch(row -> row[c] != full[0][c]))
                .toArray();
        this.ranked = settings.learning().features() == BayesSettings.Features.RANKED
                ? Arrays.stream(columns)
                        .mapToObj(c -> FeatureRanks.of(Arrays.stream(full).mapToDouble(row -> row[c])))
                        .toList()
                : List.of();
        prior.ifPresent(p -> p.measure(sample));
        this.whole = all.map(members -> new Batch(
                members,
                IntStream.range(0, full.length)
                        .mapToObj(i -> reduce(full[i], members.get(i)))
                        .toArray(double[][]::new)));
    }

    private double[] reduce(double[] full, Configuration configuration) {
        double[] guessed = prior.map(p -> p.of(configuration)).orElse(new double[0]);
        double[] x = new double[columns.length + guessed.length];
        for (int c = 0; c < columns.length; c++) {
            x[c] = ranked.isEmpty() ? full[columns[c]] : ranked.get(c).of(full[columns[c]]);
        }
        System.arraycopy(guessed, 0, x, columns.length, guessed.length);
        return x;
    }

    /// Up to `count` members that the prior mean calls good; none without one.
    List<Configuration> promising(int count, SplittableRandom random) {
        return prior.map(p -> {
                    List<Configuration> pool = new ArrayList<>(whole.map(Batch::configurations)
                            .orElseGet(() -> Candidates.draw(
                                    space, Set.of(), settings.pool().uniform(), random)));
                    // Where the prior mean tells some not apart, it is not the order that does.
                    Collections.shuffle(pool, random);
                    return p.promising(pool, count);
                })
                .orElse(List.of());
    }

    /// Features of one configuration, what is guessed of it behind them.
    double[] features(Configuration configuration) {
        return reduce(encoder.encode(configuration), configuration);
    }

    /// The candidates of one step in seeded order, without those in `exclude`.
    ///
    /// @param front designs whose neighbours are candidates
    /// @param include members that must be among them (designs that may go to a higher fidelity)
    Batch draw(
            SplittableRandom random,
            List<Configuration> front,
            List<Configuration> include,
            Set<Configuration> exclude) {
        if (whole.isPresent()) {
            Batch all = whole.get();
            return only(
                    all,
                    Shuffle.shuffle(
                            IntStream.range(0, all.x.length)
                                    .filter(i -> !exclude.contains(all.configurations.get(i)))
                                    .toArray(),
                            random));
        }
        Set<Configuration> chosen = new LinkedHashSet<>(include);
        List<Configuration> near = new ArrayList<>();
        for (Configuration c : front) {
            near.addAll(space.neighbours(c));
        }
        Collections.shuffle(near, random);
        int limit = chosen.size() + settings.pool().neighbours();
        for (Configuration c : near) {
            if (chosen.size() >= limit) {
                break;
            }
            if (!exclude.contains(c)) {
                chosen.add(c);
            }
        }
        chosen.addAll(Candidates.draw(space, exclude, settings.pool().uniform(), random));
        List<Configuration> list = List.copyOf(chosen);
        double[][] x = new double[list.size()][];
        Parallel.chunks(x.length, 256, (from, to) -> {
            for (int i = from; i < to; i++) {
                x[i] = features(list.get(i));
            }
        });
        return new Batch(list, x);
    }
}
