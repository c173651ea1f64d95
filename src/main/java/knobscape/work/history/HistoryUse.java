package knobscape.work.history;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;

/// The part of a tuning history that a run learns from; fixed when it begins, so that a resumed run sees the same.
///
/// @param file the history, an absolute path
/// @param upTo number of its newest row then
public record HistoryUse(String file, long upTo) {
    private static final String NONE = "none";

    /// The history that methods which learn from earlier runs see; nothing where nothing is said.
    public static final Parameter<String> FILE = Parameter.of(
                    "history.file",
                    ValueType.text().at((text, move) -> text.equals(NONE) ? text : move.apply(text)),
                    Optional.<String>empty())
            .at("")
            .none("this user's, which every run fills")
            .words("", "Tuning history that methods which learn from earlier runs see, or none")
            .option("--history", "DB");
    /// The number of the newest row that such a run sees.
    public static final Parameter<Long> ROWS = Parameter.of(
                    "history.upTo", ValueType.whole(0, Long.MAX_VALUE), Optional.<Long>empty())
            .hidden();

    /// The history of a run that begins now. Throws [knobscape.evaluate.UserError] for a file that is no history.
    ///
    /// @param values of its settings, in which `none` stands for nothing
    /// @param usual the history where they name none
    public static Optional<HistoryUse> now(Values values, Optional<Path> usual) {
        Optional<String> named = values.find(FILE);
        Optional<Path> file = named.filter(NONE::equals).isPresent()
                ? Optional.empty()
                : named.map(Path::of).or(() -> usual);
        return file.map(f -> {
            try (TuningHistory h = TuningHistory.existing(f)) {
                return new HistoryUse(f.toString(), h.last());
            }
        });
    }

    /// The history that settings name; nothing before [#now].
    public static Optional<HistoryUse> in(Values values) {
        return values.find(FILE).flatMap(f -> values.find(ROWS).map(n -> new HistoryUse(f, n)));
    }

    /// Settings that say so.
    public static Values put(Values values, Optional<HistoryUse> use) {
        return values.with(FILE, use.map(HistoryUse::file)).with(ROWS, use.map(HistoryUse::upTo));
    }
}
