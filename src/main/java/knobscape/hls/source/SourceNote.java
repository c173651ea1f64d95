package knobscape.hls.source;

/// Something a person should know about the source: a header that was not found, a loop that was not
/// understood.
///
/// @param severity how bad
/// @param location where
/// @param message one sentence, without the place
public record SourceNote(Severity severity, Location location, String message) {
    private static final String MISSING = "' was not found; what it declares is not known";

    /// How bad.
    public enum Severity {
        INFO,
        WARNING,
        ERROR
    }

    /// The note on a header that was not found.
    public static String missingHeader(String header) {
        return "header '" + header + MISSING;
    }

    /// True if this tells of a header that was not found: sizes and trip counts that it fixes are not known, and with
    /// them knobs are gone.
    public boolean isMissingHeader() {
        return message.endsWith(MISSING);
    }

    @Override
    public String toString() {
        return location + ": " + message;
    }
}
