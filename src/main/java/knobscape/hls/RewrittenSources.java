package knobscape.hls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.compile.run.IrMachine;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.export.SourceRewrites;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.clang.KernelInputs;
import knobscape.hls.source.clang.KernelRun;
import knobscape.hls.source.clang.LoopTrips;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.TransformedSpace;

/// A kernel's space with those of its rewritten sources, each compiled and run beside the source on random inputs
/// before it is offered. Whole numbers have to come out the same; floating-point numbers, whose sums are taken in
/// another order, within a small share of the largest of their array.
final class RewrittenSources {
    /// Most rewrites of one kernel.
    private static final int MOST = 24;
    private static final int DRAWS = 3;
    private static final long STEPS = 80_000_000;
    private static final CancellationSignal NEVER = new CancellationSignal();

    private RewrittenSources() {}

    /// @param own space of the source as it stands
    /// @param spaces makes that of a rewritten one
    static DirectiveSpace of(
            DirectiveSpace own,
            Path file,
            KernelReader.Options reading,
            HlsTools tools,
            Function<Kernel, DirectiveSpace> spaces) {
        Kernel kernel = own.kernel();
        List<SourceRewrites.Rewrite> all = SourceRewrites.of(kernel);
        var offered = new LinkedHashMap<String, DirectiveSpace>();
        var left = new ArrayList<String>();
        Optional<KernelRun> run = all.isEmpty() ? Optional.empty() : run(kernel);
        List<List<byte[]>> inputs =
                run.map(r -> MeasuredTrips.inputs(r, kernel, DRAWS)).orElse(List.of());
        if (!all.isEmpty() && inputs.isEmpty()) {
            return new TransformedSpace(
                    own, offered, "; nothing else, as no run of it on random inputs comes to an end");
        }
        List<KernelRun.Outcome> wanted = inputs.stream()
                .map(in -> run.orElseThrow().run(in, IrMachine.Limits.of(STEPS), new LoopTrips()))
                .toList();
        for (SourceRewrites.Rewrite r : all.subList(0, Math.min(MOST, all.size()))) {
            try {
                Kernel rewritten = tools.reader()
                        .read(
                                file,
                                new KernelReader.Options(
                                        Optional.of(kernel.top()),
                                        reading.includeDirs(),
                                        reading.defines(),
                                        reading.sources(),
                                        List.of(),
                                        Optional.of(r.text())));
                Optional<String> wrong = run(rewritten)
                        .map(other -> difference(other, inputs, wanted))
                        .orElse(Optional.of("it cannot be run"));
                if (wrong.isPresent()) {
                    left.add("'" + r.name() + "', as " + wrong.get());
                } else {
                    offered.put(r.name(), spaces.apply(rewritten));
                }
            } catch (UserError e) {
                left.add("'" + r.name() + "', as "
                        + UserError.reason(e).lines().findFirst().orElse(""));
            }
        }
        if (all.size() > MOST) {
            left.add((all.size() - MOST) + " more");
        }
        return new TransformedSpace(own, offered, left.isEmpty() ? "" : "; not " + String.join(", not ", left));
    }

    private static Optional<KernelRun> run(Kernel kernel) {
        return kernel.compiled().flatMap(c -> KernelRun.of(c, kernel.top(), NEVER));
    }

    /// Where a kernel computes something else, in words.
    private static Optional<String> difference(
            KernelRun run, List<List<byte[]>> inputs, List<KernelRun.Outcome> wanted) {
        for (int i = 0; i < inputs.size(); i++) {
            KernelRun.Outcome got = run.run(inputs.get(i), IrMachine.Limits.of(STEPS), new LoopTrips());
            if (got.ended().isPresent()) {
                return Optional.of("its run ends early");
            }
            KernelRun.Outcome want = wanted.get(i);
            if (!Arrays.equals(got.result(), want.result())) {
                return Optional.of("it returns something else");
            }
            for (int p = 0; p < run.parameters().size(); p++) {
                KernelInputs.Parameter parameter = run.parameters().get(p);
                if (!isSame(got.after().get(p), want.after().get(p), parameter.element())) {
                    return Optional.of("'" + parameter.name() + "' comes out otherwise");
                }
            }
        }
        return Optional.empty();
    }

    /// True if two arrays hold the same, sums of floating-point numbers up to their order.
    static boolean isSame(byte[] a, byte[] b, ScalarType type) {
        if (Arrays.equals(a, b)) {
            return true;
        }
        double share = switch (type.kind()) {
            case FLOAT -> 1e-4;
            case DOUBLE -> 1e-10;
            default -> 0;
        };
        if (share == 0 || a.length != b.length) {
            return false;
        }
        double[] x = numbers(a, type);
        double[] y = numbers(b, type);
        double largest =
                Arrays.stream(x).map(Math::abs).filter(Double::isFinite).max().orElse(0);
        for (int i = 0; i < x.length; i++) {
            boolean alike = Double.compare(x[i], y[i]) == 0 || Math.abs(x[i] - y[i]) <= share * largest;
            if (!alike) {
                return false;
            }
        }
        return true;
    }

    private static double[] numbers(byte[] bytes, ScalarType type) {
        ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int size = type.kind() == ScalarType.Kind.FLOAT ? Float.BYTES : Double.BYTES;
        double[] all = new double[bytes.length / size];
        for (int i = 0; i < all.length; i++) {
            all[i] = size == Float.BYTES ? b.getFloat(i * size) : b.getDouble(i * size);
        }
        return all;
    }
}
