package knobscape.evaluate;

/// Where a number comes from; shown next to it wherever it is shown.
///
/// @param toolchain `estimator`, `replay:aes.csv`, `vitis`, ...
/// @param version version of that toolchain
/// @param seed seed of its noise, 0 where it has none
/// @param source what kind of number it is
public record Provenance(String toolchain, String version, long seed, Source source) {

    /// The kind of a number, with the words shown to a person.
    public enum Source {
        /// Reported by a real tool or device.
        MEASURED("measured"),
        /// Taken from a file of earlier measurements.
        REPLAYED("measured, replayed"),
        /// From the built-in HLS estimator.
        BUILT_IN_ESTIMATE("built-in estimate"),
        /// From an analytical device model.
        MODEL("model"),
        /// From a learned surrogate.
        PREDICTED("predicted");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        /// The words shown next to a number.
        public String words() {
            return words;
        }

        /// True if a tool or a device ran for it, now or earlier.
        public boolean isMeasured() {
            return this == MEASURED || this == REPLAYED;
        }

        /// `measured` or `estimated`.
        public String verb() {
            return isMeasured() ? "measured" : "estimated";
        }

        /// The hour it counts: `measured hour`, or `simulated hour` where no tool ran.
        public String hour() {
            return spent() + " hour";
        }

        /// The kind of time it counts: `measured`, or `simulated` where no tool ran.
        public String spent() {
            return isMeasured() ? "measured" : "simulated";
        }

        /// Several of them.
        public String hours() {
            return hour() + "s";
        }
    }
}
