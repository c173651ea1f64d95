package knobscape.gpu.evaluate.device;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.work.device.DeviceProcess;
import org.slf4j.LoggerFactory;

/// The line to a [Worker]: lines go out, lines come in, and the other side can be stopped whatever it is doing.
abstract class Link {
    /// The line that stands for the end of the other side.
    static final String END = "end";
    private static final int MOST_LINES = 10_000;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_LINES);
    private final OutputStream out;

    private Link(InputStream in, OutputStream out) {
        this.out = out;
        Thread.ofVirtual().name("device-answers").start(() -> read(in));
    }

    private void read(InputStream in) {
        try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null) {
                lines.put(line);
                line = reader.readLine();
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(Link.class).debug("the line to a device broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lines.offer(END);
        }
    }

    /// Sends a line; a broken line shows at the next [#poll(long)].
    final void send(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            LoggerFactory.getLogger(Link.class).debug("the line to a device broke", e);
            lines.offer(END);
        }
    }

    /// The next line, waiting for it some milliseconds.
    final Optional<String> poll(long milliseconds) throws InterruptedException {
        return Optional.ofNullable(lines.poll(milliseconds, TimeUnit.MILLISECONDS));
    }

    /// How the other side ended, as a clause.
    abstract String lastWords();

    /// Ends the other side now.
    abstract void stop();

    /// A process of its own, with a temporary folder of its own that goes when it does.
    static Link process(String kind, String index) {
        Path java = DeviceProcess.java();
        if (!Files.isExecutable(java)) {
            LoggerFactory.getLogger(Link.class)
                    .warn("{} is not there: kernels run in this process and cannot be stopped", java);
            return thread(() -> Worker.open(kind, Integer.parseInt(index)));
        }
        return process(Worker.class, List.of(kind, index));
    }

    /// A process that runs the main method of a class.
    static Link process(Class<?> main, List<String> arguments) {
        try {
            Path folder = TemporaryFiles.folder("knobscape-device");
            var builder = new ProcessBuilder(DeviceProcess.command(main, folder, arguments))
                    .redirectError(folder.resolve("messages.txt").toFile());
            builder.environment().putAll(DeviceProcess.environment(folder));
            return new OfProcess(builder.start(), folder);
        } catch (IOException e) {
            throw new UserError("The process that uses the device cannot be started: " + e.getMessage() + ".", e);
        }
    }

    /// A thread of this process; stopping it only stops listening to it.
    static Link thread(Supplier<Backend> device) {
        try {
            var toWorker = new PipedOutputStream();
            var workerIn = new PipedInputStream(toWorker, 1 << 16);
            var workerOut = new PipedOutputStream();
            var fromWorker = new PipedInputStream(workerOut, 1 << 16);
            Thread.ofPlatform().daemon().name("device").start(() -> {
                try (workerOut) {
                    Worker.serve(device, workerIn, workerOut);
                } catch (IOException e) {
                    LoggerFactory.getLogger(Link.class).debug("the line to a device broke", e);
                }
            });
            return new OfThread(fromWorker, toWorker);
        } catch (IOException e) {
            throw new UserError("The thread that uses the device cannot be started: " + e.getMessage() + ".", e);
        }
    }

    private static final class OfThread extends Link {
        private final OutputStream toWorker;

        private OfThread(InputStream in, OutputStream out) {
            super(in, out);
            toWorker = out;
        }

        @Override
        String lastWords() {
            return "the thread that ran it ended";
        }

        @Override
        void stop() {
            try {
                toWorker.close();
            } catch (IOException e) {
                LoggerFactory.getLogger(Link.class).debug("the line to a device broke", e);
            }
        }
    }

    private static final class OfProcess extends Link {
        private static final int LAST_WORDS = 300;
        private static final long GRACE_SECONDS = 5;
        private final Process process;
        private final Path folder;

        private OfProcess(Process process, Path folder) {
            super(process.getInputStream(), process.getOutputStream());
            this.process = process;
            this.folder = folder;
        }

        @Override
        String lastWords() {
            String words = "";
            try {
                process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
                String all = Files.readString(folder.resolve("messages.txt")).strip();
                words = all.lines()
                        .filter(l -> !l.startsWith("WARNING") && !l.startsWith("\tat "))
                        .findFirst()
                        .orElse("");
            } catch (IOException e) {
                LoggerFactory.getLogger(Link.class).debug("no last words", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "the process that ran it ended" + (process.isAlive() ? "" : " with status " + process.exitValue())
                    + (words.isEmpty() ? "" : " (" + words.substring(0, Math.min(words.length(), LAST_WORDS)) + ")");
        }

        @Override
        void stop() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            try {
                process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            TemporaryFiles.remove(folder);
        }
    }
}
