package knobscape.app.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.study.export.StudyDraft;
import knobscape.study.source.StudyReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape study new`: a commented study file from a source.
@Command(
        name = "new",
        description =
                "Write a commented study file from a source: the macros of a C, CUDA or OpenCL file, or the options of a Python script, become parameters. A tuning problem of Kernel Tuner or KTT (T1, JSON) is translated.")
final class StudyNewCommand extends Verb {
    private static final long LARGEST = 16L << 20;

    @Parameters(paramLabel = "SOURCE", description = "A C, C++, CUDA, OpenCL or Python file, or a T1 file.")
    private Path source;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where it is written (default: NAME.study.yaml beside the source).")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--force", description = "Write also over a file that is there.")
    private boolean force;

    private StudyNewCommand(CommandContext context) {
        super(context);
    }

    static CommandSpec of(CommandContext context) {
        return CommandSpec.forAnnotatedObject(new StudyNewCommand(context));
    }

    @Override
    public Integer call() {
        Path file = context().here().resolve(source).normalize();
        if (!Files.isRegularFile(file)) {
            throw new UserError("There is no file '" + file + "'.");
        }
        String text = InputFile.required(file, LARGEST);
        String stem = file.getFileName().toString().replaceFirst("\\.[^.]*$", "");
        Path target = out.map(o -> context().here().resolve(o).normalize())
                .orElseGet(() -> file.resolveSibling(stem + ".study.yaml"));
        if (Files.exists(target) && !force) {
            throw new UserError("'" + target + "' is there already; name another file with --out, or take --force.");
        }
        StudyDraft draft = StudyDraft.of(file, text);
        // A draft that somebody has to complete need not be a study yet.
        String then = draft.objection()
                .map(why -> "; before it can be run: " + file + ":" + why + ".")
                .orElseGet(() -> "; look at it, then: knobscape study " + target);
        if (draft.objection().isEmpty()) {
            StudyReader.parse(target.toString(), draft.text());
        }
        FileOutput.write(target, draft.text());
        if (isJson()) {
            print(JsonMapper.shared()
                    .createObjectNode()
                    .put("file", target.toString())
                    .put("objection", draft.objection().orElse("")));
        } else {
            out().println("Wrote " + target + then);
            out().flush();
        }
        return 0;
    }
}
