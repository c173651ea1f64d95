package knobscape.gpu.source;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.space.operator.Shapes;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.ElementType;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.TuningTask;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// A kernel to be tuned: a task of a network by one of its templates or by sketches, or a measured set, which
/// is a task of its own.
///
/// @param names what it is called
/// @param count places in the network
/// @param flops of one run, 0 where they are not counted
/// @param space its configurations
/// @param source how it is computed; empty for a measured set
/// @param tails what the network fuses behind it, the most frequent first, with which it is searched; none for
/// a measured set
/// @param places where it is in the network
/// @param measured the measured set; empty for a template
public record NetworkKernel(
        Names names,
        int count,
        long flops,
        DesignSpace space,
        Optional<ScheduleSource> source,
        List<FusedTail> tails,
        List<Subgraph> places,
        Optional<MeasuredSet> measured) {
    /// The names of a kernel.
    ///
    /// @param task name in its network: T1, T2, ...
    /// @param id stable name of the work and how it is computed, or of the measured set
    /// @param tag kind of the kernel
    /// @param words the work for a person
    public record Names(String task, String id, String tag, String words) {}

    /// Copies the lists.
    public NetworkKernel {
        tails = List.copyOf(tails);
        places = List.copyOf(places);
    }

    static NetworkKernel of(TuningTask task, ScheduleSource source, boolean named, List<FusedTail> tails) {
        Workload w = task.workload();
        return new NetworkKernel(
                new Names(
                        task.name(),
                        source.id(),
                        source instanceof SketchSource s ? s.name() + " " + s.kind() : source.name(),
                        (named ? source.name() + " " : "") + words(w)),
                task.count(),
                w.flops(),
                source.space(),
                Optional.of(source),
                tails,
                task.subgraphs(),
                Optional.empty());
    }

    static NetworkKernel of(MeasuredSet set) {
        return new NetworkKernel(
                new Names("T1", set.name(), set.kind().name(), set.kind().description()),
                1,
                set.flops().orElse(0),
                set.space(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.of(set));
    }

    /// `3×3, 64 → 128, 56×56 / 2`, with the type of the data where they are no 32-bit floats.
    public static String words(Workload w) {
        return extents(w)
                + (w.type() == ElementType.FLOAT32 ? "" : ", " + w.type().label());
    }

    private static String extents(Workload w) {
        return switch (w) {
            case Workload.Conv2d c ->
                c.kernelHeight() + "\u00d7" + c.kernelWidth()
                        + (c.isDepthwise()
                                ? " depthwise " + c.channels()
                                : ", " + c.channels() + " \u2192 " + c.filters())
                        + ", " + c.height() + "\u00d7" + c.width()
                        + (c.strideHeight() > 1 ? " / " + c.strideHeight() : "");
            case Workload.Dense d -> "dense " + d.m() + ", " + d.k() + " \u2192 " + d.n();
            case Workload.BatchMatmul b -> "product " + b.batch() + ", " + b.m() + "\u00d7" + b.k() + "\u00d7" + b.n();
            case Workload.Graph g ->
                g.network().nodes().stream().map(n -> n.operator().label()).collect(Collectors.joining(", ")) + " of "
                        + g.network().inputs().stream()
                                .flatMap(i -> g.network().tensor(i).shape().stream())
                                .map(s -> s.toString().replace('x', '\u00d7'))
                                .findFirst()
                                .orElse("constants");
        };
    }

    /// Name in its network.
    public String task() {
        return names.task;
    }

    /// Stable name.
    public String id() {
        return names.id;
    }

    /// Kind of the kernel.
    public String tag() {
        return names.tag;
    }

    /// The work for a person.
    public String words() {
        return names.words;
    }

    /// How many configurations it has.
    public BigInteger size() {
        return space.size();
    }

    /// Stable name of the work, whatever its template.
    public String work() {
        return source.map(t -> t.workload().id()).orElse(id());
    }

    /// The loop nests of a configuration with the tail it is searched with; empty for a measured set.
    public Optional<Schedule> schedule(Configuration configuration) {
        return source.map(t -> t.schedule(configuration, tails.getFirst().epilogue()));
    }

    /// Operations of all its places in the network.
    public double totalFlops() {
        return (double) flops * count;
    }

    /// True if it multiplies 8-bit integers.
    public boolean isOfIntegers() {
        return source.filter(s -> s.workload().type().isIntegral()).isPresent();
    }

    /// True if it multiplies 16-bit floats on tensor cores.
    public boolean isOnTensorCores() {
        return source.filter(s -> s.workload().type() == ElementType.FLOAT16).isPresent();
    }

    /// Unit of its speed.
    public String unit() {
        return flops == 0 ? "calls/s" : isOfIntegers() ? "GOPS" : "GFLOPS";
    }

    /// Operations per byte that has to be moved at least: inputs, weights and result once. Empty for a measured
    /// set.
    public OptionalDouble intensity() {
        return source.map(t -> OptionalDouble.of((double) flops / Shapes.bytes(t.workload())))
                .orElse(OptionalDouble.empty());
    }
}
