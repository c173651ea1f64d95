package knobscape.compile.run;

import java.math.BigInteger;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrValue;
import org.jspecify.annotations.Nullable;

/// One call of a function on its way.
public final class Frame {
    /// Does one instruction.
    interface Step {
        void run(Frame f);
    }

    /// Integers up to 64 bits with their sign, addresses, floating-point numbers as their bits.
    final long[] narrow;

    /// Wider integers, with their sign.
    final BigInteger[] wide;

    long result;
    BigInteger wideResult = BigInteger.ZERO;
    private final Registers registers;
    private @Nullable Object state;

    Frame(Registers registers) {
        this.registers = registers;
        narrow = registers.narrow();
        wide = registers.wide();
    }

    /// The function.
    public IrFunction function() {
        return registers.function();
    }

    /// The watcher's state of this call.
    public @Nullable Object state() {
        return state;
    }

    /// Keeps something of this call for a watcher.
    public void keep(Object ofWatcher) {
        state = ofWatcher;
    }

    /// The content of a value now: an argument, a constant, or what an instruction made last; 0 where it has not run.
    public long valueOf(IrValue value) {
        return registers.known(value).map(r -> narrow[r]).orElse(0L);
    }
}
