package knobscape.app.cli;

import java.io.Console;
import java.nio.file.Path;
import java.util.function.Supplier;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsTools;
import knobscape.project.Areas;
import knobscape.project.Runner;
import knobscape.work.Area;
import org.jspecify.annotations.Nullable;

/// The context of the verbs; tests hand in another one.
///
/// @param tools parts that HLS work is put together from, made when first needed
/// @param runners makes what runs explorations
/// @param here where the program was started
/// @param interactive whether a person watches standard error live
record CommandContext(Supplier<HlsTools> tools, Supplier<Runner> runners, Path here, boolean interactive) {
    /// The area of this name in files, with the parts of [#tools].
    Area area(String kind) {
        Area area = Areas.standard().find(kind).orElseThrow();
        return area instanceof HlsArea ? new HlsArea(tools.get()) : area;
    }

    /// The real ones.
    static CommandContext ofThisProcess() {
        return new CommandContext(
                HlsTools::standard,
                Runner::withSystemClocks,
                Path.of("").toAbsolutePath(),
                isTerminal(System.console()) && !"dumb".equals(System.getenv("TERM")));
    }

    /// There is no console where input or output is a file or a pipe.
    private static boolean isTerminal(@Nullable Console console) {
        return console != null && console.isTerminal();
    }
}
