package knobscape.work.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.space.Sha256;
import knobscape.work.tool.ToolProcess.Job;

/// The files of a job at Slurm in its design's folder, for another start of the program too.
///
/// @param id the job's number, or its name while it is on its way to Slurm
/// @param status exit status and seconds of the tool; the job's script writes it, because finished jobs leave the
/// queue and accounting may be off
/// @param script what the job runs
record SlurmFiles(Path id, Path status, Path script) {
    private static final long MAX_BYTES = 256;

    static SlurmFiles of(Job job) {
        Path file = job.folder().resolve("slurm-" + Sha256.of(job.mark()).substring(0, 12));
        return new SlurmFiles(
                file.resolveSibling(file.getFileName() + ".id"),
                file.resolveSibling(file.getFileName() + ".status"),
                file.resolveSibling(file.getFileName() + ".sh"));
    }

    /// How the tool ended.
    ///
    /// @param code exit status
    record Status(int code, double seconds) {}

    /// The tool's end, once the script has told it.
    Optional<Status> readStatus() {
        String text = text(status);
        if (!text.matches("\\d{1,3}( \\d{1,9})?")) {
            return Optional.empty();
        }
        String[] words = text.split(" ");
        return Optional.of(
                new Status(Integer.parseInt(words[0]), words.length < 2 ? Double.NaN : Double.parseDouble(words[1])));
    }

    /// The job's number: `12`, or `12_3` for a task of an array.
    ///
    /// @param queue knows the number of a job that was on its way when the program was killed
    Optional<String> readId(SlurmQueue queue) {
        String text = text(id);
        if (text.matches("\\d{1,12}(_\\d{1,9})?")) {
            return Optional.of(text);
        }
        // NAME, or NAME and the number of the task
        String[] words = text.split(" ");
        if (!words[0].matches("knobscape-[\\w-]+")) {
            return Optional.empty();
        }
        return queue.named(words[0]).map(base -> words.length == 1 ? base : base + "_" + words[1]);
    }

    void writeId(String number) {
        FileOutput.write(id, number);
    }

    /// @param task number in the array, negative where it is none
    void writeName(String name, int task) {
        FileOutput.write(id, task < 0 ? name : name + " " + task);
    }

    /// Writes the script: the tool with its environment, in the design's folder and with its log, then its end.
    void writeScript(Job job) {
        var b = new StringBuilder("#!/bin/sh\ncd " + SlurmCommands.quoted(job.folder()) + " || exit 1\nexec >> "
                + SlurmCommands.quoted(job.log()) + " 2>&1\n");
        job.environment()
                .forEach((k, v) -> b.append("export ")
                        .append(k)
                        .append('=')
                        .append(SlurmCommands.quoted(v))
                        .append('\n'));
        b.append("begun=$(date +%s)\n");
        job.command().forEach(w -> b.append(SlurmCommands.quoted(w)).append(' '));
        String part = SlurmCommands.quoted(status + ".tmp");
        b.append("\nended=$?\necho \"$ended $(($(date +%s) - begun))\" > ")
                .append(part)
                .append("\nmv ")
                .append(part)
                .append(' ')
                .append(SlurmCommands.quoted(status))
                .append('\n');
        FileOutput.write(script, b.toString());
    }

    /// Removes number and status.
    void forget() {
        try {
            Files.deleteIfExists(id);
            Files.deleteIfExists(status);
        } catch (IOException e) {
            throw new UserError("The folder " + id.getParent() + " cannot be used: " + UserError.reason(e) + ".", e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.exists(file)
                    ? new String(InputFile.bytes(file, MAX_BYTES), StandardCharsets.UTF_8).strip()
                    : "";
        } catch (IOException | UserError e) {
            return "";
        }
    }
}
