package knobscape.compile.ir;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/// LLVM's opcodes, with the numbers of its C interface.
public enum IrOpcode {
    RET(1),
    BR(2),
    SWITCH(3),
    INDIRECT_BR(4),
    INVOKE(5),
    UNREACHABLE(7),
    CALL_BR(67),
    FNEG(66),
    ADD(8),
    FADD(9),
    SUB(10),
    FSUB(11),
    MUL(12),
    FMUL(13),
    UDIV(14),
    SDIV(15),
    FDIV(16),
    UREM(17),
    SREM(18),
    FREM(19),
    SHL(20),
    LSHR(21),
    ASHR(22),
    AND(23),
    OR(24),
    XOR(25),
    ALLOCA(26),
    LOAD(27),
    STORE(28),
    GET_ELEMENT_PTR(29),
    TRUNC(30),
    ZEXT(31),
    SEXT(32),
    FP_TO_UI(33),
    FP_TO_SI(34),
    UI_TO_FP(35),
    SI_TO_FP(36),
    FP_TRUNC(37),
    FP_EXT(38),
    PTR_TO_INT(39),
    INT_TO_PTR(40),
    BITCAST(41),
    ADDR_SPACE_CAST(60),
    ICMP(42),
    FCMP(43),
    PHI(44),
    CALL(45),
    SELECT(46),
    VA_ARG(49),
    EXTRACT_ELEMENT(50),
    INSERT_ELEMENT(51),
    SHUFFLE_VECTOR(52),
    EXTRACT_VALUE(53),
    INSERT_VALUE(54),
    FREEZE(68),
    FENCE(55),
    CMPXCHG(56),
    ATOMIC_RMW(57),
    /// Exceptions and what else no kernel has.
    OTHER(0);

    private static final Map<Integer, IrOpcode> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toMap(o -> o.number, o -> o));

    private final int number;

    IrOpcode(int number) {
        this.number = number;
    }

    /// The opcode of a number of the C interface.
    public static IrOpcode of(int number) {
        return BY_NUMBER.getOrDefault(number, OTHER);
    }

    /// True if it ends a block.
    public boolean isTerminator() {
        return switch (this) {
            case RET, BR, SWITCH, INDIRECT_BR, INVOKE, UNREACHABLE, CALL_BR -> true;
            default -> false;
        };
    }

    /// True if it only changes how a number is held.
    public boolean isConversion() {
        return (number >= TRUNC.number && number <= BITCAST.number) || this == ADDR_SPACE_CAST;
    }
}
