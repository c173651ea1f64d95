package knobscape.compile;

import static knobscape.compile.LlvmLibrary.call;
import static knobscape.compile.LlvmLibrary.function;
import static knobscape.compile.LlvmLibrary.name;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writes a module of LLVM as bytes that [IrReader] makes records of: functions and instructions. Types, constants and
/// debug information are written where they are first used ([IrTables]).
final class IrWriter {
    static final int DETAIL_NONE = 0;
    static final int DETAIL_COMPARISON = 1;
    static final int DETAIL_ELEMENT = 2;
    static final int DETAIL_CALLEE = 3;
    static final int DETAIL_INDICES = 4;
    static final MethodHandle FIRST_FUNCTION = function("LLVMGetFirstFunction", 1);
    static final MethodHandle NEXT_FUNCTION = function("LLVMGetNextFunction", 1);
    static final MethodHandle FIRST_BLOCK = function("LLVMGetFirstBasicBlock", 1);
    static final MethodHandle NEXT_BLOCK = function("LLVMGetNextBasicBlock", 1);
    static final MethodHandle FIRST_INSTRUCTION = function("LLVMGetFirstInstruction", 1);
    static final MethodHandle NEXT_INSTRUCTION = function("LLVMGetNextInstruction", 1);
    static final MethodHandle TERMINATOR = function("LLVMGetBasicBlockTerminator", 1);
    static final MethodHandle CALLED = function("LLVMGetCalledValue", 1);
    static final MethodHandle HAS_ATTRIBUTE = function("LLVMGetEnumAttributeAtIndex", 3);
    static final MethodHandle FIRST_GLOBAL = function("LLVMGetFirstGlobal", 1);
    static final MethodHandle NEXT_GLOBAL = function("LLVMGetNextGlobal", 1);
    private static final MethodHandle GLOBAL_TYPE = function("LLVMGlobalGetValueType", 1);
    private static final MethodHandle GLOBAL_CONSTANT = function("LLVMIsGlobalConstant", 1);
    private static final MethodHandle INITIALISER = function("LLVMGetInitializer", 1);
    private static final MethodHandle BLOCK_NAME = function("LLVMGetBasicBlockName", 1);
    private static final MethodHandle OPCODE = function("LLVMGetInstructionOpcode", 1);
    private static final MethodHandle OPERANDS = function("LLVMGetNumOperands", 1);
    private static final MethodHandle OPERAND = function("LLVMGetOperand", 2);
    private static final MethodHandle SUCCESSORS = function("LLVMGetNumSuccessors", 1);
    private static final MethodHandle SUCCESSOR = function("LLVMGetSuccessor", 2);
    private static final MethodHandle INCOMING = function("LLVMCountIncoming", 1);
    private static final MethodHandle INCOMING_VALUE = function("LLVMGetIncomingValue", 2);
    private static final MethodHandle INCOMING_BLOCK = function("LLVMGetIncomingBlock", 2);
    private static final MethodHandle ARGUMENTS = function("LLVMGetNumArgOperands", 1);
    private static final MethodHandle TYPE = function("LLVMTypeOf", 1);
    private static final MethodHandle INTEGER_PREDICATE = function("LLVMGetICmpPredicate", 1);
    private static final MethodHandle REAL_PREDICATE = function("LLVMGetFCmpPredicate", 1);
    private static final MethodHandle GEP_ELEMENT = function("LLVMGetGEPSourceElementType", 1);
    private static final MethodHandle ALLOCATED = function("LLVMGetAllocatedType", 1);
    private static final MethodHandle INDEX_COUNT = function("LLVMGetNumIndices", 1);
    private static final MethodHandle INDICES = function("LLVMGetIndices", 1);
    private static final MethodHandle MASK_COUNT = function("LLVMGetNumMaskElements", 1);
    private static final MethodHandle MASK = function("LLVMGetMaskValue", 2);
    private static final MethodHandle PARAMETERS = function("LLVMCountParams", 1);
    private static final MethodHandle PARAMETER = function("LLVMGetParam", 2);
    private static final MethodHandle ATTRIBUTE_KIND = function("LLVMGetEnumAttributeKindForName", 2);
    private static final MethodHandle ATTRIBUTE_TYPE = function("LLVMGetTypeAttributeValue", 1);
    private static final MethodHandle FUNCTION_TYPE = function("LLVMGlobalGetValueType", 1);
    private static final MethodHandle RETURN_TYPE = function("LLVMGetReturnType", 1);
    private static final MethodHandle SIGNED_WRAP = function("LLVMGetNSW", 1);
    private static final MethodHandle UNSIGNED_WRAP = function("LLVMGetNUW", 1);
    private static final MethodHandle EXACT = function("LLVMGetExact", 1);
    private static final MethodHandle DISJOINT = function("LLVMGetIsDisjoint", 1);
    private static final MethodHandle VOLATILE = function("LLVMGetVolatile", 1);
    private static final MethodHandle IN_BOUNDS = function("LLVMIsInBounds", 1);
    private static final MethodHandle BOOL_ONLY_INTRINSICS = function("LLVMSetIsNewDbgInfoFormat", 2);

    /// Index that means the whole function among those that attributes stand at.
    static final long WHOLE_FUNCTION = 0xFFFFFFFFL;

    private static final int BR = 2;
    private static final int SWITCH = 3;
    private static final int ALLOCA = 26;
    private static final int LOAD = 27;
    private static final int STORE = 28;
    private static final int GET_ELEMENT_PTR = 29;
    private static final int ICMP = 42;
    private static final int FCMP = 43;
    private static final int PHI = 44;
    private static final int CALL = 45;
    private static final int SHUFFLE = 52;
    private static final int EXTRACT_VALUE = 53;
    private static final int INSERT_VALUE = 54;

    private final DataOutputStream out;
    private final IrTables tables;

    /// A variable's or label's place, kept until the function's instructions are written.
    private record DebugCall(long call, int before, boolean label, boolean address) {}

    IrWriter(DataOutputStream out, long module, long context) {
        this.out = out;
        tables = new IrTables(out, module, context);
        call(BOOL_ONLY_INTRINSICS, module, 0);
    }

    static long attributeKind(java.lang.foreign.Arena arena, String attribute) {
        return call(ATTRIBUTE_KIND, arena.allocateFrom(attribute).address(), attribute.length());
    }

    /// Writes the whole module.
    void module(long module) throws IOException {
        List<Long> globals = all(call(FIRST_GLOBAL, module), NEXT_GLOBAL);
        out.writeInt(globals.size());
        for (long g : globals) {
            out.writeUTF(name(g));
            tables.type(call(GLOBAL_TYPE, g));
            out.writeBoolean((int) call(GLOBAL_CONSTANT, g) != 0);
            long initialiser = call(INITIALISER, g);
            out.writeBoolean(initialiser != 0);
            if (initialiser != 0) {
                tables.constant(initialiser);
            }
            tables.globalVariable(g);
        }
        // What declares variables is told with them.
        List<Long> functions = all(call(FIRST_FUNCTION, module), NEXT_FUNCTION).stream()
                .filter(f -> !name(f).startsWith("llvm.dbg."))
                .toList();
        out.writeInt(functions.size());
        for (long f : functions) {
            writeFunction(f);
        }
    }

    static List<Long> all(long first, MethodHandle next) {
        var all = new ArrayList<Long>();
        for (long x = first; x != 0; x = call(next, x)) {
            all.add(x);
        }
        return all;
    }

    private void writeFunction(long f) throws IOException {
        out.writeUTF(name(f));
        tables.type(call(RETURN_TYPE, call(FUNCTION_TYPE, f)));
        tables.subprogram(f);
        var ids = new HashMap<Long, Integer>();
        int arguments = (int) call(PARAMETERS, f);
        out.writeInt(arguments);
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            long byValue = attributeKind(arena, "byval");
            long result = attributeKind(arena, "sret");
            for (int i = 0; i < arguments; i++) {
                long a = call(PARAMETER, f, i);
                ids.put(a, -1 - i);
                out.writeUTF(name(a));
                tables.type(call(TYPE, a));
                long attribute = call(HAS_ATTRIBUTE, f, i + 1L, byValue);
                if (attribute == 0) {
                    attribute = call(HAS_ATTRIBUTE, f, i + 1L, result);
                }
                out.writeBoolean(attribute != 0);
                if (attribute != 0) {
                    tables.type(call(ATTRIBUTE_TYPE, attribute));
                }
            }
            for (String attribute : IrReader.ATTRIBUTES) {
                out.writeBoolean(call(HAS_ATTRIBUTE, f, WHOLE_FUNCTION, attributeKind(arena, attribute)) != 0);
            }
        }
        List<Long> blocks = all(call(FIRST_BLOCK, f), NEXT_BLOCK);
        var indices = new HashMap<Long, Integer>();
        var bodies = new ArrayList<List<Long>>();
        var debug = new ArrayList<DebugCall>();
        int id = 0;
        for (long b : blocks) {
            indices.put(b, indices.size());
            var body = new ArrayList<Long>();
            for (long i : all(call(FIRST_INSTRUCTION, b), NEXT_INSTRUCTION)) {
                String callee = (int) call(OPCODE, i) == CALL ? name(call(CALLED, i)) : "";
                if (callee.startsWith("llvm.dbg.")) {
                    debug.add(new DebugCall(i, id, callee.endsWith("label"), callee.endsWith("declare")));
                } else {
                    ids.put(i, id++);
                    body.add(i);
                }
            }
            bodies.add(body);
        }
        out.writeInt(blocks.size());
        for (int b = 0; b < bodies.size(); b++) {
            long text = call(BLOCK_NAME, blocks.get(b));
            out.writeUTF(
                    text == 0 ? "" : LlvmLibrary.bytes(text, Long.MAX_VALUE).getString(0));
            out.writeInt(bodies.get(b).size());
            for (long i : bodies.get(b)) {
                instruction(i, ids, indices);
            }
            tables.loop(call(TERMINATOR, blocks.get(b)));
        }
        debug(debug, ids);
    }

    private void debug(List<DebugCall> calls, Map<Long, Integer> ids) throws IOException {
        for (DebugCall d : calls) {
            if (d.label()) {
                out.writeByte(2);
                tables.label(call(OPERAND, d.call(), 0));
                tables.location(d.call());
            } else {
                long value = tables.wrapped(call(OPERAND, d.call(), 0));
                if (value != 0) {
                    out.writeByte(1);
                    tables.variable(call(OPERAND, d.call(), 1));
                    value(value, ids);
                    out.writeBoolean(d.address());
                    out.writeInt(d.before());
                }
            }
        }
        out.writeByte(0);
    }

    private void instruction(long i, Map<Long, Integer> ids, Map<Long, Integer> blocks) throws IOException {
        int opcode = (int) call(OPCODE, i);
        out.writeUTF(name(i));
        out.writeByte(opcode);
        tables.type(call(TYPE, i));
        var operands = new ArrayList<Long>();
        var targets = new ArrayList<Long>();
        int count = (int) call(OPERANDS, i);
        switch (opcode) {
            case BR, SWITCH -> {
                for (int k = 0; k < (int) call(SUCCESSORS, i); k++) {
                    targets.add(call(SUCCESSOR, i, k));
                }
                for (int k = 0; k < count; k += 2) {
                    if (opcode == SWITCH || (count > 1 && k == 0)) {
                        operands.add(call(OPERAND, i, k));
                    }
                }
            }
            case PHI -> {
                for (int k = 0; k < (int) call(INCOMING, i); k++) {
                    operands.add(call(INCOMING_VALUE, i, k));
                    targets.add(call(INCOMING_BLOCK, i, k));
                }
            }
            default -> {
                for (int k = 0; k < (opcode == CALL ? (int) call(ARGUMENTS, i) : count); k++) {
                    operands.add(call(OPERAND, i, k));
                }
            }
        }
        out.writeInt(operands.size());
        for (long operand : operands) {
            value(operand, ids);
        }
        out.writeInt(targets.size());
        for (long target : targets) {
            out.writeInt(blocks.getOrDefault(target, 0));
        }
        detail(i, opcode, ids);
        out.writeByte(flags(i, opcode));
        tables.location(i);
    }

    private void detail(long i, int opcode, Map<Long, Integer> ids) throws IOException {
        switch (opcode) {
            case ICMP, FCMP -> {
                out.writeByte(DETAIL_COMPARISON);
                out.writeByte((int) call(opcode == ICMP ? INTEGER_PREDICATE : REAL_PREDICATE, i));
            }
            case GET_ELEMENT_PTR, ALLOCA -> {
                out.writeByte(DETAIL_ELEMENT);
                tables.type(call(opcode == ALLOCA ? ALLOCATED : GEP_ELEMENT, i));
            }
            case CALL -> {
                out.writeByte(DETAIL_CALLEE);
                value(call(CALLED, i), ids);
            }
            case EXTRACT_VALUE, INSERT_VALUE -> {
                out.writeByte(DETAIL_INDICES);
                int count = (int) call(INDEX_COUNT, i);
                out.writeInt(count);
                var indices = LlvmLibrary.bytes(call(INDICES, i), (long) count * Integer.BYTES);
                for (int k = 0; k < count; k++) {
                    out.writeInt(indices.getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, k));
                }
            }
            case SHUFFLE -> {
                out.writeByte(DETAIL_INDICES);
                int count = (int) call(MASK_COUNT, i);
                out.writeInt(count);
                for (int k = 0; k < count; k++) {
                    out.writeInt((int) call(MASK, i, k));
                }
            }
            default -> out.writeByte(DETAIL_NONE);
        }
    }

    /// Flags in the order of [knobscape.compile.ir.IrInstruction.Flag], the first the lowest bit.
    private static int flags(long i, int opcode) {
        // By opcode: LLVM checks nothing, and dies of the wrong one.
        return switch (opcode) {
            case 8, 10, 12, 20 -> bit(call(SIGNED_WRAP, i), 0) | bit(call(UNSIGNED_WRAP, i), 1);
            case 13 + 1, 15, 21, 22 -> bit(call(EXACT, i), 2);
            case 24 -> bit(call(DISJOINT, i), 3);
            case LOAD, STORE -> bit(call(VOLATILE, i), 4);
            case GET_ELEMENT_PTR -> bit(call(IN_BOUNDS, i), 5);
            default -> 0;
        };
    }

    private static int bit(long flag, int position) {
        return (int) flag != 0 ? 1 << position : 0;
    }

    private void value(long v, Map<Long, Integer> ids) throws IOException {
        Integer id = ids.get(v);
        if (id == null) {
            out.writeByte(IrTables.CONSTANT);
            tables.constant(v);
        } else {
            out.writeByte(id < 0 ? IrTables.ARGUMENT : IrTables.RESULT);
            out.writeInt(id < 0 ? -1 - id : id);
            tables.type(call(TYPE, v));
        }
    }
}
