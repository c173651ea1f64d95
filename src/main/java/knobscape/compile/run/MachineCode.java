package knobscape.compile.run;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.compile.run.Frame.Step;
import org.jspecify.annotations.Nullable;

/// One function as steps that can be run.
final class MachineCode {
    /// Ends a block: gives the index of the next, -1 to return.
    private interface Exit {
        int next(Frame f);
    }

    private record Block(Step[] steps, List<Optional<IrLocation>> locations, Moves moves, Exit exit, int cost) {}

    /// The moves of phis, by the block that control comes from.
    private record Moves(int[] to, Map<Integer, int[]> from, boolean wide) {
        void move(Frame f, int predecessor) {
            int[] source = from.get(predecessor);
            if (source == null) {
                throw new Ended("comes from a block that is none");
            }
            long[] values = new long[to.length];
            for (int i = 0; i < to.length; i++) {
                values[i] = f.narrow[source[i]];
            }
            BigInteger[] wides = wide ? new BigInteger[to.length] : new BigInteger[0];
            for (int i = 0; i < wides.length; i++) {
                wides[i] = f.wide[source[i]];
            }
            for (int i = 0; i < to.length; i++) {
                f.narrow[to[i]] = values[i];
            }
            for (int i = 0; i < wides.length; i++) {
                f.wide[to[i]] = wides[i];
            }
        }
    }

    private final Registers registers;
    private final IrMachine machine;
    private final Block[] blocks;

    MachineCode(IrFunction function, IrMachine machine) {
        this.machine = machine;
        registers = new Registers(function, machine::constant);
        blocks = function.blocks().stream().map(this::block).toArray(Block[]::new);
    }

    Registers registers() {
        return registers;
    }

    private Block block(IrBlock b) {
        var phis = new ArrayList<IrInstruction>();
        var steps = new ArrayList<Step>();
        var locations = new ArrayList<Optional<IrLocation>>();
        for (IrInstruction i : b.instructions()) {
            if (i.opcode() == IrOpcode.PHI) {
                phis.add(i);
            } else if (!i.opcode().isTerminator()) {
                steps.add(stepOrEnd(i));
                locations.add(i.location());
            }
        }
        return new Block(
                steps.toArray(Step[]::new),
                locations,
                moves(phis),
                exit(b.terminator()),
                b.instructions().size());
    }

    private Moves moves(List<IrInstruction> phis) {
        var from = new HashMap<Integer, int[]>();
        for (int k = 0; k < phis.size(); k++) {
            IrInstruction phi = phis.get(k);
            for (int p = 0; p < phi.blocks().size(); p++) {
                from.computeIfAbsent(phi.blocks().get(p), _ -> new int[phis.size()])[k] =
                        registers.register(phi.operands().get(p));
            }
        }
        return new Moves(
                phis.stream().mapToInt(IrInstruction::id).toArray(),
                from,
                phis.stream().anyMatch(p -> Registers.isWide(p.type())));
    }

    /// An instruction that cannot be run ends the run where it is reached.
    private Step stepOrEnd(IrInstruction i) {
        try {
            return step(i);
        } catch (Ended e) {
            return _ -> {
                throw e;
            };
        }
    }

    private Step step(IrInstruction i) {
        int to = i.id();
        MachineMemory memory = machine.memory();
        IrMachine.Watcher watcher = machine.watcher();
        return switch (i.opcode()) {
            case LOAD -> {
                int at = registers.register(i.operands().getFirst());
                IrType type = i.type();
                number(type);
                if (type instanceof IrType.Int(int bits) && bits > Long.SIZE) {
                    yield f -> {
                        watcher.accesses(f, i, f.narrow[at]);
                        f.wide[to] = memory.loadWide(f.narrow[at], bits);
                    };
                }
                yield f -> {
                    watcher.accesses(f, i, f.narrow[at]);
                    f.narrow[to] = memory.load(f.narrow[at], type);
                };
            }
            case STORE -> {
                int what = registers.register(i.operands().getFirst());
                int at = registers.register(i.operands().get(1));
                IrType type = i.operands().getFirst().type();
                number(type);
                if (type instanceof IrType.Int(int bits) && bits > Long.SIZE) {
                    yield f -> {
                        watcher.accesses(f, i, f.narrow[at]);
                        memory.storeWide(f.narrow[at], f.wide[what], bits);
                    };
                }
                int bytes = (int) type.bytes();
                yield f -> {
                    watcher.accesses(f, i, f.narrow[at]);
                    memory.store(f.narrow[at], f.narrow[what], bytes);
                };
            }
            case ALLOCA -> {
                long bytes = ((Detail.Element) i.detail()).type().bytes();
                int count = registers.register(
                        i.operands().isEmpty() ? one() : i.operands().getFirst());
                yield f -> f.narrow[to] = f.narrow[to] != 0
                        ? f.narrow[to]
                        : memory.allocateLocal(Math.max(1, Math.multiplyExact(bytes, f.narrow[count])));
            }
            case GET_ELEMENT_PTR -> element(i);
            case CALL -> new MachineCalls(registers, machine).step(i);
            default -> new MachineOperations(registers).step(i);
        };
    }

    private static IrValue one() {
        return new IrConstant.Whole(BigInteger.ONE, new IrType.Int(Long.SIZE));
    }

    private static void number(IrType type) {
        switch (type) {
            case IrType.Int _, IrType.Pointer _, IrType.Real _ -> {}
            default -> throw new Ended("moves a struct or vector in one piece, which is not run here");
        }
    }

    private Step element(IrInstruction i) {
        var path = new ElementPath(((Detail.Element) i.detail()).type(), i.operands());
        int base = registers.register(i.operands().getFirst());
        int to = i.id();
        long constant = path.constant();
        int[] index = path.indices().stream().mapToInt(registers::register).toArray();
        long[] scale = path.scales().stream().mapToLong(x -> x).toArray();
        if (index.length == 0) {
            return f -> f.narrow[to] = f.narrow[base] + constant;
        }
        if (index.length == 1) {
            int only = index[0];
            long by = scale[0];
            return f -> f.narrow[to] = f.narrow[base] + constant + f.narrow[only] * by;
        }
        return f -> {
            long at = f.narrow[base] + constant;
            for (int k = 0; k < index.length; k++) {
                at += f.narrow[index[k]] * scale[k];
            }
            f.narrow[to] = at;
        };
    }

    private Exit exit(IrInstruction i) {
        return switch (i.opcode()) {
            case RET -> {
                if (i.operands().isEmpty()) {
                    yield _ -> -1;
                }
                IrValue v = i.operands().getFirst();
                int r = registers.register(v);
                boolean wide = Registers.isWide(v.type());
                yield f -> {
                    if (wide) {
                        f.wideResult = f.wide[r];
                    } else {
                        f.result = f.narrow[r];
                    }
                    return -1;
                };
            }
            case BR -> {
                int first = i.blocks().getFirst();
                if (i.operands().isEmpty()) {
                    yield _ -> first;
                }
                int condition = registers.register(i.operands().getFirst());
                int second = i.blocks().get(1);
                yield f -> (f.narrow[condition] & 1) != 0 ? first : second;
            }
            case SWITCH -> {
                var cases = new HashMap<Long, Integer>();
                for (int k = 1; k < i.operands().size(); k++) {
                    cases.putIfAbsent(
                            machine.constant(i.operands().get(k)), i.blocks().get(k));
                }
                int value = registers.register(i.operands().getFirst());
                int otherwise = i.blocks().getFirst();
                yield f -> cases.getOrDefault(f.narrow[value], otherwise);
            }
            default ->
                _ -> {
                    throw new Ended("reaches code that C gives no meaning");
                };
        };
    }

    /// Runs a call from its first block to its return.
    void run(Frame f) {
        IrMachine.Watcher watcher = machine.watcher();
        int from = -1;
        int at = 0;
        while (at >= 0) {
            watcher.goes(f, from, at);
            Block b = blocks[at];
            machine.spend(b.cost());
            if (b.moves().to().length > 0) {
                b.moves().move(f, from);
            }
            int k = 0;
            @Nullable Ended ended = null;
            try {
                for (; k < b.steps().length; k++) {
                    b.steps()[k].run(f);
                }
            } catch (Ended e) {
                ended = e;
            }
            if (ended != null) {
                throw ended.at(b.locations().get(k));
            }
            from = at;
            at = b.exit().next(f);
        }
        watcher.goes(f, from, -1);
    }
}
