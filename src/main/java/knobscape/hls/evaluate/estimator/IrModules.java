package knobscape.hls.evaluate.estimator;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.compile.Llvm;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.CompiledSource;

/// LLVM's results for a compiled source and its designs. The cleaned module stays in the worker, and the modules used
/// last stay here with what is known about them. Thread-safe.
final class IrModules {
    private static final int CLEANED = 16;
    /// Instructions of all modules that stay.
    private static final long MOST = 120_000;

    private final CompiledSource source;
    private final IrModule compiled;
    private final Map<Transformation, Cleaned> cleaned = new LinkedHashMap<>(16, 0.75F, true);
    private final Map<Key, ReadModule> designs = new LinkedHashMap<>(16, 0.75F, true);
    private long instructions;

    private record Cleaned(Llvm.Handle handle, ReadModule module) {}

    private record Key(Llvm.Handle cleaned, Map<Long, Map<String, OptionalLong>> loops) {}

    /// A module with the facts of its functions, which are found when they are first asked for. Whoever uses it holds
    /// its lock.
    static final class ReadModule {
        private final IrModule module;
        private final Map<String, Optional<FunctionFacts>> facts = new HashMap<>();

        ReadModule(IrModule module) {
            this.module = module;
        }

        IrModule module() {
            return module;
        }

        /// Facts of a function with a body; empty where there is none.
        Optional<FunctionFacts> facts(String function) {
            return facts.computeIfAbsent(
                    function,
                    f -> module.function(f).filter(x -> !x.isDeclaration()).map(FunctionFacts::of));
        }

        private long instructions() {
            long sum = 0;
            for (IrFunction f : module.functions()) {
                sum += f.instructions().size();
            }
            return sum;
        }
    }

    /// @param compiled the module without any pass
    IrModules(CompiledSource source, IrModule compiled) {
        this.source = source;
        this.compiled = compiled;
    }

    /// The module of a design.
    ReadModule of(IrPolicy policy, CancellationSignal cancel) {
        Cleaned clean = cleaned(policy.cleaned(compiled), cancel);
        Map<Long, Map<String, OptionalLong>> loops;
        synchronized (clean.module()) {
            loops = policy.loops(clean.module());
        }
        var key = new Key(clean.handle(), loops);
        synchronized (designs) {
            ReadModule known = designs.get(key);
            if (known != null) {
                return known;
            }
        }
        var made = new ReadModule(source.llvm().read(clean.handle(), IrPolicy.design(loops), cancel));
        synchronized (designs) {
            ReadModule before = designs.put(key, made);
            instructions += made.instructions() - (before == null ? 0 : before.instructions());
            var oldest = designs.entrySet().iterator();
            while (instructions > MOST && designs.size() > 1 && oldest.hasNext()) {
                instructions -= oldest.next().getValue().instructions();
                oldest.remove();
            }
        }
        return made;
    }

    /// The module of a design of one function, as hardware is made of it.
    IrModule hardware(IrPolicy policy, CancellationSignal cancel) {
        Cleaned clean = cleaned(policy.cleaned(compiled), cancel);
        Map<Long, Map<String, OptionalLong>> loops;
        synchronized (clean.module()) {
            loops = policy.loops(clean.module());
        }
        return source.llvm().read(clean.handle(), IrPolicy.hardware(loops), cancel);
    }

    private Cleaned cleaned(Transformation t, CancellationSignal cancel) {
        synchronized (cleaned) {
            Cleaned known = cleaned.get(t);
            if (known == null) {
                Llvm llvm = source.llvm();
                Llvm.Handle made = llvm.derived(source.module(), t);
                known = new Cleaned(made, new ReadModule(llvm.read(made, Transformation.passes(), cancel)));
                cleaned.put(t, known);
                if (cleaned.size() > CLEANED) {
                    var oldest = cleaned.values().iterator();
                    llvm.drop(oldest.next().handle(), cancel);
                    oldest.remove();
                }
            }
            return known;
        }
    }
}
