package knobscape.explore;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.KnobSet;

/// Earlier measurements of subjects comparable to the one at hand: the same kernel on another device, another
/// layer of the same group on this one. Rows have the same columns whatever subject they come from. An experience
/// belongs to a run as its seed does: a run resumed has to get the one it began with.
///
/// @param features of a configuration of the subject at hand, in the columns of the rows
/// @param origins earlier subjects with what was measured of each
public record Experience(Encoder features, List<Origin> origins) {
    /// No derived features.
    public static final Encoder NOTHING = new Encoder() {
        @Override
        public int length() {
            return 0;
        }

        @Override
        public double[] encode(Configuration configuration) {
            return new double[0];
        }
    };

    public Experience {
        origins = List.copyOf(origins);
    }

    /// An earlier subject.
    ///
    /// @param subject the work in words
    /// @param device what answered
    /// @param isMeasured whether a device answered, and not a model of one
    /// @param rows at least one
    public record Origin(String subject, String device, boolean isMeasured, List<Row> rows) {
        public Origin {
            rows = List.copyOf(rows);
        }

        /// The best score of its rows, 0 where all failed.
        public double best() {
            return rows.stream().mapToDouble(Row::score).max().orElse(0);
        }
    }

    /// One measurement.
    ///
    /// @param features in the common columns
    /// @param score how good, in a unit of its origin's own, larger being better; 0 for every kind of failure
    /// @param here the same choices as a member of the space at hand, where it is one
    public record Row(double[] features, double score, Optional<Configuration> here) {}

    /// The known results of an earlier subject, in its own knobs.
    ///
    /// @param origin its subject
    /// @param device what answered
    /// @param isMeasured whether a device answered, and not a model of one
    /// @param knobs its knobs
    /// @param derived further features of its configurations (threads, bytes, the shape of the task), of as many
    /// columns as those of the subject at hand
    /// @param configurations what was measured
    /// @param scores of each, as in [Row]
    public record Earlier(
            String origin,
            String device,
            boolean isMeasured,
            KnobSet knobs,
            Encoder derived,
            List<Configuration> configurations,
            double[] scores) {
        public Earlier {
            configurations = List.copyOf(configurations);
            if (configurations.size() != scores.length) {
                throw new IllegalArgumentException("every configuration needs a score");
            }
        }
    }

    /// Nothing was measured before.
    public static Experience none(DesignSpace space) {
        return of(space, NOTHING, List.of());
    }

    /// Brings earlier subjects to common columns: knobs that all of them have ([CommonFeatures]), then the derived
    /// features. Subjects of which nothing was measured are left out.
    ///
    /// @param space of the subject at hand
    /// @param derived its derived features
    public static Experience of(DesignSpace space, Encoder derived, List<Earlier> earlier) {
        List<Earlier> told =
                earlier.stream().filter(e -> !e.configurations.isEmpty()).toList();
        List<KnobSet> others = told.stream().map(Earlier::knobs).toList();
        return new Experience(
                new CommonFeatures(space.knobs(), others, derived),
                told.stream().map(e -> origin(space, e, others)).toList());
    }

    private static Origin origin(DesignSpace space, Earlier e, List<KnobSet> all) {
        var features = new CommonFeatures(
                e.knobs, Stream.concat(all.stream(), Stream.of(space.knobs())).toList(), e.derived);
        return new Origin(
                e.origin,
                e.device,
                e.isMeasured,
                IntStream.range(0, e.scores.length)
                        .mapToObj(i -> new Row(
                                features.encode(e.configurations.get(i)),
                                e.scores[i],
                                here(space, e.configurations.get(i))))
                        .toList());
    }

    private static Optional<Configuration> here(DesignSpace space, Configuration c) {
        KnobSet knobs = space.knobs();
        if (c.knobs().size() != knobs.size()) {
            return Optional.empty();
        }
        int[] levels = new int[knobs.size()];
        for (int i = 0; i < levels.length; i++) {
            var there = c.knobs().indexOf(knobs.get(i).name());
            levels[i] = there.isEmpty() ? -1 : knobs.get(i).domain().levelOf(c.value(there.getAsInt()));
            if (levels[i] < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(Configuration.of(knobs, levels)).filter(space::contains);
    }

    /// Measurements in all.
    public int size() {
        return origins.stream().mapToInt(o -> o.rows.size()).sum();
    }

    /// True if there is nothing to learn from: nothing ran, or no knob is common.
    public boolean isEmpty() {
        return features.length() == 0 || origins.stream().allMatch(o -> o.best() <= 0);
    }
}
