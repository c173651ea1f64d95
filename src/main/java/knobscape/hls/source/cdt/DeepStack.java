package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import knobscape.evaluate.UserError;

/// Runs what reads deep expressions and nested statements by recursion.
final class DeepStack {
    private static final long BYTES = 256L << 20;

    private DeepStack() {}

    /// What `reading` gives, run in a thread of its own with a deep stack. Throws [UserError] where it does, where
    /// the waiting thread is interrupted, and where even that stack is too small.
    static <T> T read(Path file, Supplier<T> reading) {
        var result = new AtomicReference<T>();
        var failure = new AtomicReference<Throwable>();
        Thread reader = new Thread(null, () -> result.set(reading.get()), "kernel-reader", BYTES);
        reader.setDaemon(true);
        reader.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        reader.start();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("Reading " + file + " was interrupted.", e);
        }
        switch (failure.get()) {
            case null -> {}
            case UserError e -> throw e;
            case StackOverflowError e ->
                throw new UserError(
                        file + " nests expressions or statements too deeply to be read; split the longest one.", e);
            case Error e -> throw e;
            case RuntimeException e -> throw new IllegalStateException("reading " + file + " failed", e);
            case Throwable e -> throw new IllegalStateException("reading " + file + " failed", e);
        }
        return requireNonNull(result.get());
    }
}
