package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Supplier;
import knobscape.hls.HlsTools;
import knobscape.project.Runner;

/// What the verbs work with; another one is handed in by tests.
///
/// @param tools parts that HLS work is put together from, made when first needed
/// @param runners makes what runs explorations
/// @param here where the program was started
/// @param interactive whether a person watches standard error live
record CommandContext(Supplier<HlsTools> tools, Supplier<Runner> runners, Path here, boolean interactive) {
    /// The real ones.
    static CommandContext ofThisProcess() {
        return new CommandContext(
                HlsTools::standard,
                Runner::withSystemClocks,
                Path.of("").toAbsolutePath(),
                requireNonNull(System.console()).isTerminal() && !"dumb".equals(System.getenv("TERM")));
    }
}
