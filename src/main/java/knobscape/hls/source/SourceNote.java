package knobscape.hls.source;

/// Something a person should know about the source: a header that was not found, a loop that was not
/// understood.
///
/// @param severity how bad
/// @param location where
/// @param message one sentence, without the place
public record SourceNote(Severity severity, Location location, String message) {

    /// How bad.
    public enum Severity {
        INFO,
        WARNING,
        ERROR
    }

    @Override
    public String toString() {
        return location + ": " + message;
    }
}
