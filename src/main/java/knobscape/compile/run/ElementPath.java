package knobscape.compile.run;

import java.util.ArrayList;
import java.util.List;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Bytes that a `getelementptr` adds to its address: a constant, and operands times their scales.
record ElementPath(long constant, List<IrValue> indices, List<Long> scales) {
    ElementPath {
        indices = List.copyOf(indices);
        scales = List.copyOf(scales);
    }

    /// @param walked type that the indices walk through
    /// @param operands the address first
    ElementPath(IrType walked, List<? extends IrValue> operands) {
        this(walked, operands, new ArrayList<>(), new ArrayList<>());
    }

    private ElementPath(IrType walked, List<? extends IrValue> operands, List<IrValue> indices, List<Long> scales) {
        this(sum(walked, operands, indices, scales), indices, scales);
    }

    private static long sum(IrType walked, List<? extends IrValue> operands, List<IrValue> indices, List<Long> scales) {
        long constant = 0;
        IrType type = walked;
        for (int k = 1; k < operands.size(); k++) {
            IrValue index = operands.get(k);
            if (k > 1 && type instanceof IrType.Struct s) {
                int member = (int) AffineForms.whole(index).orElseThrow();
                constant += s.offsets().get(member);
                type = s.members().get(member);
                continue;
            }
            if (k > 1) {
                type = switch (type) {
                    case IrType.Array a -> a.element();
                    case IrType.Vector v -> v.element();
                    default -> throw new Ended("indexes what is no array");
                };
            }
            long scale = type.bytes();
            if (AffineForms.whole(index).isPresent()) {
                constant += AffineForms.whole(index).getAsLong() * scale;
            } else {
                indices.add(index);
                scales.add(scale);
            }
        }
        return constant;
    }
}
