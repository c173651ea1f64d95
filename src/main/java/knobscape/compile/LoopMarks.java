package knobscape.compile;

import static knobscape.compile.LlvmLibrary.call;
import static knobscape.compile.LlvmLibrary.function;
import static knobscape.compile.LlvmLibrary.string;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import knobscape.compile.ir.IrLoopMark;

/// The metadata of loops in a module: numbers them once, and sets properties by number.
final class LoopMarks {
    private static final MethodHandle KIND = function("LLVMGetMDKindIDInContext", 3);
    private static final MethodHandle GET = function("LLVMGetMetadata", 2);
    private static final MethodHandle SET = function("LLVMSetMetadata", 3);
    private static final MethodHandle OPERANDS = function("LLVMGetMDNodeNumOperands", 1);
    private static final MethodHandle OPERAND = function("LLVMGetMDNodeOperands", 2);
    private static final MethodHandle AS_NODE = function("LLVMValueAsMetadata", 1);
    private static final MethodHandle AS_VALUE = function("LLVMMetadataAsValue", 2);
    private static final MethodHandle NODE_KIND = function("LLVMGetMetadataKind", 1);
    private static final MethodHandle STRING = function("LLVMMDStringInContext2", 3);
    private static final MethodHandle NODE = function("LLVMMDNodeInContext2", 3);
    private static final MethodHandle TEMPORARY = function("LLVMTemporaryMDNode", 3);
    private static final MethodHandle REPLACE = function("LLVMMetadataReplaceAllUsesWith", 2);
    private static final MethodHandle INT32 = function("LLVMInt32TypeInContext", 1);
    private static final MethodHandle INTEGER = function("LLVMConstInt", 3);
    private static final MethodHandle VALUE_KIND = function("LLVMGetValueKind", 1);
    private static final MethodHandle NUMBER = function("LLVMConstIntGetSExtValue", 1);
    private static final int TUPLE = 4;
    private static final int CONSTANT_INTEGER = 18;

    private final long context;
    private final long kind;
    private final Arena arena;

    LoopMarks(long context, Arena arena) {
        this.context = context;
        this.arena = arena;
        kind = kind(context);
    }

    static long kind(long context) {
        try (var arena = Arena.ofConfined()) {
            return (int) call(KIND, context, arena.allocateFrom("llvm.loop").address(), 9);
        }
    }

    /// Gives every loop that carries metadata a number, in the order of the module's text.
    void number(long module) {
        number(module, IrLoopMark.ID);
    }

    /// The same under another name.
    void number(long module, String as) {
        long next = 0;
        for (long terminator : terminators(module)) {
            if (call(GET, terminator, kind) != 0) {
                put(terminator, Map.of(as, OptionalLong.of(next++)));
            }
        }
    }

    /// Sets properties of loops by number; all copies of a loop get them.
    ///
    /// @param by the property that has the number
    void set(long module, String by, Map<Long, Map<String, OptionalLong>> properties) {
        if (properties.isEmpty()) {
            return;
        }
        for (long terminator : terminators(module)) {
            long node = call(GET, terminator, kind);
            if (node == 0) {
                continue;
            }
            for (long part : parts(node)) {
                long[] property = property(part, node);
                if (property.length > 1
                        && string(property[0]).equals(by)
                        && (int) call(VALUE_KIND, property[1]) == CONSTANT_INTEGER) {
                    Map<String, OptionalLong> wanted = properties.get(call(NUMBER, property[1]));
                    if (wanted != null) {
                        put(terminator, wanted);
                    }
                }
            }
        }
    }

    private static List<Long> terminators(long module) {
        var found = new ArrayList<Long>();
        for (long f : IrWriter.all(call(IrWriter.FIRST_FUNCTION, module), IrWriter.NEXT_FUNCTION)) {
            for (long b : IrWriter.all(call(IrWriter.FIRST_BLOCK, f), IrWriter.NEXT_BLOCK)) {
                long terminator = call(IrWriter.TERMINATOR, b);
                if (terminator != 0) {
                    found.add(terminator);
                }
            }
        }
        return found;
    }

    private void put(long terminator, Map<String, OptionalLong> properties) {
        long old = call(GET, terminator, kind);
        long temporary = call(TEMPORARY, context, LlvmLibrary.handles(arena).address(), 0);
        var parts = new ArrayList<Long>();
        parts.add(temporary);
        for (long part : parts(old)) {
            long[] property = property(part, old);
            boolean self = part == old;
            if (part != 0 && !self && !(property.length > 0 && properties.containsKey(string(property[0])))) {
                parts.add(call(AS_NODE, part));
            }
        }
        properties.forEach((name, value) -> {
            long key = call(STRING, context, arena.allocateFrom(name).address(), name.length());
            if (value.isPresent()) {
                long number = call(AS_NODE, call(INTEGER, call(INT32, context), value.getAsLong(), 1));
                parts.add(node(key, number));
            } else {
                parts.add(node(key));
            }
        });
        long node = node(parts.stream().mapToLong(x -> x).toArray());
        call(REPLACE, temporary, node);
        call(SET, terminator, kind, call(AS_VALUE, context, node));
    }

    private long node(long... parts) {
        return call(NODE, context, LlvmLibrary.handles(arena, parts).address(), parts.length);
    }

    /// Name and value of a property, empty for other parts of a loop's node.
    private long[] property(long part, long node) {
        return part == 0 || part == node || (int) call(NODE_KIND, call(AS_NODE, part)) != TUPLE
                ? new long[0]
                : parts(part);
    }

    private long[] parts(long value) {
        int count = (int) call(OPERANDS, value);
        MemorySegment handles = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
        call(OPERAND, value, handles.address());
        return handles.asSlice(0, (long) count * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    }
}
