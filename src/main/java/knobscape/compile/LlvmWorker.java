package knobscape.compile;

import static knobscape.compile.LlvmLibrary.call;
import static knobscape.compile.LlvmLibrary.function;
import static knobscape.compile.LlvmLibrary.name;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import knobscape.compile.ir.IrLoopMark;

/// The process that LLVM runs in: reads requests from standard input and answers on standard output until the input
/// ends. An abort in LLVM ends this process only.
final class LlvmWorker {
    static final int LOAD = 'L';
    static final int TRANSFORM = 'T';
    static final int DROP = 'D';
    static final int DERIVE = 'V';
    static final int OK = 0;
    static final int REFUSED = 1;

    private static final MethodHandle OPTIONS = function("LLVMParseCommandLineOptions", 3);
    private static final MethodHandle CONTEXT = function("LLVMContextCreate", 0);
    private static final MethodHandle BUFFER = function("LLVMCreateMemoryBufferWithMemoryRangeCopy", 3);
    private static final MethodHandle PARSE = function("LLVMParseIRInContext", 4);
    private static final MethodHandle CLONE = function("LLVMCloneModule", 1);
    private static final MethodHandle DISPOSE = function("LLVMDisposeModule", 1);
    private static final MethodHandle PASS_OPTIONS = function("LLVMCreatePassBuilderOptions", 0);
    private static final MethodHandle RUN = function("LLVMRunPasses", 4);
    private static final MethodHandle ERROR = function("LLVMGetErrorMessage", 1);
    private static final MethodHandle SET_LINKAGE = function("LLVMSetLinkage", 2);
    private static final MethodHandle DECLARATION = function("LLVMIsDeclaration", 1);
    private static final MethodHandle ADD_ATTRIBUTE = function("LLVMAddAttributeAtIndex", 3);
    private static final MethodHandle REMOVE_ATTRIBUTE = function("LLVMRemoveEnumAttributeAtIndex", 3);
    private static final MethodHandle ATTRIBUTE = function("LLVMCreateEnumAttribute", 3);
    private static final MethodHandle FIND = function("LLVMGetNamedFunction", 2);
    private static final MethodHandle ERASE = function("LLVMInstructionEraseFromParent", 1);
    private static final MethodHandle CALL = function("LLVMIsACallInst", 1);
    private static final MethodHandle DEBUG_RECORDS = function("LLVMSetIsNewDbgInfoFormat", 2);
    private static final String VALUE = "llvm.dbg.value";
    private static final int INTERNAL = 8;
    private static final int EXTERNAL = 0;

    private final Map<Integer, Long> modules = new HashMap<>();
    private final Set<Integer> derived = new HashSet<>();
    private final long context = call(CONTEXT);
    private final long passOptions = call(PASS_OPTIONS);

    /// A request that LLVM refuses with a message.
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /// The arguments are options of LLVM.
    public static void main(String[] arguments) throws IOException {
        try (var arena = Arena.ofConfined()) {
            long[] options = new long[arguments.length + 1];
            options[0] = arena.allocateFrom("knobscape").address();
            for (int i = 0; i < arguments.length; i++) {
                options[i + 1] = arena.allocateFrom(arguments[i]).address();
            }
            call(OPTIONS, options.length, LlvmLibrary.handles(arena, options).address(), 0);
        }
        var worker = new LlvmWorker();
        try (var in = new DataInputStream(new FileInputStream(FileDescriptor.in));
                var out = new DataOutputStream(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16))) {
            while (worker.serve(in, out)) {
                out.flush();
            }
        }
    }

    private boolean serve(DataInputStream in, DataOutputStream out) throws IOException {
        int request = in.read();
        if (request < 0) {
            return false;
        }
        int id = in.readInt();
        byte[] content = in.readNBytes(in.readInt());
        try (var arena = Arena.ofConfined()) {
            byte[] answer = switch (request) {
                case LOAD -> load(id, content, arena);
                case TRANSFORM -> transform(id, content, arena);
                case DERIVE -> derive(id, content, arena);
                case DROP -> drop(id);
                default -> throw new EOFException("unknown request " + request);
            };
            out.writeByte(OK);
            out.writeInt(answer.length);
            out.write(answer);
        } catch (Refused e) {
            byte[] text = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
            out.writeByte(REFUSED);
            out.writeInt(text.length);
            out.write(text);
        }
        return true;
    }

    private byte[] load(int id, byte[] bitcode, Arena arena) throws Refused {
        drop(id);
        var bytes = arena.allocate(bitcode.length + 1L);
        bytes.asByteBuffer().put(bitcode);
        long buffer = call(
                BUFFER,
                bytes.address(),
                bitcode.length,
                arena.allocateFrom("source").address());
        var results = arena.allocate(java.lang.foreign.ValueLayout.JAVA_LONG, 2);
        long failed = (int) call(PARSE, context, buffer, results.address(), results.address() + Long.BYTES);
        if (failed != 0) {
            throw new Refused(LlvmLibrary.message(results.getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, 1)));
        }
        long module = results.getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, 0);
        run(module, "function(loop-simplify)", arena);
        new LoopMarks(context, arena).number(module);
        modules.put(id, module);
        return new byte[0];
    }

    private byte[] drop(int id) {
        derived.remove(id);
        Long module = modules.remove(id);
        if (module != null) {
            call(DISPOSE, module);
        }
        return new byte[0];
    }

    /// The number of the module that it is made of stands in front of the transformation.
    private byte[] derive(int id, byte[] request, Arena arena) throws Refused {
        drop(id);
        try {
            var in = new DataInputStream(new ByteArrayInputStream(request));
            long module = transformed(in.readInt(), in, arena);
            new LoopMarks(context, arena).number(module, IrLoopMark.COPY);
            modules.put(id, module);
            derived.add(id);
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A copy of a module, changed.
    private long transformed(int base, DataInputStream request, Arena arena) throws Refused, IOException {
        Long known = modules.get(base);
        if (known == null) {
            throw new Refused("no module " + base);
        }
        long module = call(CLONE, known);
        try {
            var t = Transformation.read(request);
            t.top().ifPresent(top -> hide(module, top));
            t.attributes().forEach((f, attributes) -> changeAttributes(module, f, attributes, arena));
            if (t.withoutMarkers()) {
                erase(module, Transformation::isMarker);
            }
            if (t.withoutValues()) {
                call(DEBUG_RECORDS, module, 0);
                erase(module, VALUE::equals);
                call(DEBUG_RECORDS, module, 1);
            }
            new LoopMarks(context, arena)
                    .set(module, derived.contains(base) ? IrLoopMark.COPY : IrLoopMark.ID, t.loops());
            for (String pipeline : t.pipelines()) {
                run(module, pipeline, arena);
            }
            return module;
        } catch (Refused | IOException e) {
            call(DISPOSE, module);
            throw e;
        }
    }

    private byte[] transform(int id, byte[] request, Arena arena) throws Refused {
        long module = 0;
        try {
            module = transformed(id, new DataInputStream(new ByteArrayInputStream(request)), arena);
            var bytes = new ByteArrayOutputStream(1 << 16);
            var out = new DataOutputStream(bytes);
            new IrWriter(out, module, context).module(module);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (module != 0) {
                call(DISPOSE, module);
            }
        }
    }

    private void run(long module, String pipeline, Arena arena) throws Refused {
        long error = call(RUN, module, arena.allocateFrom(pipeline).address(), 0, passOptions);
        if (error != 0) {
            throw new Refused(LlvmLibrary.message(call(ERROR, error)));
        }
    }

    private static void hide(long module, String top) {
        for (long f : IrWriter.all(call(IrWriter.FIRST_FUNCTION, module), IrWriter.NEXT_FUNCTION)) {
            if ((int) call(DECLARATION, f) == 0) {
                call(SET_LINKAGE, f, name(f).equals(top) ? EXTERNAL : INTERNAL);
            }
        }
        for (long g : IrWriter.all(call(IrWriter.FIRST_GLOBAL, module), IrWriter.NEXT_GLOBAL)) {
            if ((int) call(DECLARATION, g) == 0 && !name(g).startsWith("llvm.")) {
                call(SET_LINKAGE, g, INTERNAL);
            }
        }
    }

    private void changeAttributes(long module, String of, Map<String, Boolean> attributes, Arena arena) {
        long f = call(FIND, module, arena.allocateFrom(of).address());
        if (f == 0) {
            return;
        }
        attributes.forEach((attribute, on) -> {
            int at = attribute.indexOf('@');
            long kind = IrWriter.attributeKind(arena, at < 0 ? attribute : attribute.substring(0, at));
            long index = at < 0 ? IrWriter.WHOLE_FUNCTION : Integer.parseInt(attribute, at + 1, attribute.length(), 10);
            if (on) {
                call(ADD_ATTRIBUTE, f, index, call(ATTRIBUTE, context, kind, 0));
            } else {
                call(REMOVE_ATTRIBUTE, f, index, kind);
            }
        });
    }

    private static void erase(long module, Predicate<String> callee) {
        for (long f : IrWriter.all(call(IrWriter.FIRST_FUNCTION, module), IrWriter.NEXT_FUNCTION)) {
            for (long b : IrWriter.all(call(IrWriter.FIRST_BLOCK, f), IrWriter.NEXT_BLOCK)) {
                for (long i : IrWriter.all(call(IrWriter.FIRST_INSTRUCTION, b), IrWriter.NEXT_INSTRUCTION)) {
                    if (call(CALL, i) != 0 && callee.test(name(call(IrWriter.CALLED, i)))) {
                        call(ERASE, i);
                    }
                }
            }
        }
    }
}
