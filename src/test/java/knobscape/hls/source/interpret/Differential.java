package knobscape.hls.source.interpret;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.cdt.CdtExactReader;
import knobscape.hls.source.cdt.CdtKernelReader;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;

/// A kernel with random arguments, for the interpreter and for a compiler.
record Differential(Path source, ExactProgram program, List<byte[]> arguments, Options options) {

    /// Reads a kernel and draws its arguments.
    ///
    /// @param elements behind parameters that are bare pointers; for arrays the source says it
    static Differential of(
            Path source,
            String top,
            Options options,
            Map<String, Integer> elements,
            Map<String, Inputs.Values> values,
            long seed) {
        Kernel kernel = new CdtKernelReader().read(source, options);
        ExactProgram program = CdtExactReader.read(source, top, options);
        var all = new HashMap<String, Integer>();
        for (ArrayVariable a : kernel.function(top).orElseThrow().arrays()) {
            if (a.scope() == ArrayVariable.Scope.PARAMETER
                    && !a.dims().isEmpty()
                    && a.dims().getFirst() > 0) {
                all.put(a.name(), Math.toIntExact(a.dims().getFirst()));
            }
        }
        all.putAll(elements);
        return new Differential(source, program, Inputs.random(program, all, values, seed), options);
    }

    /// What the interpreter returns: the outcome, and in `after` the bytes of result and arguments.
    Outcome interpreted(ByteArrayOutputStream after, Limits limits) {
        List<byte[]> own = arguments.stream().map(byte[]::clone).toList();
        Outcome o = Interpreter.run(program, own, limits);
        after.writeBytes(o.result());
        own.forEach(after::writeBytes);
        return o;
    }

    /// What the compiled program returns, in the same form.
    byte[] compiled(Path folder, List<String> more) {
        var flags = new ArrayList<String>();
        options.includeDirs().forEach(d -> flags.add("-I" + d.toAbsolutePath()));
        flags.add("-I" + source.toAbsolutePath().getParent());
        options.defines().forEach((k, v) -> flags.add("-D" + k + "=" + v));
        flags.addAll(more);
        return CompilerTwin.run(folder, source, program.topFunction().name(), program, arguments, flags);
    }

    /// Place of the first difference in words, empty where the bytes agree; every not-a-number is like every other.
    Optional<String> difference(byte[] ours, byte[] theirs) {
        return difference(ours, theirs, 0);
    }

    /// The same where floating-point numbers may differ by `tolerance`, relative to numbers above 1.
    Optional<String> difference(byte[] ours, byte[] theirs, double tolerance) {
        if (ours.length != theirs.length) {
            return Optional.of(ours.length + " bytes instead of " + theirs.length);
        }
        ExactFunction f = program.topFunction();
        var pieces = new ArrayList<Map.Entry<String, ExactType>>();
        if (!(f.result() instanceof ExactType.Nothing)) {
            pieces.add(Map.entry("result", f.result()));
        }
        int at = 0;
        for (int i = 0; i < f.parameters() + pieces.size(); i++) {
            boolean result = i < pieces.size();
            ExactVariable p = result ? null : f.variables().get(i - pieces.size());
            String name = result ? "result" : p.name();
            ExactType t = result ? f.result() : p.type() instanceof ExactType.Pointer q ? q.target() : p.type();
            int length = result ? t.size() : arguments.get(i - pieces.size()).length;
            ExactType e = t;
            while (e instanceof ExactType.Array a) {
                e = a.element();
            }
            for (int k = 0; k < length; k += e.size()) {
                if (!same(ours, theirs, at + k, e) && !close(ours, theirs, at + k, e, tolerance)) {
                    return Optional.of(name + ": element " + k / e.size() + " is " + hex(ours, at + k, e.size())
                            + ", compiled " + hex(theirs, at + k, e.size()));
                }
            }
            at += length;
        }
        return Optional.empty();
    }

    private static String hex(byte[] b, int at, int n) {
        return HexFormat.of().formatHex(b, at, at + n);
    }

    private static boolean close(byte[] a, byte[] b, int at, ExactType t, double tolerance) {
        if (!(t instanceof ExactType.Real r) || tolerance == 0) {
            return false;
        }
        double x = real(a, at, r);
        double y = real(b, at, r);
        return Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y));
    }

    private static double real(byte[] bytes, int at, ExactType.Real r) {
        var in = java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        return r.bits() == 32 ? in.getFloat(at) : in.getDouble(at);
    }

    private static boolean same(byte[] a, byte[] b, int at, ExactType t) {
        boolean equal = java.util.Arrays.equals(a, at, at + t.size(), b, at, at + t.size());
        return equal || (isNotANumber(a, at, t) && isNotANumber(b, at, t));
    }

    private static boolean isNotANumber(byte[] bytes, int at, ExactType t) {
        return t instanceof ExactType.Real r && Double.isNaN(real(bytes, at, r));
    }

    static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
