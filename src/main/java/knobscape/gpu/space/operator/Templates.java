package knobscape.gpu.space.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;

/// The templates there are for a piece of work. Their spaces are those of AutoTVM's CUDA templates for 32-bit
/// floats, knob by knob and index by index.
public final class Templates {
    /// From this many rows on a dense layer has the template of large batches.
    public static final long LARGE_BATCH = 32;

    private Templates() {}

    /// Every template that can compute `workload`, the one tuned by default first; none where [#obstacle] says
    /// why.
    public static List<Template> of(Workload workload) {
        var all = new ArrayList<Template>();
        if (obstacle(workload).isPresent()) {
            return all;
        }
        if (workload.type() == ElementType.FLOAT16) {
            return List.of(new TensorCoreProduct(workload));
        }
        switch (workload) {
            case Workload.Conv2d c when c.isDepthwise() -> all.add(new DepthwiseConvolution(c));
            case Workload.Conv2d c -> {
                all.add(new DirectConvolution(c));
                if (c.isWinogradEligible() && !c.type().isIntegral()) {
                    all.add(new WinogradConvolution(c));
                }
            }
            case Workload.Dense d -> {
                if (d.m() >= LARGE_BATCH) {
                    all.add(new LargeBatchDense(d));
                }
                all.add(new SmallBatchDense(d));
            }
            case Workload.BatchMatmul b -> all.add(new BatchMatmul(b));
            case Workload.Graph _ -> {}
        }
        return List.copyOf(all);
    }

    /// The work on 16-bit floats, where it is on 32-bit ones and tensor cores can do it.
    public static Optional<Workload> onTensorCores(Workload workload) {
        if (workload.type() != ElementType.FLOAT32) {
            return Optional.empty();
        }
        ElementType half = ElementType.FLOAT16;
        Optional<Workload> on = switch (workload) {
            case Workload.Conv2d c ->
                Optional.of(new Workload.Conv2d(
                        half,
                        c.batch(),
                        c.channels(),
                        c.height(),
                        c.width(),
                        c.filters(),
                        c.taps(),
                        c.padding(),
                        c.groups()));
            case Workload.Dense d -> Optional.of(new Workload.Dense(half, d.m(), d.n(), d.k()));
            case Workload.BatchMatmul b -> Optional.of(new Workload.BatchMatmul(half, b.batch(), b.m(), b.n(), b.k()));
            case Workload.Graph _ -> Optional.empty();
        };
        return on.filter(w -> obstacle(w).isEmpty());
    }

    /// The template called `name`; throws `IllegalArgumentException` where it does not apply.
    public static Template of(Workload workload, String name) {
        return of(workload).stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("template '" + name + "' cannot compute " + workload.id()));
    }

    /// Why no template can compute `workload`, as a clause; empty where one can.
    public static Optional<String> obstacle(Workload workload) {
        if (workload.type() == ElementType.INT8 || workload.type() == ElementType.UINT8) {
            boolean whole = switch (workload) {
                case Workload.Conv2d c -> c.groups() == 1 && c.channels() % Shapes.BYTES == 0;
                case Workload.Dense d -> d.k() % Shapes.BYTES == 0;
                case Workload.BatchMatmul _, Workload.Graph _ -> false;
            };
            if (!whole) {
                return Optional.of(
                        "kernels of 8-bit integers compute convolutions in one group and layers of weights, both with"
                                + " a multiple of four inputs");
            }
        } else if (workload.type() == ElementType.FLOAT16) {
            if (workload instanceof Workload.Conv2d c && c.groups() > 1) {
                return Optional.of("tensor cores multiply matrices, and a convolution in groups makes no large ones");
            }
        } else if (workload.type() != ElementType.FLOAT32) {
            return Optional.of("templates compute floats of 32 and 16 bits and 8-bit integers, not "
                    + workload.type().label());
        }
        if (workload instanceof Workload.Conv2d c && c.groups() > 1 && !c.isDepthwise()) {
            return Optional.of("there is no template for convolutions in groups other than depthwise ones");
        }
        if (workload instanceof Workload.Graph g) {
            return Optional.of("there is no template for " + g.network().name());
        }
        try {
            if (Shapes.largestTensor(workload) > Integer.MAX_VALUE) {
                return Optional.of("a tensor has more elements than a 32-bit index reaches");
            }
        } catch (ArithmeticException _) {
            return Optional.of("a tensor has more elements than a 32-bit index reaches");
        }
        return Optional.empty();
    }
}
