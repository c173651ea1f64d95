package knobscape.gpu;

/// What of a tuning history a run learns from; fixed when it begins, so that a resumed run sees the same.
///
/// @param file the history, an absolute path
/// @param upTo number of its newest row then
public record HistoryUse(String file, long upTo) {}
