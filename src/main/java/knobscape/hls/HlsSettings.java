package knobscape.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Calibration;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.ToolProfile;
import knobscape.hls.evaluate.vendor.ToolSettings;
import knobscape.hls.export.Flow;
import knobscape.hls.space.DirectiveFile;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// What is optimised: one kernel with one top function on one part, or a file of measured designs. Paths are
/// relative to the project folder, or absolute.
///
/// @param source main C or C++ file; or the CSV file of measured designs, of which nothing else is needed
/// @param top top function, guessed where empty
/// @param includeDirs searched for headers
/// @param defines macros given from outside
/// @param directives YAML file that says what the knobs are: the directive file, the default knobs where empty;
/// of measured designs the mapping of columns
/// @param part name of the FPGA part, the default part where empty
/// @param clockNs target clock period in nanoseconds
/// @param tool patience with tools that run outside
/// @param starts files of directives (Tcl, configuration, source with pragmas), whose designs are evaluated first
/// @param search what is known before a search begins
public record HlsSettings(
        String source,
        Optional<String> top,
        List<String> includeDirs,
        Map<String, String> defines,
        Optional<String> directives,
        Optional<String> part,
        double clockNs,
        ToolSettings tool,
        List<String> starts,
        SearchSettings search)
        implements WorkSettings {
    /// Target clock period where nothing is said, in nanoseconds (100 MHz).
    public static final double DEFAULT_CLOCK_NS = 10.0;

    /// Name of the toolchain that answers from a file of measured designs.
    public static final String REPLAY = "replay";

    public HlsSettings {
        includeDirs = List.copyOf(includeDirs);
        // Runs of earlier versions have none of them.
        search = Objects.requireNonNullElse(search, SearchSettings.DEFAULT);
        tool = Objects.requireNonNullElse(tool, ToolSettings.DEFAULT);
        starts = List.copyOf(Objects.requireNonNullElse(starts, List.of()));
        defines = Collections.unmodifiableMap(new LinkedHashMap<>(defines));
        if (!(clockNs > 0) || Double.isInfinite(clockNs)) {
            throw new IllegalArgumentException(
                    "the clock period must be a positive number of nanoseconds, was " + clockNs);
        }
    }

    /// Everything by default for one source file.
    public static HlsSettings of(String source) {
        return new HlsSettings(
                source,
                Optional.empty(),
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                DEFAULT_CLOCK_NS,
                ToolSettings.DEFAULT,
                List.of(),
                SearchSettings.DEFAULT);
    }

    /// How the built-in estimator works for this part and clock.
    ///
    /// @param runs folder of the runs, where a calibration may be
    public EstimatorSettings estimator(long seed, Path runs) {
        ToolProfile profile = flow() == Flow.VITIS ? ToolProfile.VITIS_KERNEL_2022 : ToolProfile.VITIS_HLS_2022;
        return EstimatorSettings.defaults()
                .withPart(Part.named(part))
                .withClockNs(clockNs)
                .withProfile(profile)
                .withUncertainty(tool.options()
                        .uncertainty()
                        .map(percent -> percent / 100)
                        .orElse(profile.uncertainty()))
                .withSeed(seed)
                .withCalibration(Calibration.in(runs));
    }

    /// What the tool makes of the kernel.
    Flow flow() {
        return tool.options().flow();
    }

    /// Whether the source is a file of measured designs.
    public boolean isMeasured() {
        return ReplaySet.isNamed(source);
    }

    /// The same with the top function, part and clock that a directive file names, as far as it does.
    public HlsSettings refinedBy(DirectiveFile file) {
        return new HlsSettings(
                source,
                file.top().or(this::top),
                includeDirs,
                defines,
                directives,
                file.part().or(this::part),
                file.clockNs().orElse(clockNs),
                tool,
                starts,
                search);
    }

    /// The file of measured designs that `toolchain` names (`replay:FILE`); empty for another toolchain, and
    /// for `replay` alone.
    public static Optional<String> measured(String toolchain) {
        return Optional.of(toolchain)
                .filter(t -> t.startsWith(REPLAY + ":"))
                .map(t -> t.substring(REPLAY.length() + 1))
                .filter(f -> !f.isBlank());
    }

    /// Whether `toolchain` is `replay`, with or without a file.
    public static boolean isReplay(String toolchain) {
        return toolchain.equals(REPLAY) || toolchain.startsWith(REPLAY + ":");
    }

    /// CGP on the estimator with the settings of Sun et al.: 40 steps, 8 initial designs, early stop 5, seed 1.
    public static RunSettings defaultRun() {
        return RunSettings.of("cgp", "estimator", 40, 8, 5);
    }

    /// What is explored where `toolchain` evaluates: with the top function, part and clock that the directive
    /// file names; `replay:FILE` answers only for the designs in its file, which is then what is explored.
    /// Throws [UserError] for a directive file that is not there or malformed, and where two files of measured
    /// designs are named.
    public HlsSettings effective(String toolchain, Place place) {
        Optional<String> data = measured(toolchain);
        if (isMeasured()) {
            data.map(place::resolve)
                    .filter(d -> !d.equals(place.resolve(source)))
                    .ifPresent(other -> {
                        throw new UserError("Two files of measured designs are named, " + place.resolve(source)
                                + " and " + other + "; name one.");
                    });
            return this;
        }
        return data.map(HlsSettings::of)
                .orElseGet(() -> directives
                        .map(d -> refinedBy(DirectiveFile.read(place.resolve(d))))
                        .orElse(this));
    }

    @Override
    public List<String> inputs() {
        return directives.stream().toList();
    }

    @Override
    public HlsSettings stored(Place place) {
        return new HlsSettings(
                place.stored(source),
                top,
                includeDirs.stream().map(place::stored).toList(),
                defines,
                directives.map(place::stored),
                part,
                clockNs,
                tool,
                starts.stream().map(place::stored).toList(),
                search);
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        part.ifPresent(p -> facts.put("part", p));
        if (!isMeasured()) {
            facts.put("clock", plain(clockNs) + " ns");
        }
        return facts;
    }

    @Override
    public List<String> options(WorkSettings project, Place place) {
        HlsSettings usual = project instanceof HlsSettings h ? h : of(source);
        var words = new ArrayList<String>();
        top.filter(v -> !usual.top.equals(top)).ifPresent(v -> words.addAll(List.of("--top", v)));
        directives
                .filter(v -> !usual.directives.equals(directives))
                .ifPresent(v -> words.addAll(List.of(isMeasured() ? "--mapping" : "--directives", v)));
        part.filter(v -> !usual.part.equals(part)).ifPresent(v -> words.addAll(List.of("--part", v)));
        if (clockNs != usual.clockNs) {
            words.addAll(List.of("--clock", plain(clockNs)));
        }
        if (flow() != usual.flow()) {
            words.addAll(List.of("--flow", flow().name().toLowerCase(Locale.ROOT)));
        }
        if (search.pruning() != usual.search.pruning()) {
            words.addAll(List.of("--pruning", search.pruning().name().toLowerCase(Locale.ROOT)));
        }
        if (search.estimatePrior() != usual.search.estimatePrior()) {
            words.addAll(List.of("--prior", search.estimatePrior() ? SearchSettings.ESTIMATE : SearchSettings.NONE));
        }
        starts.stream().filter(v -> !usual.starts.contains(v)).forEach(v -> words.addAll(List.of("--start", v)));
        return words;
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /// The same with another top function.
    public HlsSettings withTop(String name) {
        return new HlsSettings(
                source, Optional.of(name), includeDirs, defines, directives, part, clockNs, tool, starts, search);
    }

    /// The same with another directive file.
    public HlsSettings withDirectives(String file) {
        return new HlsSettings(
                source, top, includeDirs, defines, Optional.of(file), part, clockNs, tool, starts, search);
    }

    /// The same with another part.
    public HlsSettings withPart(String name) {
        return new HlsSettings(
                source, top, includeDirs, defines, directives, Optional.of(name), clockNs, tool, starts, search);
    }

    /// The same with tools run otherwise.
    public HlsSettings withTool(ToolSettings other) {
        return new HlsSettings(source, top, includeDirs, defines, directives, part, clockNs, other, starts, search);
    }

    /// The same with designs to begin with.
    public HlsSettings withStarts(List<String> files) {
        return new HlsSettings(source, top, includeDirs, defines, directives, part, clockNs, tool, files, search);
    }

    /// The same with other knowledge beforehand.
    public HlsSettings withSearch(SearchSettings other) {
        return new HlsSettings(source, top, includeDirs, defines, directives, part, clockNs, tool, starts, other);
    }

    /// The same with another clock period.
    public HlsSettings withClockNs(double nanoseconds) {
        return new HlsSettings(source, top, includeDirs, defines, directives, part, nanoseconds, tool, starts, search);
    }
}
