package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.cdt.FunctionReader.Body;

/// Reads kernels with Eclipse CDT's parser. Instances hold no state between calls and may be used by several
/// threads.
public final class CdtKernelReader implements KernelReader {
    /// Deep expressions and nested statements are read recursively.
    private static final long STACK_BYTES = 256L << 20;

    @Override
    public Kernel read(Path file, Options options) {
        String text = SourceFiles.readMain(file);
        var result = new AtomicReference<Kernel>();
        var failure = new AtomicReference<Throwable>();
        Thread reader = new Thread(null, () -> result.set(readHere(file, text, options)), "kernel-reader", STACK_BYTES);
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

    private static Kernel readHere(Path file, String text, Options options) {
        Budget.checkBrackets(file.toString(), text);
        var notes = new Notes();
        TranslationUnits.Parsed parsed = new TranslationUnits().parse(file, text, options);
        Nesting.check(parsed);
        SyntaxProblems.check(parsed, notes);
        HeaderNotes.add(parsed, notes);
        var program = new Program(parsed, notes);
        options.top()
                .filter(t -> !program.knows(t))
                .ifPresent(t -> program.addUnused(n -> n.equals(t) || n.endsWith("::" + t)));
        if (!program.hasLoops()) {
            program.addUnused(n -> true);
        }
        var contexts = new IdentityHashMap<Instance, FunctionContext>();
        IdentityHashMap<Instance, Body> bodies = new IdentityHashMap<>();
        List<Instance> callersFirst = program.callersFirst();
        for (Instance i : callersFirst) {
            bodies.put(i, new FunctionReader(program, contexts).read(i));
        }
        var assembly = new KernelAssembly(program, bodies);
        assembly.link(callersFirst.reversed());
        var choice = new TopChooser(program, bodies, file).choose(options.top());
        List<Instance> reachable = assembly.reachable(choice.top());
        var reader = new PragmaReader(parsed);
        List<PragmaReader.Found> found = reader.all();
        var functions = new ArrayList<Function>();
        var pragmas = new ArrayList<Pragma>(reader.atFileLevel(found, List.copyOf(program.instances())));
        for (Instance i : reachable) {
            Function f = assembly.function(i);
            List<Pragma> own = found.isEmpty() ? List.of() : reader.of(f, i, assembly.constantNames(i), found);
            pragmas.addAll(own);
            functions.add(assembly.finished(f, i, own));
        }
        if (choice.guessed()) {
            notes.info(
                    parsed.positions().of(choice.top().innermostName()),
                    "'" + choice.top().name() + "' is taken as the top function, as " + choice.reason());
        }
        assembly.noteUnreached(choice.top(), reachable, notes);
        assembly.noteAssumed(choice.top(), notes);
        assembly.noteLost(reachable, notes);
        return assembly.kernel(choice.top(), choice.guessed(), functions, pragmas, notes);
    }
}
