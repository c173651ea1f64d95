package knobscape.hls.source;

/// A place in a source file.
///
/// @param file file name as given by the user, or as included
/// @param line 1-based
/// @param column 1-based, a tab counts as one
/// @param offset 0-based character offset in the file's text (a byte order mark is not part of the text)
/// @param length characters covered
public record Location(String file, int line, int column, int offset, int length) {
    @Override
    public String toString() {
        return file + ":" + line;
    }
}
