package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;

/// The meaning of calls and accesses of the compiled form.
final class IrCalls {
    /// Reads, writes and polls of queues, as the headers that stand in for the vendor's spell them.
    private static final String READ = "__kn_rd";

    private static final String WRITE = "__kn_wr";
    private static final String POLL = "__kn_poll";

    private static final int FEW_BYTES = 16;

    private IrCalls() {}

    /// True if a call reads, writes or polls a queue.
    static boolean isQueue(IrInstruction i) {
        return i.callee()
                .filter(c -> c.equals(READ) || c.equals(WRITE) || c.equals(POLL))
                .isPresent();
    }

    /// True if a call takes a queue's turn: polls do not.
    static boolean takesTurn(IrInstruction i) {
        return isQueue(i) && !i.callee().orElse("").equals(POLL);
    }

    /// True if it writes one.
    static boolean isQueueWrite(IrInstruction i) {
        return i.callee().orElse("").equals(WRITE);
    }

    /// The address that a load or store accesses.
    static Optional<IrValue> address(IrInstruction i) {
        return i.opcode() == IrOpcode.LOAD
                ? Optional.of(i.operands().getFirst())
                : i.opcode() == IrOpcode.STORE ? Optional.of(i.operands().get(1)) : Optional.empty();
    }

    /// True if a call copies or fills a part of a memory, element after element: more than a few registers.
    static boolean isTransfer(IrInstruction i) {
        String c = i.callee().orElse("");
        return (c.startsWith("llvm.memcpy") || c.startsWith("llvm.memmove") || c.startsWith("llvm.memset"))
                && AffineForms.whole(i.operands().get(2)).orElse(Long.MAX_VALUE) > FEW_BYTES;
    }

    /// Addresses that a transfer writes and, where it copies, reads.
    static List<IrValue> ends(IrInstruction transfer) {
        boolean fills = transfer.callee().orElse("").startsWith("llvm.memset");
        return transfer.operands().subList(0, fills ? 1 : 2);
    }

    /// Addresses that a load, store or transfer accesses.
    static List<IrValue> touched(IrInstruction i) {
        return isTransfer(i) ? ends(i) : address(i).map(List::of).orElse(List.of());
    }

    /// True if a call is no hardware: hints to the compiler.
    static boolean isNothing(IrInstruction i) {
        String c = i.callee().orElse("");
        return c.startsWith("llvm.")
                && (c.startsWith("llvm.dbg")
                        || c.startsWith("llvm.lifetime")
                        || c.startsWith("llvm.assume")
                        || c.startsWith("llvm.experimental")
                        || c.startsWith("llvm.invariant")
                        || c.startsWith("llvm.stack")
                        || c.startsWith("llvm.donothing"));
    }

    /// The call that took a queue's turn for a word at this place.
    static Optional<IrInstruction> turn(FunctionFacts f, Affine bytes) {
        List<IrInstruction> code = f.forms().code();
        for (int s : bytes.symbols()) {
            if (s >= 0 && s < code.size() && takesTurn(code.get(s))) {
                return Optional.of(code.get(s));
            }
        }
        return Optional.empty();
    }

    /// True if the word that a call writes is stored behind it in its block.
    ///
    /// @param value that the address is made of
    /// @param isHere whether an instruction stores or copies a word where the call is looked at
    static boolean isStoredThrough(
            FunctionFacts f, IrInstruction call, IrInstruction value, Predicate<IrInstruction> isHere) {
        for (IrInstruction u : f.users().get(value.id())) {
            boolean address = u.opcode() == IrOpcode.GET_ELEMENT_PTR;
            if (address && isStoredThrough(f, call, u, isHere)) {
                return true;
            }
            if (!address
                    && isHere.test(u)
                    && f.forms().blockOf(u.id()) == f.forms().blockOf(call.id())
                    && Optional.of(u.operands().get(u.opcode() == IrOpcode.STORE ? 1 : 0))
                            .flatMap(a -> turn(f, f.forms().pointer(a).bytes()))
                            .filter(call::equals)
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }
}
