package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.compile.Transformation;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrType;
import knobscape.compile.run.Ended;
import knobscape.compile.run.IrMachine;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.clang.KernelInputs.Parameter;

/// A compiled source made ready to be run: one function of it, with arguments as they lie in memory.
public final class KernelRun {
    /// Code of headers becomes a part of what uses it; loops stay as they are written.
    private static final String PASSES = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse)";

    private final IrModule module;
    private final IrFunction function;
    private final List<Parameter> parameters;

    private KernelRun(IrModule module, IrFunction function) {
        this.module = module;
        this.function = function;
        parameters = KernelInputs.parameters(function);
    }

    /// The outcome of a run.
    ///
    /// @param ended why it ended early, empty where it returned
    /// @param result bytes of the result, none of an early end
    /// @param after bytes of the arguments at the end
    /// @param steps instructions that it took
    public record Outcome(Optional<Ended> ended, byte[] result, List<byte[]> after, long steps) {
        public Outcome {
            after = List.copyOf(after);
        }
    }

    /// The function of the source that is called `name`; empty where there is none with a body.
    public static Optional<KernelRun> of(CompiledSource source, String name, CancellationSignal cancel) {
        IrModule module = source.read(
                new Transformation(Optional.empty(), java.util.Map.of(), java.util.Map.of(), true, List.of(PASSES)),
                cancel);
        return module.functions().stream()
                .filter(f ->
                        !f.isDeclaration() && f.sourceName().replace(", ", ",").equals(name))
                .findFirst()
                .map(f -> new KernelRun(module, f));
    }

    /// A function of a module that was made otherwise.
    public static KernelRun of(IrModule module, IrFunction function) {
        return new KernelRun(module, function);
    }

    /// The parameters, in order.
    public List<Parameter> parameters() {
        return parameters;
    }

    /// Runs the function once, from a fresh start of the program.
    ///
    /// @param arguments for each parameter the bytes it has in memory; for an address those of what it leads to
    public Outcome run(List<byte[]> arguments, IrMachine.Limits limits, IrMachine.Watcher watcher) {
        IrMachine machine;
        try {
            machine = new IrMachine(module, limits, watcher);
        } catch (Ended e) {
            return new Outcome(Optional.of(e), new byte[0], List.of(), 0);
        }
        var places = new ArrayList<Long>();
        Optional<Ended> ended = Optional.empty();
        byte[] result = new byte[0];
        try {
            machine.start(module);
            Long[] values = new Long[function.arguments().size()];
            java.util.Arrays.fill(values, 0L);
            long room = 0;
            if (KernelInputs.hasResultAddress(function)) {
                IrType returned = function.arguments().getFirst().pointee().orElseThrow();
                room = machine.allocate(returned.bytes());
                values[0] = room;
            }
            for (int i = 0; i < parameters.size(); i++) {
                byte[] bytes = arguments.get(i);
                long at = machine.allocate(Math.max(1, bytes.length));
                machine.write(at, bytes);
                places.add(at);
                int index = parameters.get(i).index();
                IrType type = function.arguments().get(index).type();
                values[index] = type instanceof IrType.Pointer ? at : machine.load(at, type);
            }
            long returned = machine.call(function.name(), List.of(values));
            result = room != 0
                    ? machine.read(
                            room,
                            function.arguments()
                                    .getFirst()
                                    .pointee()
                                    .orElseThrow()
                                    .bytes())
                    : bytes(returned, (int) function.result().bytes());
        } catch (Ended e) {
            ended = Optional.of(e);
        }
        var after = new ArrayList<byte[]>();
        for (int i = 0; i < places.size(); i++) {
            after.add(machine.read(places.get(i), arguments.get(i).length));
        }
        return new Outcome(ended, result, after, limits.steps() - machine.stepsLeft());
    }

    private static byte[] bytes(long bits, int n) {
        byte[] all = new byte[n];
        for (int i = 0; i < Math.min(n, Long.BYTES); i++) {
            all[i] = (byte) (bits >> (i * Byte.SIZE));
        }
        return all;
    }
}
