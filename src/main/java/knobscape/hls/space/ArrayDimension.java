package knobscape.hls.space;

/// One dimension of an array.
///
/// @param array array id
/// @param dimension 1-based, outermost is 1
record ArrayDimension(String array, int dimension) {
    @Override
    public String toString() {
        return array + "#" + dimension;
    }
}
