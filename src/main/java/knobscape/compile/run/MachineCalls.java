package knobscape.compile.run;

import java.util.List;
import java.util.Optional;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.compile.run.Frame.Step;

/// Calls: of functions with a body, of the compiler's own and of the C library's.
final class MachineCalls {
    /// The compiler's name of the argument that says where a result goes.
    private static final String RESULT = "agg.result";

    private final Registers registers;
    private final IrMachine machine;

    MachineCalls(Registers registers, IrMachine machine) {
        this.registers = registers;
        this.machine = machine;
    }

    Step step(IrInstruction i) {
        if (i.callee().filter(MachineLibrary::isNothing).isPresent()) {
            return _ -> {};
        }
        int[] from = i.operands().stream().mapToInt(registers::register).toArray();
        Optional<String> name = i.callee();
        if (name.isEmpty()) {
            IrValue function = ((Detail.Callee) i.detail()).function();
            if (function instanceof IrValue.Other o) {
                throw new Ended("needs " + o.text().strip() + ", which is not run here");
            }
            int address = registers.register(function);
            return f -> call(machine.functionAt(f.narrow[address]), i, from, f);
        }
        String callee = name.get();
        return machine.library().intrinsic(callee, i, from).orElseGet(() -> f -> call(callee, i, from, f));
    }

    private void call(String name, IrInstruction i, int[] from, Frame f) {
        Optional<MachineCode> body = machine.code(name);
        if (body.isEmpty()) {
            long[] arguments = new long[from.length];
            for (int k = 0; k < from.length; k++) {
                arguments[k] = f.narrow[from[k]];
            }
            f.narrow[i.id()] = machine.library().call(name, i, arguments);
            return;
        }
        Registers callee = body.get().registers();
        var frame = new Frame(callee);
        List<IrFunction.IrArgument> formal = callee.function().arguments();
        int mark = machine.memory().mark();
        for (int k = 0; k < Math.min(from.length, formal.size()); k++) {
            Optional<IrType> byValue = formal.get(k).pointee();
            if (Registers.isWide(formal.get(k).type())) {
                frame.wide[callee.argument(k)] = f.wide[from[k]];
            } else if (byValue.isPresent() && !formal.get(k).name().equals(RESULT)) {
                long bytes = byValue.get().bytes();
                long copy = machine.memory().allocateLocal(bytes);
                machine.memory().copy(copy, f.narrow[from[k]], bytes);
                frame.narrow[callee.argument(k)] = copy;
            } else {
                frame.narrow[callee.argument(k)] = f.narrow[from[k]];
            }
        }
        machine.enter(body.get(), frame);
        machine.memory().release(mark);
        if (Registers.isWide(i.type())) {
            f.wide[i.id()] = frame.wideResult;
        } else {
            f.narrow[i.id()] = frame.result;
        }
    }
}
