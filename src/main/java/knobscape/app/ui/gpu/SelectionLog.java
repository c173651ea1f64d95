package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.explore.Prediction;

/// Why a run measured what it did, and what it expected.
///
/// @param kernels by kernel, in the order of measurement
/// @param reached how soon the run was as good as earlier tunings on the device; empty where there were none
record SelectionLog(List<List<Pick>> kernels, Optional<String> reached) {
    /// Nothing is known of it.
    static final SelectionLog NONE = new SelectionLog(List.of(), Optional.empty());

    /// Who chose a configuration.
    enum By {
        /// Earlier measurements.
        HISTORY("chosen with the history"),
        /// The run's own measurements, or a draw.
        OWN("without the history"),
        /// A deep process that was tuned on the kernel.
        TUNED("chosen after tuning the model"),
        /// A draw beside those that the history chose.
        DRAWN("drawn beside them");

        final String words;

        By(String words) {
            this.words = words;
        }

        static By of(String reason) {
            return switch (reason) {
                case "tuning set" -> HISTORY;
                case "tuning set, drawn" -> DRAWN;
                case "annealed on the deep process" -> TUNED;
                default -> reason.endsWith(", with history") ? HISTORY : OWN;
            };
        }
    }

    /// One measurement.
    ///
    /// @param predicted what was expected of the metric, where something was
    /// @param metric what was predicted, empty where nothing was
    /// @param value what was measured of it; NaN where nothing was predicted or it did not run
    /// @param speed operations per time, in the unit of the kernel; NaN where it did not run
    /// @param ran whether it ran
    record Pick(
            By by, Optional<Prediction.Interval> predicted, String metric, double value, double speed, boolean ran) {
        static Pick of(String reason, Optional<Prediction> prediction, Evaluation e) {
            Optional<Map.Entry<String, Prediction.Interval>> one =
                    prediction.flatMap(p -> p.metrics().entrySet().stream().findFirst());
            return new Pick(
                    By.of(reason),
                    one.map(Map.Entry::getValue),
                    one.map(Map.Entry::getKey).orElse(""),
                    one.flatMap(m -> e.value(m.getKey()).stream().boxed().findFirst())
                            .orElse(Double.NaN),
                    e.value("gflops").orElse(Double.NaN),
                    e.isMeasured());
        }

        /// True if it was predicted and ran.
        boolean isPair() {
            return predicted.isPresent() && value > 0 && predicted.get().median() > 0;
        }

        boolean isInside() {
            return predicted.filter(i -> value >= i.low() && value <= i.high()).isPresent();
        }
    }

    SelectionLog {
        kernels = kernels.stream().map(List::copyOf).toList();
    }

    /// Picks of a kernel.
    List<Pick> of(int kernel) {
        return kernel < kernels.size() ? kernels.get(kernel) : List.of();
    }

    /// Gathers them.
    static final class Track {
        private final List<List<Pick>> kernels;

        Track(int kernels) {
            this.kernels = Stream.generate(() -> (List<Pick>) new ArrayList<Pick>())
                    .limit(kernels)
                    .toList();
        }

        void add(int subject, String reason, Optional<Prediction> prediction, List<Evaluation> answers) {
            if (subject < kernels.size() && !answers.isEmpty()) {
                kernels.get(subject).add(Pick.of(reason, prediction, answers.getLast()));
            }
        }

        SelectionLog picture(Optional<String> reached) {
            return IntStream.range(0, kernels.size())
                            .allMatch(k -> kernels.get(k).isEmpty())
                    ? NONE
                    : new SelectionLog(kernels, reached);
        }
    }
}
