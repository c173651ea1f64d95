package knobscape.compile.ir;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/// Comparisons of integers and of floating-point numbers, with the numbers of LLVM's C interface. Of the latter the `F`
/// ones are false for what is not a number, the `FU` ones true.
public enum IrPredicate {
    EQ(32),
    NE(33),
    UGT(34),
    UGE(35),
    ULT(36),
    ULE(37),
    SGT(38),
    SGE(39),
    SLT(40),
    SLE(41),
    FALSE(0),
    FEQ(1),
    FGT(2),
    FGE(3),
    FLT(4),
    FLE(5),
    FNE(6),
    /// Both are numbers.
    ORDERED(7),
    /// One is not a number.
    UNORDERED(8),
    FUEQ(9),
    FUGT(10),
    FUGE(11),
    FULT(12),
    FULE(13),
    FUNE(14),
    TRUE(15);

    private static final Map<Integer, IrPredicate> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toMap(p -> p.number, p -> p));

    private final int number;

    IrPredicate(int number) {
        this.number = number;
    }

    /// The predicate of a number of the C interface.
    public static IrPredicate of(int number) {
        IrPredicate predicate = BY_NUMBER.get(number);
        if (predicate == null) {
            throw new IllegalArgumentException("no predicate has the number " + number);
        }
        return predicate;
    }
}
