package knobscape.compile;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import knobscape.compile.ir.IrModule;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;

/// LLVM in a worker process: modules are loaded, transformed and read there. The process is started when it is first
/// needed, ends when it was idle for a while, is renewed now and then, and replaced where LLVM aborts or
/// takes too long or too much memory. One request at a time.
public final class Llvm implements AutoCloseable {
    /// Requests after which a worker is renewed: what LLVM keeps of every module in its context only grows.
    private static final int REQUESTS_PER_WORKER = 2_000;

    private static final long POLL_MILLIS = 20;
    private static final long IDLE_SECONDS = 30;
    private static final int LARGEST_ANSWER = 1 << 30;
    /// Not what the vendor's compiler does: promotion of memory out of loops.
    private static final List<String> OPTIONS =
            List.of("-disable-licm-promotion", "-pragma-unroll-threshold=600000", "-unroll-max-count=65536");

    private final CompileLimits limits;
    private final AtomicInteger names = new AtomicInteger();
    private final ReentrantLock turn = new ReentrantLock();
    private Optional<Connection> worker = Optional.empty();
    private boolean closed;
    private long lastUse;
    private boolean watched;

    /// A module in the worker.
    ///
    /// @param id its number there
    /// @param maker makes it in a new worker
    public record Handle(int id, Maker maker) {}

    /// Where a module comes from.
    private sealed interface Maker {
        record Bitcode(byte[] bytes) implements Maker {}

        record Derived(Handle base, Transformation by) implements Maker {}
    }

    private record Connection(
            Process process, DataOutputStream out, DataInputStream in, Set<Integer> loaded, AtomicInteger served) {}

    /// @param limits of the worker
    public Llvm(CompileLimits limits) {
        this.limits = limits;
    }

    /// Starts the worker where there is none, so that it is ready when it is asked.
    public void prepare() {
        turn.lock();
        try {
            if (!closed) {
                connection();
            }
        } finally {
            turn.unlock();
        }
    }

    /// Ends the worker when nobody has asked it for a while; the next request starts another.
    private void watch() {
        lastUse = System.nanoTime();
        if (!watched) {
            watched = true;
            CompletableFuture.delayedExecutor(IDLE_SECONDS, TimeUnit.SECONDS).execute(this::endIdle);
        }
    }

    private void endIdle() {
        turn.lock();
        try {
            watched = false;
            if (System.nanoTime() - lastUse >= TimeUnit.SECONDS.toNanos(IDLE_SECONDS)) {
                end();
            } else if (worker.isPresent()) {
                watched = true;
                CompletableFuture.delayedExecutor(IDLE_SECONDS, TimeUnit.SECONDS)
                        .execute(this::endIdle);
            }
        } finally {
            turn.unlock();
        }
    }

    private Connection start() {
        CompilerFiles natives = CompilerFiles.unpack();
        var command = new ArrayList<>(limits.command());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", File.separatorChar == '\\' ? "java.exe" : "java")
                        .toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "-XX:ReservedCodeCacheSize=64m",
                "-XX:CompressedClassSpaceSize=64m",
                "-Xshare:auto",
                "-D" + LlvmLibrary.PATH + "=" + natives.llvm(),
                "-cp",
                System.getProperty("java.class.path"),
                LlvmWorker.class.getName()));
        command.addAll(OPTIONS);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new Connection(
                    process,
                    new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16)),
                    new DataInputStream(process.getInputStream()),
                    new HashSet<>(),
                    new AtomicInteger());
        } catch (IOException e) {
            throw new UserError("The process of the C++ compiler cannot be started: " + e.getMessage() + ".", e);
        }
    }

    /// A module for [#read]. Nothing is sent before the first reading.
    ///
    /// @param bitcode LLVM bitcode or text
    public Handle load(byte[] bitcode) {
        return new Handle(names.incrementAndGet(), new Maker.Bitcode(bitcode));
    }

    /// A module that another one becomes by a transformation, to start from more than once. The loops that are left in
    /// it are numbered ([knobscape.compile.ir.IrLoopMark#COPY]). Nothing is sent before the first reading.
    public Handle derived(Handle base, Transformation by) {
        return new Handle(names.incrementAndGet(), new Maker.Derived(base, by));
    }

    /// The module after a transformation of a copy of it. Throws [UserError] where LLVM refuses, dies or passes its
    /// limits,
    /// `CancellationException` where stopped.
    public IrModule read(Handle handle, Transformation transformation, CancellationSignal cancel) {
        byte[] request = request(OptionalInt.empty(), transformation);
        turn.lock();
        try {
            if (closed) {
                throw new CancellationException("the compiler was closed");
            }
            Connection c = connection();
            make(c, handle, cancel);
            byte[] answer = ask(c, LlvmWorker.TRANSFORM, handle.id(), request, cancel);
            return new IrReader(new DataInputStream(new ByteArrayInputStream(answer))).module();
        } catch (IOException e) {
            throw new UserError("The compiler's answer cannot be read: " + e.getMessage() + ".", e);
        } finally {
            turn.unlock();
        }
    }

    private static byte[] request(OptionalInt base, Transformation transformation) {
        var request = new ByteArrayOutputStream();
        var out = new DataOutputStream(request);
        try {
            if (base.isPresent()) {
                out.writeInt(base.getAsInt());
            }
            transformation.write(out);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return request.toByteArray();
    }

    /// Makes a module in a worker that has not got it.
    private void make(Connection c, Handle handle, CancellationSignal cancel) {
        if (c.loaded().contains(handle.id())) {
            return;
        }
        switch (handle.maker()) {
            case Maker.Bitcode b -> ask(c, LlvmWorker.LOAD, handle.id(), b.bytes(), cancel);
            case Maker.Derived d -> {
                make(c, d.base(), cancel);
                byte[] request = request(OptionalInt.of(d.base().id()), d.by());
                ask(c, LlvmWorker.DERIVE, handle.id(), request, cancel);
            }
        }
        c.loaded().add(handle.id());
    }

    /// Frees a module in the worker.
    public void drop(Handle handle, CancellationSignal cancel) {
        turn.lock();
        try {
            if (!closed && worker.isPresent() && worker.get().loaded().remove(handle.id())) {
                ask(worker.get(), LlvmWorker.DROP, handle.id(), new byte[0], cancel);
            }
        } finally {
            turn.unlock();
        }
    }

    private Connection connection() {
        boolean old = worker.filter(c -> c.process().isAlive() && c.served().get() < REQUESTS_PER_WORKER)
                .isEmpty();
        if (old) {
            end();
            worker = Optional.of(start());
        }
        watch();
        return worker.orElseThrow();
    }

    private byte[] ask(Connection c, int request, int id, byte[] content, CancellationSignal cancel) {
        c.served().incrementAndGet();
        var answer = CompletableFuture.supplyAsync(() -> exchange(c, request, id, content), Thread::startVirtualThread);
        long until = System.nanoTime() + limits.time().toNanos();
        while (true) {
            try {
                return answer.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                if (cancel.isCancelled()) {
                    end();
                    throw new CancellationException("stopped on request");
                }
                if (System.nanoTime() > until) {
                    end();
                    throw new UserError("The compiler did not finish within "
                            + limits.time().toSeconds()
                            + " s; does the source grow without end in templates or loops?");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end();
                throw new CancellationException("interrupted");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UserError refused) {
                    throw refused;
                }
                String how = lastWords(c);
                end();
                throw new UserError("The compiler ended while it worked on this source (" + how + ").", e);
            }
        }
    }

    private static String lastWords(Connection c) {
        try {
            return c.process().waitFor(1, TimeUnit.SECONDS)
                    ? "status " + c.process().exitValue()
                    : "its line broke";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static byte[] exchange(Connection c, int request, int id, byte[] content) {
        try {
            c.out().writeByte(request);
            c.out().writeInt(id);
            c.out().writeInt(content.length);
            c.out().write(content);
            c.out().flush();
            int status = c.in().readByte();
            int length = c.in().readInt();
            if (length < 0 || length > LARGEST_ANSWER) {
                throw new IOException("an answer of " + length + " bytes");
            }
            byte[] answer = c.in().readNBytes(length);
            if (status == LlvmWorker.REFUSED) {
                throw new UserError("LLVM: " + new String(answer, StandardCharsets.UTF_8).strip());
            }
            return answer;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void end() {
        worker.ifPresent(c -> {
            c.process().descendants().forEach(ProcessHandle::destroyForcibly);
            c.process().destroyForcibly();
        });
        worker = Optional.empty();
    }

    /// Ends the worker.
    @Override
    public void close() {
        turn.lock();
        try {
            closed = true;
            end();
        } finally {
            turn.unlock();
        }
    }
}
