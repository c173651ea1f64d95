package knobscape.hls.evaluate.vendor;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.hls.export.Dialect;
import knobscape.work.tool.SearchPath;
import knobscape.work.tool.ToolProcess;

/// The vendor's HLS tool as found on this machine.
///
/// Vivado HLS (to 2020.1) and Vitis HLS (2020.2 to 2024.2) take a script by `-f`. Since 2024.2 there is `vitis-run`,
/// which needs `--mode hls` and takes the script by `--tcl`, without `-tclargs`; `vitis_hls` is gone in 2025.1.
///
/// @param program the executable
/// @param kind how it is called
/// @param year of the version
/// @param minor number within the year
public record VendorTool(Path program, Kind kind, int year, int minor) {
    private static final Pattern VERSION = Pattern.compile("v?(20\\d\\d)\\.(\\d)");
    private static final Duration ANSWER = Duration.ofMinutes(2);

    /// Programs of the vendor that synthesise C.
    public enum Kind {
        VITIS_RUN("vitis-run", Dialect.VITIS_HLS),
        VITIS_HLS("vitis_hls", Dialect.VITIS_HLS),
        VIVADO_HLS("vivado_hls", Dialect.VIVADO_HLS);

        private final String program;
        private final Dialect dialect;

        Kind(String program, Dialect dialect) {
            this.program = program;
            this.dialect = dialect;
        }

        /// Name of the executable.
        public String program() {
            return program;
        }
    }

    /// The dialect of its directives.
    public Dialect dialect() {
        return kind.dialect;
    }

    /// `2022.1`.
    public String version() {
        return year + "." + minor;
    }

    /// For a person.
    public String words() {
        return (dialect() == Dialect.VIVADO_HLS ? "Vivado HLS " : "Vitis HLS ") + version();
    }

    /// Runs a script.
    List<String> command(String script) {
        return switch (kind) {
            case VITIS_RUN -> List.of(program.toString(), "--mode", "hls", "--tcl", script);
            case VITIS_HLS, VIVADO_HLS -> List.of(program.toString(), "-f", script);
        };
    }

    /// True if it takes configuration files: the unified tools from 2024.2 on.
    boolean takesConfig() {
        return kind == Kind.VITIS_RUN && (year > 2024 || (year == 2024 && minor >= 2));
    }

    /// C synthesis by a configuration file.
    List<String> compile(String config, String folder) {
        return List.of(
                program.resolveSibling("v++").toString(),
                "-c",
                "--mode",
                "hls",
                "--config",
                config,
                "--work_dir",
                folder);
    }

    /// The command of a step after synthesis, or before: `--csim`, `--cosim`, `--impl`.
    List<String> configured(String what, String config, String folder) {
        return List.of(program.toString(), "--mode", "hls", what, "--config", config, "--work_dir", folder);
    }

    /// Vivado, beside this tool or on the search path.
    Optional<Path> vivado(String searchPath) {
        return Stream.concat(Optional.ofNullable(program.getParent()).stream(), SearchPath.folders(searchPath).stream())
                .flatMap(f -> Stream.of(f.resolve("vivado"), f.resolve("vivado.bat")))
                .filter(SearchPath::isProgram)
                .findFirst();
    }

    /// Versions to 2021.2 number exported cores by date, which overflows since 2022 (IMPL 213-28) unless a version is
    /// given.
    boolean needsCoreVersion() {
        return year < 2022;
    }

    /// Finds the tool.
    ///
    /// @param where an executable, the folder of an installation, or empty for the search path
    /// @param searchPath the variable PATH
    /// @param scratch folder for its answer
    ///
    /// Throws [UserError] that says what was looked for and how to fix it.
    public static VendorTool find(String where, String searchPath, Path scratch) {
        var tried = new ArrayList<String>();
        for (Path candidate : candidates(where, searchPath)) {
            Optional<Kind> kind = kind(candidate);
            if (kind.isEmpty()) {
                continue;
            }
            String answer = answer(candidate, kind.get(), scratch);
            Matcher m = VERSION.matcher(answer);
            if (m.find()) {
                return new VendorTool(
                        candidate, kind.get(), Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
            }
            tried.add(candidate + " does not tell its version"
                    + answer.lines()
                            .filter(l -> !l.isBlank())
                            .findFirst()
                            .map(l -> " (\"" + l.strip() + "\")")
                            .orElse(""));
        }
        throw new UserError("No HLS tool was found"
                + (tried.isEmpty() ? "" : ": " + String.join("; ", tried))
                + "; source the tool's settings64.sh, or name its folder with --toolchain vitis:FOLDER"
                + " (looked for vitis-run, vitis_hls and vivado_hls "
                + (where.isEmpty() ? "on the PATH)." : "in " + where + ")."));
    }

    private static List<Path> candidates(String where, String searchPath) {
        try {
            if (!where.isEmpty()) {
                Path p = Path.of(where).toAbsolutePath().normalize();
                return Files.isDirectory(p)
                        ? Stream.of(p, p.resolve("bin")).flatMap(VendorTool::in).toList()
                        : List.of(p);
            }
            return SearchPath.folders(searchPath).stream()
                    .flatMap(VendorTool::in)
                    .toList();
        } catch (InvalidPathException e) {
            throw new UserError("'" + where + "' is no path: " + e.getReason() + ".", e);
        }
    }

    /// The programs of one folder, the newest kind first.
    private static Stream<Path> in(Path folder) {
        return Stream.of(Kind.values())
                .flatMap(k -> Stream.of(k.program, k.program + ".bat"))
                .map(folder::resolve)
                .filter(SearchPath::isProgram);
    }

    private static Optional<Kind> kind(Path program) {
        String name = program.getFileName().toString();
        return Stream.of(Kind.values()).filter(k -> name.startsWith(k.program)).findFirst();
    }

    private static String answer(Path program, Kind kind, Path scratch) {
        return ToolProcess.answer(
                List.of(program.toString(), kind == Kind.VITIS_RUN ? "--version" : "-version"), scratch, ANSWER);
    }
}
