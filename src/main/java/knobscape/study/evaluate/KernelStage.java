package knobscape.study.evaluate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.space.Configuration;
import knobscape.space.Sha256;
import knobscape.study.kernel.KernelJob;
import knobscape.study.kernel.KernelJob.Content;
import knobscape.study.kernel.KernelProcess;
import knobscape.study.source.OwnKernel;
import knobscape.study.source.OwnKernel.Amount;
import knobscape.study.source.Study;
import knobscape.study.source.Study.Stage;
import knobscape.study.space.ConfigurationRow;
import knobscape.study.space.StudySpace;
import knobscape.work.device.DeviceProcess;
import knobscape.work.tool.ToolFlow;
import knobscape.work.tool.ToolProcess;
import knobscape.work.tool.ToolResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A kernel of one's own as a stage of a study: what is asked of a [KernelProcess] for a configuration.
final class KernelStage {
    private static final String JOB = "kernel.json";
    private static final Duration START = Duration.ofSeconds(60);

    private final String file;
    private final int line;
    private final OwnKernel kernel;
    /// Levels of the configuration at which the reference runs; empty for that of each configuration.
    private final Optional<int[]> defaults;
    private final Path here;
    private final Function<Path, String> hash;
    private final boolean energy;

    /// @param stage of the study, that of the kernel
    /// @param here the study's folder
    /// @param hash of a file
    /// @param energy whether the study asks for the energy of a run
    KernelStage(Study study, Stage stage, Path here, Function<Path, String> hash, boolean energy) {
        this.hash = hash;
        this.energy = energy;
        this.file = study.file();
        this.line = stage.line();
        this.kernel = stage.kernel().orElseThrow();
        this.defaults = Optional.of(StudySpace.defaults(study)).filter(_ -> kernel.atDefault());
        this.here = here;
    }

    /// A configuration that is no job: the message says why.
    private static final class NoJob extends Exception {
        private static final long serialVersionUID = 1L;

        NoJob(String message) {
            super(message);
        }
    }

    /// Looks for the files; throws [UserError] that names one that is missing.
    void requireFiles() {
        files().filter(f -> !Files.isRegularFile(here.resolve(f))).findFirst().ifPresent(f -> {
            throw YamlNode.error(file, line, "there is no file '" + f + "' beside it");
        });
    }

    /// The device's own name; throws [UserError] where it cannot be used.
    String hardware() {
        Path folder;
        try {
            folder = TemporaryFiles.folder("knobscape-kernel");
        } catch (IOException e) {
            throw new UserError("The device of the kernel cannot be asked: " + UserError.reason(e) + ".", e);
        }
        try {
            write(
                    folder,
                    JsonMapper.shared()
                            .valueToTree(
                                    new KernelProcess.Question(kernel.code().language(), kernel.device(), "?")));
            ToolProcess.run(
                    new ToolProcess.Job(
                            folder.toString(),
                            command(folder).steps().getFirst(),
                            folder,
                            DeviceProcess.environment(scratch(folder)),
                            folder.resolve("log.txt"),
                            START),
                    new CancellationSignal());
            Path answer = folder.resolve(KernelProcess.RESULT);
            JsonNode n = Files.isRegularFile(answer)
                    ? JsonFields.read(answer, ToolResult.MOST_BYTES).node()
                    : JsonMapper.shared().createObjectNode();
            if (!n.has(KernelProcess.HARDWARE)) {
                String why = n.path("reason")
                        .asString("the process that uses it gives no answer"
                                + ToolResult.tellingLine(Files.readString(folder.resolve("log.txt"))));
                throw new UserError("The device of the kernel cannot be used: " + why.replaceFirst("\\.$", "") + ".");
            }
            return n.path(KernelProcess.HARDWARE).asString("");
        } catch (IOException e) {
            throw new UserError("The device of the kernel cannot be asked: " + UserError.reason(e) + ".", e);
        } finally {
            TemporaryFiles.remove(folder);
        }
    }

    private Stream<String> files() {
        return Stream.concat(
                        Stream.concat(Stream.of(kernel.code()), kernel.reference().stream())
                                .map(OwnKernel.Code::file),
                        kernel.arguments().stream().flatMap(a -> Stream.of(a.file(), a.expected())))
                .filter(f -> !f.isEmpty() && !f.equals(OwnKernel.WRITTEN))
                .distinct();
    }

    /// Everything the result depends on, as text.
    String inputs() {
        var text = new StringBuilder(kernel.toString());
        files().forEach(f -> text.append('\n').append(f).append(' ').append(hash.apply(here.resolve(f))));
        return text.toString();
    }

    /// Writes the job into a folder and gives what runs it.
    ///
    /// @param best see [KernelJob]
    ToolFlow.Command prepare(Configuration c, Path folder, double best) {
        JsonNode job;
        try {
            job = JsonMapper.shared().valueToTree(job(c, folder, best));
        } catch (NoJob e) {
            job = JsonMapper.shared().createObjectNode().put(KernelProcess.REFUSED, e.getMessage());
        }
        write(folder, job);
        return command(folder);
    }

    private static ToolFlow.Command command(Path folder) {
        return new ToolFlow.Command(
                List.of(DeviceProcess.command(
                        KernelProcess.class,
                        scratch(folder),
                        List.of(folder.resolve(JOB).toString()))),
                DeviceProcess.environment(scratch(folder)));
    }

    private static Path scratch(Path folder) {
        return folder.resolve("scratch");
    }

    /// Removes what compilers left.
    static void clean(Path folder) {
        TemporaryFiles.remove(scratch(folder));
    }

    private static void write(Path folder, JsonNode job) {
        FileOutput.write(folder.resolve(JOB), job.toPrettyString().getBytes(StandardCharsets.UTF_8));
        try {
            Files.createDirectories(scratch(folder));
        } catch (IOException e) {
            throw new UserError("Cannot make '" + scratch(folder) + "': " + UserError.reason(e) + ".", e);
        }
    }

    private KernelJob job(Configuration c, Path folder, double best) throws NoJob {
        var row = new ConfigurationRow(c, kernel.constants());
        List<KernelJob.Code> reference = new ArrayList<>();
        if (kernel.reference().isPresent()) {
            reference.add(code(
                    kernel.reference().get(),
                    defaults.map(levels -> Configuration.of(c.knobs(), levels)).orElse(c)));
        }
        Path parent = Objects.requireNonNull(folder.toAbsolutePath().getParent());
        // What is right depends on sizes, and these may on parameters; how it is computed does not change it, so that
        // the macros of a configuration are no part of it and the reference runs once.
        String sizes =
                reference.stream().map(r -> r.groups() + " " + r.arguments()).toList() + "";
        String key = Sha256.of((inputs() + sizes).getBytes(StandardCharsets.UTF_8));
        return new KernelJob(
                kernel.device(),
                code(kernel.code(), c),
                reference,
                kernel.tolerance(),
                number(kernel.operations(), row, 0),
                number(kernel.bytes(), row, 0),
                parent.resolve("right-" + key.substring(0, 16) + ".bin").toString(),
                best);
    }

    private KernelJob.Argument argument(OwnKernel.Argument a, ConfigurationRow row) throws NoJob {
        long length = a.length().isPresent() ? whole(a.length().get(), row, "the length of a buffer") : 0;
        boolean written = a.file().equals(OwnKernel.WRITTEN);
        Content content = a.isShared()
                ? Content.SHARED
                : written
                        ? Content.NOTHING
                        : !a.file().isEmpty()
                                ? Content.FILE
                                : a.value().isPresent() ? Content.CONSTANT : Content.RANDOM;
        return new KernelJob.Argument(
                a.type(),
                length,
                content,
                number(a.value(), row, 0),
                written ? "" : path(a.file()),
                a.isOutput(),
                path(a.expected()),
                a.isSum());
    }

    private String path(String name) {
        return name.isEmpty() ? "" : here.resolve(name).toString();
    }

    private KernelJob.Code code(OwnKernel.Code code, Configuration c) throws NoJob {
        var row = new ConfigurationRow(c, kernel.constants());
        var groups = new ArrayList<Long>();
        var local = new ArrayList<Long>();
        for (int i = 0; i < code.grid().size(); i++) {
            long items = whole(code.local().get(i), row, "the size of a work group");
            long size = whole(code.grid().get(i), row, code.inGroups() ? "the number of groups" : "the global size");
            if (!code.inGroups() && size % items != 0) {
                throw new NoJob("the global size " + size + " is no multiple of the work group's " + items);
            }
            groups.add(code.inGroups() ? size : size / items);
            local.add(items);
        }
        var options = new ArrayList<>(code.options());
        kernel.constants().forEach((k, v) -> options.add("-D" + k + "=" + v));
        options.addAll(StudySpace.macros(c));
        var arguments = new ArrayList<KernelJob.Argument>();
        for (OwnKernel.Argument a : kernel.arguments()) {
            arguments.add(argument(a, row));
        }
        return new KernelJob.Code(
                code.language(), path(code.file()), code.function(), options, groups, local, energy, arguments);
    }

    private static long whole(Amount a, ConfigurationRow row, String what) throws NoJob {
        OptionalDouble v = a.formula().value(row);
        if (v.isEmpty()
                || v.getAsDouble() < 1
                || v.getAsDouble() != Math.rint(v.getAsDouble())
                || v.getAsDouble() > 1e15) {
            throw new NoJob(what + ", " + a.formula() + " (line " + a.line() + "), is "
                    + (v.isEmpty()
                            ? "nothing"
                            : Double.toString(v.getAsDouble()).replaceFirst("\\.0$", ""))
                    + " and must be a whole number from 1");
        }
        return (long) v.getAsDouble();
    }

    private static double number(Optional<Amount> a, ConfigurationRow row, double otherwise) throws NoJob {
        if (a.isEmpty()) {
            return otherwise;
        }
        OptionalDouble v = a.get().formula().value(row);
        if (v.isEmpty()) {
            throw new NoJob(a.get().formula() + " (line " + a.get().line() + ") has no value here");
        }
        return v.getAsDouble();
    }

    /// Seconds to the unit of a metric.
    static double scale(Study study) {
        return study.metrics().stream()
                .filter(m -> m.name().equals("time"))
                .map(m -> 1 / OwnKernel.SECONDS_OF_UNIT.getOrDefault(m.unit(), 1e-3))
                .findFirst()
                .orElse(1.0);
    }
}
