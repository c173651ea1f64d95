package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.compile.ir.IrLocation;
import knobscape.hls.rtl.StagedCore;
import org.jspecify.annotations.Nullable;

/// An operation on its way to hardware, or a constant or an argument. Integers are taken as signed unless the kind
/// says otherwise; a truth value is one bit.
final class DataOp {
    /// The kind of operation.
    enum Kind {
        CONSTANT,
        ARGUMENT,
        PHI,
        ADD,
        SUB,
        MUL,
        UDIV,
        SDIV,
        UREM,
        SREM,
        SHL,
        LSHR,
        ASHR,
        AND,
        OR,
        XOR,
        NOT,
        EQ,
        ULT,
        SLT,
        SELECT,
        ZEXT,
        SEXT,
        /// Low bits, or the same value.
        COPY,
        FADD,
        FMUL,
        FDIV,
        FSQRT,
        FROM_SIGNED,
        FROM_UNSIGNED,
        TO_SIGNED,
        FEQ,
        FLT,
        UNORDERED,
        /// The address of accesses that takes a cycle of its own.
        ADDRESS,
        LOAD,
        STORE
    }

    final int id;
    Kind kind;
    final int width;
    final boolean real;
    /// Of `STORE` the value; of `PHI` one a predecessor.
    final List<DataOp> args = new ArrayList<>();
    /// Of `PHI` the predecessors.
    final List<CodeBlock> from = new ArrayList<>();
    long value;
    /// True if its result never leaves its width as a signed number.
    boolean exact;
    Optional<IrLocation> location = Optional.empty();

    @Nullable
    CodeBlock block;

    /// Number of the region that it is in; -1 before it is in one.
    int region = -1;

    /// Of `ADDRESS` one of those that it is for.
    @Nullable
    MemoryAccess access;
    /// Of a store in a pipeline: when it counts.
    @Nullable
    DataOp guard;

    // Of the schedule.
    int cycle = -1;
    int latency;
    double before;
    double after;

    @Nullable
    StagedCore core;

    StagedCore.@Nullable Timing timing;

    DataOp(int id, Kind kind, int width, boolean real) {
        this.id = id;
        this.kind = kind;
        this.width = width;
        this.real = real;
    }

    boolean isConstant() {
        return kind == Kind.CONSTANT;
    }

    boolean isAccess() {
        return kind == Kind.LOAD || kind == Kind.STORE;
    }

    DataOp arg(int i) {
        return args.get(i);
    }

    MemoryAccess access() {
        return java.util.Objects.requireNonNull(access);
    }

    /// Its value as a sum of what is not known.
    SumForm<DataOp> sum() {
        return isConstant() ? SumForm.of(value) : SumForm.term(this);
    }

    /// Cycle of its region in which its result is there.
    int ready() {
        return kind == Kind.PHI ? cycle : cycle + latency;
    }

    @Override
    public String toString() {
        return kind + "#" + id;
    }
}
