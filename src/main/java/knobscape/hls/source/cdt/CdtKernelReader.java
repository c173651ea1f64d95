package knobscape.hls.source.cdt;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.cdt.FunctionReader.Body;
import knobscape.hls.source.file.SourceFiles;

/// Reads kernels with Eclipse CDT's parser. Instances hold no state between calls and may be used by several
/// threads.
public final class CdtKernelReader implements KernelReader {
    @Override
    public Kernel read(Path file, Options options) {
        String text = SourceFiles.readMain(file);
        return DeepStack.read(file, () -> readHere(file, text, options));
    }

    private static Kernel readHere(Path file, String text, Options options) {
        var notes = new Notes();
        Program program = parsed(file, text, options, notes);
        TranslationUnits.Parsed parsed = program.parsed();
        var contexts = new IdentityHashMap<Instance, FunctionContext>();
        IdentityHashMap<Instance, Body> bodies = new IdentityHashMap<>();
        List<Instance> callersFirst = program.callersFirst();
        int general = notes.size();
        for (Instance i : callersFirst) {
            bodies.put(i, new FunctionReader(program, contexts).read(i));
        }
        var assembly = new KernelAssembly(program, bodies);
        assembly.link(callersFirst.reversed());
        var choice = new TopChooser(program, bodies, file).choose(options.top());
        List<Instance> reachable = assembly.reachable(choice.top());
        notes.dropSince(general, assembly.unreached(reachable));
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
        KernelAssembly.noteUnknownTypes(functions, notes);
        return assembly.kernel(choice.top(), choice.guessed(), functions, pragmas, notes);
    }

    /// The file parsed, with the functions found in it.
    static Program parsed(Path file, String text, Options options, Notes notes) {
        Budget.checkBrackets(file.toString(), text);
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
        return program;
    }
}
