package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A basic block.
final class CodeBlock {
    final int number;
    /// The block of the compiled code that it stands for.
    int origin;
    /// How often it runs each time that one does.
    long times = 1;
    final List<DataOp> phis = new ArrayList<>();
    final List<DataOp> ops = new ArrayList<>();
    /// One after a jump, two after a decision (the first where it is true), none after a return.
    final List<CodeBlock> next = new ArrayList<>();
    final List<CodeBlock> before = new ArrayList<>();
    /// The deciding value.
    @Nullable
    DataOp condition;
    /// The returned value.
    @Nullable
    DataOp result;
    /// Interval wanted of the loop that it ends, where that is pipelined.
    OptionalLong interval = OptionalLong.empty();
    /// The innermost loop around.
    @Nullable
    CodeLoop loop;

    CodeBlock(int number) {
        this.number = number;
    }

    @Override
    public String toString() {
        return "block " + number;
    }
}
