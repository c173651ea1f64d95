package knobscape.project;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.hls.space.DirectiveFile;

/// What is optimised: one kernel with one top function on one part, or a file of measured designs. Paths are relative to the project folder, or absolute.
///
/// @param source main C or C++ file; or the CSV file of measured designs, of which nothing else is needed
/// @param top top function, guessed where empty
/// @param includeDirs searched for headers
/// @param defines macros given from outside
/// @param directives YAML file that says what the knobs are: the directive file, the default knobs where empty; of measured designs the mapping of columns
/// @param part name of the FPGA part, the default part where empty
/// @param clockNs target clock period in nanoseconds
public record HlsSettings(String source, Optional<String> top, List<String> includeDirs, Map<String, String> defines,
        Optional<String> directives, Optional<String> part, double clockNs) implements WorkSettings {
    /// Target clock period where nothing is said, in nanoseconds (100 MHz).
    public static final double DEFAULT_CLOCK_NS = 10.0;

    public HlsSettings {
        includeDirs = List.copyOf(includeDirs);
        defines = Collections.unmodifiableMap(new LinkedHashMap<>(defines));
        if (!(clockNs > 0) || Double.isInfinite(clockNs)) {
            throw new IllegalArgumentException("the clock period must be a positive number of nanoseconds, was " + clockNs);
        }
    }

    /// Everything by default for one source file.
    public static HlsSettings of(String source) {
        return new HlsSettings(source, Optional.empty(), List.of(), Map.of(), Optional.empty(), Optional.empty(), DEFAULT_CLOCK_NS);
    }

    /// Whether the source is a file of measured designs.
    public boolean isMeasured() {
        return ReplaySet.isNamed(source);
    }

    /// The same with the top function, part and clock that a directive file names, as far as it does.
    public HlsSettings refinedBy(DirectiveFile file) {
        return new HlsSettings(source, file.top().or(this::top), includeDirs, defines, directives, file.part().or(this::part), file.clockNs().orElse(clockNs));
    }

    /// The same with another top function.
    public HlsSettings withTop(String name) {
        return new HlsSettings(source, Optional.of(name), includeDirs, defines, directives, part, clockNs);
    }

    /// The same with another directive file.
    public HlsSettings withDirectives(String file) {
        return new HlsSettings(source, top, includeDirs, defines, Optional.of(file), part, clockNs);
    }

    /// The same with another part.
    public HlsSettings withPart(String name) {
        return new HlsSettings(source, top, includeDirs, defines, directives, Optional.of(name), clockNs);
    }

    /// The same with another clock period.
    public HlsSettings withClockNs(double nanoseconds) {
        return new HlsSettings(source, top, includeDirs, defines, directives, part, nanoseconds);
    }
}
