package knobscape.work.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.work.tool.SlurmCommands.Answer;
import knobscape.work.tool.ToolProcess.Job;

/// Submits jobs. Those of one stage that are ready at about the same time go as one array, one call of `sbatch` for
/// all of them; a cluster that takes no arrays gets them one by one. Thread-safe.
final class SlurmSubmission {
    private static final long CHECK_MILLIS = 100;
    /// Characters of an answer that a message repeats.
    private static final int MOST_PRINTED = 300;

    private final SlurmCommands commands;
    private final List<String> options;
    private final int atOnce;
    private final long gatherMillis;
    private final long pauseMillis;
    private final Map<String, List<Ready>> ready = new HashMap<>();
    private volatile boolean takesArrays = true;

    /// @param options of `sbatch`, checked
    /// @param atOnce most tasks of an array that run at once, 0 for no limit
    /// @param gatherMillis how long a job waits for others of its stage
    /// @param pauseMillis until a controller that is silent is asked again
    SlurmSubmission(SlurmCommands commands, List<String> options, int atOnce, long gatherMillis, long pauseMillis) {
        this.commands = commands;
        this.options = List.copyOf(options);
        this.atOnce = atOnce;
        this.gatherMillis = gatherMillis;
        this.pauseMillis = pauseMillis;
    }

    /// A job that is to be submitted.
    private static final class Ready {
        private final Job job;
        private final SlurmFiles files;
        private final CompletableFuture<String> id = new CompletableFuture<>();
        /// On its way to Slurm; guarded by the submission.
        private boolean taken;

        Ready(Job job, SlurmFiles files) {
            this.job = job;
            this.files = files;
        }
    }

    /// The number of the job, once Slurm has taken it: `12`, or `12_3` for a task of an array. It is in the job's file
    /// of the number then. Throws [UserError] where Slurm does not take it, `CancellationException` where stopped;
    /// nothing of it runs then.
    String submit(Job job, SlurmFiles files, CancellationSignal cancel) {
        var r = new Ready(job, files);
        String stage = job.mark().substring(job.mark().lastIndexOf('#') + 1);
        synchronized (this) {
            List<Ready> others = ready.computeIfAbsent(stage, _ -> new ArrayList<>());
            others.add(r);
            if (others.size() == 1) {
                // Nobody's own thread: whoever is stopped takes no other with him.
                Thread.ofVirtual().name("slurm " + stage).start(() -> gather(stage));
            }
        }
        while (true) {
            try {
                return r.id.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (cancel.isCancelled() && isWithdrawn(r)) {
                    throw new CancellationException("stopped on request");
                }
            } catch (ExecutionException e) {
                throw new UserError(UserError.reason(e.getCause() == null ? e : e.getCause()), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                if (isWithdrawn(r)) {
                    throw new CancellationException("interrupted");
                }
                return r.id.join();
            }
        }
    }

    /// Takes back a job that is not on its way yet.
    private synchronized boolean isWithdrawn(Ready r) {
        if (!r.taken) {
            r.id.cancel(false);
        }
        return !r.taken;
    }

    private void gather(String stage) {
        new CancellationSignal().sleep(Duration.ofMillis(gatherMillis));
        List<Ready> all;
        synchronized (this) {
            all = ready.getOrDefault(stage, List.of());
            ready.remove(stage);
        }
        try {
            submit(stage, all);
        } catch (RuntimeException e) {
            all.forEach(r -> r.id.completeExceptionally(e));
        }
    }

    private void submit(String stage, List<Ready> all) {
        if (takesArrays || all.size() == 1) {
            if (submitOnce(stage, all)) {
                return;
            }
            takesArrays = false;
        }
        for (Ready r : all) {
            submitOnce(stage, List.of(r));
        }
    }

    /// Submits what was not taken back as one job or one array; false where the cluster takes no array.
    private boolean submitOnce(String stage, List<Ready> all) {
        long begun = System.nanoTime();
        String name = "knobscape-" + stage + "-" + UUID.randomUUID().toString().substring(0, 8);
        while (true) {
            List<Ready> now = take(all);
            if (now.isEmpty()) {
                return true;
            }
            Answer a = sbatch(name, now);
            String id = a.text()
                    .lines()
                    .reduce((_, b) -> b)
                    .orElse("")
                    .split(";")[0]
                    .strip();
            if (a.status() == 0 && id.matches("\\d+")) {
                for (int k = 0; k < now.size(); k++) {
                    String own = now.size() == 1 ? id : id + "_" + k;
                    tell(now.get(k), own);
                }
                return true;
            }
            synchronized (this) {
                now.forEach(r -> r.taken = false);
            }
            if (now.size() > 1 && a.text().contains("array")) {
                return false;
            }
            if (!a.isOutage() || System.nanoTime() - begun > SlurmCommands.NO_CONTROLLER.toNanos()) {
                throw new UserError("sbatch did not take a job: " + reason(a.text())
                        + "; see knobscape doctor, or run on this machine (--engine local).");
            }
            new CancellationSignal().sleep(Duration.ofMillis(pauseMillis));
        }
    }

    /// The output of a command, in one line of bounded length.
    static String reason(String text) {
        String line = text.strip().replace('\n', ' ');
        return line.length() > MOST_PRINTED ? line.substring(0, MOST_PRINTED) + "..." : line;
    }

    private void tell(Ready r, String id) {
        try {
            r.files.writeId(id);
            r.id.complete(id);
        } catch (UserError e) {
            commands.cancel(id);
            r.id.completeExceptionally(e);
        }
    }

    private synchronized List<Ready> take(List<Ready> all) {
        List<Ready> now = all.stream().filter(r -> !r.id.isDone()).toList();
        now.forEach(r -> r.taken = true);
        return now;
    }

    private Answer sbatch(String name, List<Ready> all) {
        for (int k = 0; k < all.size(); k++) {
            // Should the program be killed before it has the number, its next start finds the job by its name.
            all.get(k).files.writeName(name, all.size() == 1 ? -1 : k);
        }
        long minutes = all.stream()
                .map(r -> r.job.limit())
                .max(Comparator.naturalOrder())
                .orElseThrow()
                .plusSeconds(59)
                .toMinutes();
        var command = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=" + name,
                "--chdir=" + all.getFirst().job.folder(),
                // The scripts write each design's own log.
                "--output=/dev/null",
                "--time=" + Math.max(1, minutes)));
        if (all.size() > 1) {
            command.add("--array=0-" + (all.size() - 1) + (atOnce > 0 ? "%" + Math.min(atOnce, all.size()) : ""));
        }
        command.addAll(options);
        try {
            // sbatch keeps a copy.
            Path script = TemporaryFiles.file("knobscape-slurm", ".sh");
            try {
                FileOutput.write(
                        script, script(all.stream().map(r -> r.files.script()).toList()));
                command.add(script.toString());
                return commands.ask(command, Optional.of(all.getFirst().job.folder()));
            } finally {
                Files.deleteIfExists(script);
            }
        } catch (IOException e) {
            throw new UserError("The temporary folder cannot be used: " + UserError.reason(e) + ".", e);
        }
    }

    /// Each task of an array runs the script in its own design's folder.
    static String script(List<Path> scripts) {
        var b = new StringBuilder("#!/bin/sh\ncase \"${SLURM_ARRAY_TASK_ID:-0}\" in\n");
        for (int k = 0; k < scripts.size(); k++) {
            b.append(k)
                    .append(") exec sh ")
                    .append(SlurmCommands.quoted(scripts.get(k)))
                    .append(" ;;\n");
        }
        return b.append("esac\n").toString();
    }
}
