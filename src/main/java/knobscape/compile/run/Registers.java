package knobscape.compile.run;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// The registers of a function, numbered: results of instructions by their id, then arguments, then constants in the
/// order in which they are asked for.
final class Registers {
    private final IrFunction function;
    private final ToLongFunction<IrValue> bits;
    /// Of results and arguments.
    private final int fixed;

    private final int results;
    private final boolean anyWide;
    private final Map<IrValue, Integer> known = new HashMap<>();
    private final List<Long> constants = new ArrayList<>();
    private final Map<Integer, BigInteger> wideConstants = new HashMap<>();
    private long[] template = new long[0];

    /// @param bits of a constant of at most 64
    Registers(IrFunction function, ToLongFunction<IrValue> bits) {
        this.function = function;
        this.bits = bits;
        results = function.instructions().size();
        fixed = results + function.arguments().size();
        anyWide = function.instructions().stream()
                .anyMatch(i -> isWide(i.type()) || i.operands().stream().anyMatch(o -> isWide(o.type())));
    }

    static boolean isWide(IrType t) {
        return t instanceof IrType.Int(int width) && width > Long.SIZE;
    }

    IrFunction function() {
        return function;
    }

    /// Narrow registers at the start of a call.
    long[] narrow() {
        int size = fixed + constants.size();
        if (template.length != size) {
            template = new long[size];
            for (int i = 0; i < constants.size(); i++) {
                template[fixed + i] = constants.get(i);
            }
        }
        return template.clone();
    }

    /// Wide registers at the start of a call; none where the function has none.
    BigInteger[] wide() {
        if (!anyWide) {
            return new BigInteger[0];
        }
        var all = new BigInteger[fixed + constants.size()];
        Arrays.fill(all, BigInteger.ZERO);
        wideConstants.forEach((r, v) -> all[r] = v);
        return all;
    }

    /// The register of an argument.
    int argument(int index) {
        return results + index;
    }

    /// The register of a value that has one.
    Optional<Integer> known(IrValue v) {
        return switch (v) {
            case IrValue.Result r -> Optional.of(r.instruction());
            case IrValue.Argument a -> Optional.of(argument(a.index()));
            default -> Optional.ofNullable(known.get(v));
        };
    }

    /// The register that holds a value.
    int register(IrValue v) {
        return known(v).orElseGet(() -> {
            int r = fixed + constants.size();
            known.put(v, r);
            if (isWide(v.type())) {
                constants.add(0L);
                wideConstants.put(r, v instanceof IrConstant.Whole w ? w.value() : BigInteger.ZERO);
            } else {
                constants.add(bits.applyAsLong(v));
            }
            return r;
        });
    }
}
