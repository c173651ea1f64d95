package knobscape.app.ui.hls.source;

/// Something in the source that has knobs, and can be selected in the source or in the tree of knobs.
///
/// @param kind what it is
/// @param id its id in the kernel: `gemm/dot`, `gemm/a`, `gemm`
public record SourceElement(Kind kind, String id) {

    /// The kind of a subject.
    public enum Kind {
        /// A loop.
        LOOP("loop"),
        /// An array.
        ARRAY("array"),
        /// A function.
        FUNCTION("function");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /// The word shown to a person.
        public String word() {
            return word;
        }
    }
}
