package knobscape.hls.source;

/// Kinds of operation that differ in hardware.
public enum OperationKind {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    COMPARE,
    SELECT,
    LOGIC,
    SHIFT_CONSTANT,
    SHIFT_VARIABLE,
    NEGATE,
    CONVERT,
    SQRT,
    EXP,
    LOG,
    POW,
    TRIG,
    MINMAX,
    ABSOLUTE,
    BIT_SELECT,
    OTHER
}
