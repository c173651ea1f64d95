package knobscape.compile.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Runs the functions of a compiled module. What a program writes goes nowhere, what it would read from outside ends
/// the
/// run. One machine is one program from its start: memory stays between calls. Not for several threads.
public final class IrMachine {
    private static final IrType BYTE = new IrType.Int(Byte.SIZE);
    private final Map<String, IrFunction> functions = new HashMap<>();
    private final Map<String, MachineCode> codes = new HashMap<>();
    private final Map<String, Long> symbols = new HashMap<>();
    private final Map<Long, String> byAddress = new HashMap<>();
    private final MachineLibrary library;
    private final Limits limits;
    private final Watcher watcher;
    private final MachineMemory memory;
    private long steps;
    private int depth;

    /// The limits of a run.
    ///
    /// @param steps instructions of all calls together
    /// @param bytes of memory
    /// @param depth calls inside one another
    /// @param cancelled asked now and then whether to stop
    public record Limits(long steps, long bytes, int depth, BooleanSupplier cancelled) {
        /// 256 MB, 500 calls deep; ends when the thread is interrupted.
        ///
        /// @param steps instructions
        public static Limits of(long steps) {
            return new Limits(
                    steps, 256L << 20, 500, () -> Thread.currentThread().isInterrupted());
        }
    }

    /// Sees what happens, in all functions.
    public interface Watcher {
        /// Control goes from one block (-1 at the start of a call) to another (-1 at its end).
        void goes(Frame frame, int from, int to);

        /// A load or store uses an address.
        default void accesses(Frame frame, IrInstruction instruction, long address) {}
    }

    /// A program with its globals set.
    public IrMachine(IrModule module, Limits limits, Watcher watcher) {
        this.limits = limits;
        this.watcher = watcher;
        memory = new MachineMemory(limits.bytes());
        library = new MachineLibrary(memory);
        steps = limits.steps();
        for (IrGlobal g : module.globals()) {
            symbols.put(g.name(), memory.allocate(Math.max(1, g.type().bytes())));
        }
        for (IrFunction f : module.functions()) {
            long at = memory.allocate(1);
            symbols.put(f.name(), at);
            byAddress.put(at, f.name());
            if (!f.isDeclaration()) {
                functions.put(f.name(), f);
            }
        }
        module.globals().forEach(g -> g.initialiser().ifPresent(i -> fill(address(g.name()), i)));
    }

    /// Constructors of globals and what else runs before `main`.
    public void start(IrModule module) {
        module.global("llvm.global_ctors").flatMap(IrGlobal::initialiser).ifPresent(c -> {
            if (c instanceof IrConstant.Aggregate all) {
                for (IrConstant one : all.members()) {
                    if (one instanceof IrConstant.Aggregate a
                            && a.members().get(1) instanceof IrValue.Symbol s
                            && functions.containsKey(s.name())) {
                        call(s.name(), List.of());
                    }
                }
            }
        });
    }

    /// Room in the memory for an argument, filled with zeros.
    public long allocate(long bytes) {
        return memory.allocate(bytes);
    }

    /// Puts bytes somewhere.
    public void write(long at, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            memory.store(at + i, bytes[i], 1);
        }
    }

    /// Bytes from somewhere.
    public byte[] read(long at, long count) {
        byte[] all = new byte[(int) count];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) memory.load(at + i, BYTE);
        }
        return all;
    }

    /// A number of at most 64 bits as it lies somewhere, as an argument.
    public long load(long at, IrType type) {
        return memory.load(at, type);
    }

    /// Instructions that may still run.
    public long stepsLeft() {
        return Math.max(0, steps);
    }

    /// Calls a function; gives the bits of its result. Throws [Ended] where it does not return.
    ///
    /// @param name the linker's
    /// @param arguments addresses and numbers with their sign, floating-point ones as bits
    public long call(String name, List<Long> arguments) {
        MachineCode code = code(name).orElseThrow(() -> new Ended("calls '" + name + "', which has no body"));
        var frame = new Frame(code.registers());
        for (int i = 0; i < arguments.size(); i++) {
            frame.narrow[code.registers().argument(i)] = arguments.get(i);
        }
        try {
            enter(code, frame);
        } catch (MachineLibrary.Exit _) {
            return 0;
        } catch (StackOverflowError _) {
            throw new Ended("nests calls too deeply");
        }
        return frame.result;
    }

    /// Runs a call whose arguments are set.
    void enter(MachineCode code, Frame frame) {
        if (++depth > limits.depth()) {
            throw new Ended("nests calls too deeply");
        }
        int mark = memory.mark();
        code.run(frame);
        memory.release(mark);
        depth--;
    }

    Optional<MachineCode> code(String name) {
        MachineCode known = codes.get(name);
        IrFunction f = functions.get(name);
        if (known == null && f != null) {
            known = new MachineCode(f, this);
            codes.put(name, known);
        }
        return Optional.ofNullable(known);
    }

    MachineMemory memory() {
        return memory;
    }

    MachineLibrary library() {
        return library;
    }

    Watcher watcher() {
        return watcher;
    }

    void spend(int cost) {
        long before = steps;
        steps -= cost;
        if (steps < 0) {
            throw new Ended("takes more than " + limits.steps() + " steps");
        }
        if (before >> 20 != steps >> 20 && limits.cancelled().getAsBoolean()) {
            throw new Ended("was stopped");
        }
    }

    long address(String symbol) {
        Long at = symbols.get(symbol);
        if (at == null) {
            throw new Ended("uses '" + symbol + "', which is nowhere");
        }
        return at;
    }

    /// The function at an address.
    String functionAt(long address) {
        String name = byAddress.get(address);
        if (name == null) {
            throw new Ended("calls an address that is no function");
        }
        return name;
    }

    private void fill(long at, IrConstant c) {
        switch (c) {
            case IrConstant.Zero _, IrConstant.Undefined _ -> {}
            case IrConstant.Table t -> {
                int width = (int) t.element().bytes();
                for (int i = 0; i < t.bits().length; i++) {
                    memory.store(at + (long) i * width, t.bits()[i], width);
                }
            }
            case IrConstant.Aggregate a -> {
                for (int i = 0; i < a.members().size(); i++) {
                    long offset = a.type() instanceof IrType.Struct s
                            ? s.offsets().get(i)
                            : i * a.members().get(i).type().bytes();
                    fill(at + offset, a.members().get(i));
                }
            }
            case IrConstant.Whole w
            when w.asLong().isEmpty() -> memory.storeWide(at, w.value(), ((IrType.Int) w.type()).bits());
            default -> memory.store(at, constant(c), (int) c.type().bytes());
        }
    }

    /// The bits of a constant of at most 64.
    long constant(IrValue v) {
        return switch (v) {
            case IrValue.Symbol s -> address(s.name());
            case IrConstant.Whole w -> w.value().longValue();
            case IrConstant.Floating(double d, IrType.Real(int bits)) -> Numbers.bits(d, bits);
            case IrConstant.Zero _, IrConstant.Undefined _ -> 0;
            case IrConstant.Computed c
            when c.opcode() == IrOpcode.GET_ELEMENT_PTR -> {
                var path = new ElementPath(c.element().orElseThrow(), c.operands());
                long at = constant(c.operands().getFirst()) + path.constant();
                if (!path.scales().isEmpty()) {
                    throw new Ended("uses an address that is computed from addresses");
                }
                yield at;
            }
            case IrConstant.Computed c
            when c.opcode().isConversion() -> constant(c.operands().getFirst());
            default -> throw new Ended("uses " + v + ", which is not run here");
        };
    }
}
