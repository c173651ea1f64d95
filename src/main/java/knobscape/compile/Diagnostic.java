package knobscape.compile;

/// A message of the compiler.
///
/// @param error whether nothing was compiled because of it
/// @param file as the compiler names it, empty where it names none
/// @param line 1-based, 0 where unknown
/// @param column 1-based, 0 where unknown
/// @param message the compiler's words
/// @param excerpt the line of the source and a caret below the place, empty where the compiler shows none
public record Diagnostic(boolean error, String file, int line, int column, String message, String excerpt) {
    @Override
    public String toString() {
        String place = file.isEmpty() ? "" : file + ":" + line + ":" + column + ": ";
        return place + message + (excerpt.isEmpty() ? "" : "\n" + excerpt);
    }
}
