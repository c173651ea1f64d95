package knobscape.compile;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;

/// LLVM's C interface, for the worker process only. Handles are addresses, 0 for none. Every argument and result is
/// passed as 64 bits, which the calling conventions of all 64-bit systems allow for narrower integers too.
@SuppressWarnings("restricted")
final class LlvmLibrary {
    /// The system property with the library's path.
    static final String PATH = "knobscape.llvm";

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup SYMBOLS =
            SymbolLookup.libraryLookup(Path.of(System.getProperty(PATH, "")), Arena.global());
    private static final MethodHandle REAL = LINKER.downcallHandle(
            SYMBOLS.findOrThrow("LLVMConstRealGetDouble"), FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle DISPOSE_MESSAGE = function("LLVMDisposeMessage", 1);
    private static final MethodHandle NAME = function("LLVMGetValueName2", 2);
    private static final MethodHandle STRING = function("LLVMGetMDString", 2);
    /// Room for a length or handle that a function gives back through an argument.
    private static final MemorySegment BACK = Arena.global().allocate(JAVA_LONG, 2);

    private LlvmLibrary() {}

    /// The function of that name and number of arguments.
    static MethodHandle function(String name, int arguments) {
        var layouts = Collections.nCopies(arguments, JAVA_LONG).toArray(MemoryLayout[]::new);
        return LINKER.downcallHandle(SYMBOLS.findOrThrow(name), FunctionDescriptor.of(JAVA_LONG, layouts));
    }

    static long call(MethodHandle f) {
        try {
            return (long) f.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static long call(MethodHandle f, long a) {
        try {
            return (long) f.invokeExact(a);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static long call(MethodHandle f, long a, long b) {
        try {
            return (long) f.invokeExact(a, b);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static long call(MethodHandle f, long a, long b, long c) {
        try {
            return (long) f.invokeExact(a, b, c);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static long call(MethodHandle f, long a, long b, long c, long d) {
        try {
            return (long) f.invokeExact(a, b, c, d);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static double real(long constant) {
        try {
            return (double) REAL.invokeExact(constant, BACK.address());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Where a function puts what it gives back through an argument; [#back()] reads it.
    static long place() {
        BACK.set(JAVA_LONG, 0, 0);
        return BACK.address();
    }

    static long back() {
        return BACK.get(JAVA_LONG, 0);
    }

    /// A name of a value, empty where it has none.
    static String name(long value) {
        long text = call(NAME, value, place());
        return text(text, back());
    }

    /// The text of a metadata string wrapped as a value, empty for anything else.
    static String string(long value) {
        long text = value == 0 ? 0 : call(STRING, value, place());
        return text == 0 ? "" : text(text, back() & 0xFFFFFFFFL);
    }

    static String text(long address, long length) {
        return address == 0 || length == 0
                ? ""
                : new String(bytes(address, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    static MemorySegment bytes(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    /// The text of a message, which is given back to LLVM.
    static String message(long address) {
        if (address == 0) {
            return "";
        }
        String text = bytes(address, Long.MAX_VALUE).getString(0);
        call(DISPOSE_MESSAGE, address);
        return text;
    }

    /// Handles in a row.
    static MemorySegment handles(Arena arena, long... handles) {
        return arena.allocateFrom(JAVA_LONG, Arrays.copyOf(handles, Math.max(1, handles.length)));
    }
}
