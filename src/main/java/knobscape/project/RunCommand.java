package knobscape.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/// The command line that repeats a run.
final class RunCommand {
    private RunCommand() {
    }

    /// `knobscape explore PROJECT --method ...`, with everything that could differ from another machine's defaults spelt out.
    static String of(Project project, WorkSettings work, RunSettings run) {
        return switch (work) {
            case HlsSettings k -> of(project, k, run);
            case FusionSettings f -> of(project, f, run);
            case GpuSettings g -> "knobscape tune " + quoted(project.folder().toString()) + " --method " + run.method() + " --seed " + run.seed();
        };
    }

    /// `knobscape fuse NETWORK --method ...`.
    private static String of(Project project, FusionSettings f, RunSettings run) {
        boolean bare = project.folder().equals(project.runsFolder()) && project.isScratch();
        var words = new ArrayList<String>(List.of("knobscape", "fuse", bare ? f.isBuiltIn() ? f.source() : project.resolve(f.source()).toString() : project.folder().toString()));
        boolean preset = knobscape.fusion.source.Accelerator.preset(f.accelerator()).isPresent();
        words.addAll(List.of("--method", run.method(), "--accelerator", preset ? f.accelerator() : project.resolve(f.accelerator()).toString()));
        f.buffer().ifPresent(b -> words.addAll(List.of("--buffer", knobscape.fusion.source.ByteSize.text(b))));
        f.dims().forEach((name, extent) -> words.addAll(List.of("--dim", name + "=" + extent)));
        words.addAll(List.of("--batch", "" + f.batch(), "--constraint", f.constraint().name().toLowerCase(java.util.Locale.ROOT), "--evaluations", "" + run.steps(), "--seed", "" + run.seed()));
        if (project.isScratch()) {
            words.addAll(List.of("--out", project.runsFolder().toString()));
        }
        return words.stream().map(RunCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String of(Project project, HlsSettings kernel, RunSettings run) {
        var words = new ArrayList<String>(List.of("knobscape", "explore", project.folder().equals(project.runsFolder()) && project.isScratch()
                ? project.source().toString() : project.folder().toString()));
        HlsSettings usual = project.file().kernel();
        add(words, "--top", kernel.top(), kernel.top().equals(usual.top()));
        add(words, kernel.isMeasured() ? "--mapping" : "--directives", kernel.directives(), kernel.directives().equals(usual.directives()));
        add(words, "--part", kernel.part(), kernel.part().equals(usual.part()));
        add(words, "--clock", Optional.of(plain(kernel.clockNs())), kernel.clockNs() == usual.clockNs());
        words.addAll(List.of("--method", run.method(), "--toolchain",
                Toolchains.measured(run.toolchain()).map(f -> Toolchains.REPLAY + ":" + project.resolve(f)).orElse(run.toolchain()), "--steps", "" + run.steps(), "--init", "" + run.initialDesigns(),
                "--early-stop", "" + run.earlyStop(), "--parallel", "" + run.parallel(), "--seed", "" + run.seed()));
        if (!run.objectives().isEmpty()) {
            words.addAll(List.of("--objectives", String.join(",", run.objectives())));
        }
        if (project.isScratch()) {
            words.addAll(List.of("--out", project.runsFolder().toString()));
        }
        return words.stream().map(RunCommand::quoted).collect(Collectors.joining(" "));
    }

    /// Version of this program, as in its build file.
    static String programVersion() {
        try (InputStream in = RunCommand.class.getResourceAsStream("/knobscape/app/version.properties")) {
            if (in == null) {
                throw new IllegalStateException("version.properties is missing from this build");
            }
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(List<String> words, String option, Optional<String> value, boolean usual) {
        if (!usual && value.isPresent()) {
            words.add(option);
            words.add(value.get());
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./\\\\-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /// For paths shown to a person: relative to where the program was started, where that is shorter.
    static String shown(Path path) {
        Path here = Path.of("").toAbsolutePath();
        return path.startsWith(here) && !path.equals(here) ? here.relativize(path).toString() : path.toString();
    }
}
