package knobscape.compile;

import static knobscape.compile.LlvmLibrary.call;
import static knobscape.compile.LlvmLibrary.function;
import static knobscape.compile.LlvmLibrary.name;
import static knobscape.compile.LlvmLibrary.string;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Writes types, constants, places and debug information, each once: its number where it was written before, else the
/// next number and what it is. A number is given when the parts have been written, so that the reader has them first.
final class IrTables {
    static final int CONSTANT = 0;
    static final int ARGUMENT = 1;
    static final int RESULT = 2;
    /// Stands in the place of a number for one that follows.
    static final int NEW = -1;
    static final int NONE = -2;

    private static final MethodHandle KIND = function("LLVMGetTypeKind", 1);
    private static final MethodHandle WIDTH = function("LLVMGetIntTypeWidth", 1);
    private static final MethodHandle ELEMENT = function("LLVMGetElementType", 1);
    private static final MethodHandle LENGTH = function("LLVMGetArrayLength2", 1);
    private static final MethodHandle LANES = function("LLVMGetVectorSize", 1);
    private static final MethodHandle MEMBERS = function("LLVMCountStructElementTypes", 1);
    private static final MethodHandle MEMBER = function("LLVMStructGetTypeAtIndex", 2);
    private static final MethodHandle STRUCT_NAME = function("LLVMGetStructName", 1);
    private static final MethodHandle OPAQUE = function("LLVMIsOpaqueStruct", 1);
    private static final MethodHandle LAYOUT = function("LLVMGetModuleDataLayout", 1);
    private static final MethodHandle SIZE = function("LLVMABISizeOfType", 2);
    private static final MethodHandle OFFSET = function("LLVMOffsetOfElement", 3);
    private static final MethodHandle TYPE = function("LLVMTypeOf", 1);
    private static final MethodHandle VALUE_KIND = function("LLVMGetValueKind", 1);
    private static final MethodHandle INTEGER = function("LLVMConstIntGetSExtValue", 1);
    private static final MethodHandle PRINTED = function("LLVMPrintValueToString", 1);
    private static final MethodHandle RAW = function("LLVMGetAsString", 2);
    private static final MethodHandle OPERANDS = function("LLVMGetNumOperands", 1);
    private static final MethodHandle OPERAND = function("LLVMGetOperand", 2);
    private static final MethodHandle CONSTANT_OPCODE = function("LLVMGetConstOpcode", 1);
    private static final MethodHandle GEP_ELEMENT = function("LLVMGetGEPSourceElementType", 1);
    private static final MethodHandle NODE_KIND = function("LLVMGetMetadataKind", 1);
    private static final MethodHandle AS_NODE = function("LLVMValueAsMetadata", 1);
    private static final MethodHandle AS_VALUE = function("LLVMMetadataAsValue", 2);
    private static final MethodHandle NODE_OPERANDS = function("LLVMGetMDNodeNumOperands", 1);
    private static final MethodHandle NODE_OPERAND = function("LLVMGetMDNodeOperands", 2);
    private static final MethodHandle METADATA = function("LLVMGetMetadata", 2);
    private static final MethodHandle TAG = function("LLVMGetDINodeTag", 1);
    private static final MethodHandle TYPE_BITS = function("LLVMDITypeGetSizeInBits", 1);
    private static final MethodHandle TYPE_OFFSET = function("LLVMDITypeGetOffsetInBits", 1);
    private static final MethodHandle TYPE_FLAGS = function("LLVMDITypeGetFlags", 1);
    private static final MethodHandle PLACE = function("LLVMInstructionGetDebugLoc", 1);
    private static final MethodHandle LINE = function("LLVMDILocationGetLine", 1);
    private static final MethodHandle COLUMN = function("LLVMDILocationGetColumn", 1);
    private static final MethodHandle SCOPE = function("LLVMDILocationGetScope", 1);
    private static final MethodHandle INLINED = function("LLVMDILocationGetInlinedAt", 1);
    private static final MethodHandle FILE = function("LLVMDIScopeGetFile", 1);
    private static final MethodHandle FILE_NAME = function("LLVMDIFileGetFilename", 2);
    private static final MethodHandle FILE_FOLDER = function("LLVMDIFileGetDirectory", 2);
    private static final MethodHandle SUBPROGRAM = function("LLVMGetSubprogram", 1);
    private static final MethodHandle SUBPROGRAM_LINE = function("LLVMDISubprogramGetLine", 1);
    private static final MethodHandle VARIABLE_LINE = function("LLVMDIVariableGetLine", 1);
    private static final MethodHandle VARIABLE_FILE = function("LLVMDIVariableGetFile", 1);
    private static final MethodHandle GLOBAL_NODES = function("LLVMGlobalCopyAllMetadata", 2);
    private static final MethodHandle GLOBAL_NODE = function("LLVMValueMetadataEntriesGetMetadata", 2);
    private static final MethodHandle DISPOSE_NODES = function("LLVMDisposeValueMetadataEntries", 1);
    private static final MethodHandle GLOBAL_VARIABLE = function("LLVMDIGlobalVariableExpressionGetVariable", 1);

    /// Kinds of metadata, by LLVM's numbers.
    private static final int LOCAL_VALUE = 2;

    private static final int CONSTANT_VALUE = 1;
    private static final int LOCATION = 5;
    private static final int VARIABLE_EXPRESSION = 7;
    private static final int SUBRANGE = 9;
    /// The flag of a static member.
    private static final int STATIC = 1 << 12;

    private static final int BASIC_TYPE = 11;
    private static final int DERIVED_TYPE = 12;
    private static final int COMPOSITE_TYPE = 13;
    private static final int SUBPROGRAM_NODE = 17;
    private static final int BLOCK = 18;
    private static final int BLOCK_IN_FILE = 19;

    private final DataOutputStream out;
    private final long context;
    private final long layout;
    private final long loopKind;
    private final Map<Long, Integer> types = new HashMap<>();
    private final Map<Long, Integer> places = new HashMap<>();
    private final Map<Long, Integer> debugTypes = new HashMap<>();
    private final Set<Long> open = new HashSet<>();
    private int describedTypes;

    IrTables(DataOutputStream out, long module, long context) {
        this.out = out;
        this.context = context;
        layout = call(LAYOUT, module);
        loopKind = LoopMarks.kind(context);
    }

    /// True if it was written before, and then its number; else [#NEW].
    private boolean known(Map<Long, Integer> numbers, long handle) throws IOException {
        Integer number = numbers.get(handle);
        out.writeInt(number == null ? NEW : number);
        return number != null;
    }

    void type(long t) throws IOException {
        if (known(types, t)) {
            return;
        }
        int kind = (int) call(KIND, t);
        out.writeByte(kind);
        switch (kind) {
            case 8 -> out.writeInt((int) call(WIDTH, t));
            case 10 -> struct(t);
            case 11, 13 -> {
                out.writeLong(kind == 11 ? call(LENGTH, t) : (int) call(LANES, t));
                type(call(ELEMENT, t));
            }
            default -> {}
        }
        types.put(t, types.size());
    }

    private void struct(long t) throws IOException {
        long text = call(STRUCT_NAME, t);
        out.writeUTF(text == 0 ? "" : LlvmLibrary.bytes(text, Long.MAX_VALUE).getString(0));
        int count = (int) call(OPAQUE, t) != 0 ? 0 : (int) call(MEMBERS, t);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeLong(call(OFFSET, layout, t, i));
            type(call(MEMBER, t, i));
        }
        out.writeLong((int) call(OPAQUE, t) != 0 ? 0 : call(SIZE, layout, t));
    }

    /// Anything that is neither an instruction nor an argument.
    void constant(long v) throws IOException {
        int kind = (int) call(VALUE_KIND, v);
        long t = call(TYPE, v);
        out.writeByte(kind);
        switch (kind) {
            case 5, 6, 8 -> out.writeUTF(name(v));
            case 10 -> {
                type(t);
                int opcode = (int) call(CONSTANT_OPCODE, v);
                out.writeByte(opcode);
                operands(v);
                out.writeBoolean(opcode == 29);
                if (opcode == 29) {
                    type(call(GEP_ELEMENT, v));
                }
            }
            case 11, 12, 13 -> {
                type(t);
                operands(v);
            }
            case 14, 15, 20, 25 -> type(t);
            case 16, 17 -> table(v, t, kind == 16 ? call(LENGTH, t) : (int) call(LANES, t));
            case 18 -> {
                type(t);
                boolean wide = (int) call(WIDTH, t) > Long.SIZE;
                out.writeBoolean(wide);
                if (wide) {
                    String text = LlvmLibrary.message(call(PRINTED, v));
                    out.writeUTF(text.substring(text.lastIndexOf(' ') + 1));
                } else {
                    out.writeLong(call(INTEGER, v));
                }
            }
            case 19 -> {
                type(t);
                out.writeDouble(LlvmLibrary.real(v));
            }
            default -> type(t);
        }
    }

    private void operands(long v) throws IOException {
        int count = (int) call(OPERANDS, v);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            constant(call(OPERAND, v, i));
        }
    }

    private void table(long v, long t, long length) throws IOException {
        type(t);
        MemorySegment raw = LlvmLibrary.bytes(call(RAW, v, LlvmLibrary.place()), LlvmLibrary.back());
        int bytes = (int) (raw.byteSize() / Math.max(1, length));
        out.writeByte(bytes);
        out.writeInt((int) length);
        out.write(raw.toArray(ValueLayout.JAVA_BYTE));
    }

    /// The place of an instruction.
    void location(long instruction) throws IOException {
        place(call(PLACE, instruction));
    }

    private void place(long location) throws IOException {
        if (location == 0) {
            out.writeInt(NONE);
        } else if (!known(places, location)) {
            long scope = call(SCOPE, location);
            file(call(FILE, scope));
            out.writeInt((int) call(LINE, location));
            out.writeInt((int) call(COLUMN, location));
            out.writeUTF(functionName(scope));
            place(call(INLINED, location));
            places.put(location, places.size());
        }
    }

    private void file(long f) throws IOException {
        String name = f == 0
                ? ""
                : LlvmLibrary.text(call(FILE_NAME, f, LlvmLibrary.place()), LlvmLibrary.back() & 0xFFFFFFFFL);
        String folder = f == 0
                ? ""
                : LlvmLibrary.text(call(FILE_FOLDER, f, LlvmLibrary.place()), LlvmLibrary.back() & 0xFFFFFFFFL);
        boolean whole = folder.isEmpty() || java.nio.file.Path.of(name).isAbsolute();
        out.writeUTF(whole ? name : folder + "/" + name);
    }

    /// The source's name of the function around a scope.
    private String functionName(long scope) {
        long s = scope;
        while (s != 0 && isBlock((int) call(NODE_KIND, s))) {
            s = call(AS_NODE, parts(s)[1]);
        }
        return s == 0 || (int) call(NODE_KIND, s) != SUBPROGRAM_NODE ? "" : string(parts(s)[2]);
    }

    private static boolean isBlock(int kind) {
        return kind == BLOCK || kind == BLOCK_IN_FILE;
    }

    private long[] parts(long node) {
        return parts(call(AS_VALUE, context, node), true);
    }

    private static long[] parts(long value, boolean node) {
        int count = node ? (int) call(NODE_OPERANDS, value) : 1;
        if (count == 0) {
            return new long[0];
        }
        try (var arena = Arena.ofConfined()) {
            MemorySegment handles = arena.allocate(ValueLayout.JAVA_LONG, count);
            call(NODE_OPERAND, value, handles.address());
            return handles.toArray(ValueLayout.JAVA_LONG);
        }
    }

    /// The value that an operand of a debug intrinsic names, 0 where it names none or several.
    long wrapped(long operand) {
        int kind = (int) call(NODE_KIND, call(AS_NODE, operand));
        return kind == LOCAL_VALUE || kind == CONSTANT_VALUE ? parts(operand, false)[0] : 0;
    }

    /// A label's name.
    void label(long operand) throws IOException {
        out.writeUTF(string(parts(call(AS_NODE, operand))[1]));
    }

    /// A local variable: name, type, place.
    void variable(long operand) throws IOException {
        long node = call(AS_NODE, operand);
        long[] parts = parts(node);
        out.writeUTF(string(parts[1]));
        debugType(parts[3] == 0 ? 0 : call(AS_NODE, parts[3]));
        file(call(VARIABLE_FILE, node));
        out.writeInt((int) call(VARIABLE_LINE, node));
        out.writeUTF(functionName(parts[0] == 0 ? 0 : call(AS_NODE, parts[0])));
        // Of the function itself, not of a block or of what was put in at a call: may be an argument.
        out.writeBoolean(parts[0] != 0 && (int) call(NODE_KIND, call(AS_NODE, parts[0])) == SUBPROGRAM_NODE);
    }

    /// Name, place and type of a global in the source, where told.
    void globalVariable(long g) throws IOException {
        long entries = call(GLOBAL_NODES, g, LlvmLibrary.place());
        long count = LlvmLibrary.back();
        long variable = 0;
        for (long i = 0; i < count; i++) {
            long node = call(GLOBAL_NODE, entries, i);
            if ((int) call(NODE_KIND, node) == VARIABLE_EXPRESSION) {
                variable = call(GLOBAL_VARIABLE, node);
            }
        }
        if (entries != 0) {
            call(DISPOSE_NODES, entries);
        }
        out.writeBoolean(variable != 0);
        if (variable != 0) {
            long[] parts = parts(variable);
            out.writeUTF(string(parts[1]));
            debugType(parts[3] == 0 ? 0 : call(AS_NODE, parts[3]));
            file(call(VARIABLE_FILE, variable));
            out.writeInt((int) call(VARIABLE_LINE, variable));
            out.writeUTF(functionName(parts[0] == 0 ? 0 : call(AS_NODE, parts[0])));
        }
    }

    /// Name and place of a function in the source, where told.
    void subprogram(long f) throws IOException {
        long node = call(SUBPROGRAM, f);
        out.writeBoolean(node != 0);
        if (node != 0) {
            out.writeUTF(string(parts(node)[2]));
            file(call(FILE, node));
            out.writeInt((int) call(SUBPROGRAM_LINE, node));
        }
    }

    private void debugType(long node) throws IOException {
        if (node == 0) {
            out.writeInt(NONE);
            return;
        }
        if (known(debugTypes, node)) {
            return;
        }
        int kind = (int) call(NODE_KIND, node);
        long[] parts = parts(node);
        String name = parts.length > 2 ? string(parts[2]) : "";
        boolean shown = kind == BASIC_TYPE || kind == DERIVED_TYPE || (kind == COMPOSITE_TYPE && open.add(node));
        out.writeInt(shown ? (int) call(TAG, node) & 0xFFFF : 0);
        out.writeUTF(name);
        if (!shown) {
            debugTypes.put(node, describedTypes++);
            return;
        }
        out.writeLong(call(TYPE_BITS, node));
        debugType(kind == BASIC_TYPE || parts[3] == 0 ? 0 : call(AS_NODE, parts[3]));
        long[] elements = kind == COMPOSITE_TYPE && parts[4] != 0 ? parts(call(AS_NODE, parts[4])) : new long[0];
        for (long e : elements) {
            long element = e == 0 ? 0 : call(AS_NODE, e);
            int elementKind = element == 0 ? -1 : (int) call(NODE_KIND, element);
            if (elementKind == SUBRANGE) {
                long size = parts(element)[0];
                boolean plain = size != 0 && (int) call(VALUE_KIND, size) == 18;
                out.writeByte(2);
                out.writeLong(plain ? call(INTEGER, size) : -1);
            } else if (elementKind == DERIVED_TYPE && ((int) call(TYPE_FLAGS, element) & STATIC) == 0) {
                out.writeByte(1);
                member(element);
            }
        }
        out.writeByte(0);
        open.remove(node);
        // Where it met itself inside, a number stands for its name only; from here on this one holds.
        debugTypes.put(node, describedTypes++);
    }

    /// A member or base of a struct: name, bits from the start, type.
    private void member(long node) throws IOException {
        long[] parts = parts(node);
        out.writeUTF(string(parts[2]));
        out.writeLong(call(TYPE_OFFSET, node));
        debugType(parts[3] == 0 ? 0 : call(AS_NODE, parts[3]));
    }

    /// The mark of a loop on a block's end: numbers by name, and the place of its keyword.
    void loop(long terminator) throws IOException {
        long node = terminator == 0 ? 0 : call(METADATA, terminator, loopKind);
        out.writeBoolean(node != 0);
        if (node == 0) {
            return;
        }
        boolean placed = false;
        for (long part : parts(node, true)) {
            long p = part == 0 ? 0 : call(AS_NODE, part);
            int kind = part == 0 ? -1 : (int) call(NODE_KIND, p);
            if (kind == LOCATION && !placed) {
                placed = true;
                out.writeByte(1);
                place(p);
            } else if (kind == 4 && part != node) {
                long[] property = parts(part, true);
                String key = property.length > 0 ? string(property[0]) : "";
                if (!key.isEmpty()) {
                    out.writeByte(2);
                    out.writeUTF(key);
                    boolean number =
                            property.length > 1 && property[1] != 0 && (int) call(VALUE_KIND, property[1]) == 18;
                    out.writeLong(number ? call(INTEGER, property[1]) : 1);
                }
            }
        }
        out.writeByte(0);
    }
}
