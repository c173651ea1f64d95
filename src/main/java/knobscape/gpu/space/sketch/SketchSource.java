package knobscape.gpu.space.sketch;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// The sketches of a piece of work with all their annotations.
public final class SketchSource implements ScheduleSource {
    /// The name of every such source.
    public static final String NAME = "sketch";
    /// Most virtual threads: a quarter of a warp.
    private static final long MAX_VIRTUAL = SketchRules.WARP / 4;
    /// A thread has 255 registers, and more sums than that never leave memory.
    private static final long MAX_SUMS = 255;

    private final Workload workload;
    private final List<Sketch> sketches;
    private final Computation bare;
    private final ScheduleSpace space;
    /// By tail, so that a search makes them once.
    private final Map<Epilogue, Computation> tailed = new ConcurrentHashMap<>();

    private final Map<Epilogue, List<Sketch>> tailedSketches = new ConcurrentHashMap<>();

    private SketchSource(Workload workload) {
        this.workload = workload;
        bare = WorkComputation.of(workload, Epilogue.NONE);
        sketches = SketchRules.of(bare);
        space = SketchKnobs.space(bare, sketches);
    }

    /// The sketches of a piece of work; empty where [#whyNone] says why.
    public static Optional<SketchSource> of(Workload workload) {
        return whyNone(workload).isPresent() ? Optional.empty() : Optional.of(new SketchSource(workload));
    }

    /// Why there are no sketches of a piece of work, as a clause; empty where there are.
    public static Optional<String> whyNone(Workload workload) {
        if (workload.type() != ElementType.FLOAT32) {
            return Optional.of(
                    "sketches compute 32-bit floats, not " + workload.type().label());
        }
        try {
            if (workload instanceof Workload.Graph(Network network)
                    && network.tensors().values().stream()
                            .anyMatch(t -> t.shape().isEmpty() || t.elements() == 0)) {
                return Optional.of("a shape is not known or empty");
            }
            Computation c = WorkComputation.of(workload, Epilogue.NONE);
            boolean large = c.inputs().stream().anyMatch(t -> t.elements() > Integer.MAX_VALUE)
                    || c.stages().stream().anyMatch(s -> s.result().elements() > Integer.MAX_VALUE);
            return large ? Optional.of("a tensor has more elements than a 32-bit index reaches") : Optional.empty();
        } catch (ComputationBuilder.UnsupportedOperatorException e) {
            return Optional.of(requireNonNull(e.getMessage()));
        } catch (ArithmeticException _) {
            return Optional.of("a tensor has more elements than a 32-bit index reaches");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public ScheduleSpace space() {
        return space;
    }

    /// The sketches, in the order of the rules: the alternatives of [#space()].
    public List<Sketch> sketches() {
        return sketches;
    }

    /// The same with a tail, in the same order: where there is one, the last root applies it, and the stages before it
    /// are as they are without.
    public List<Sketch> sketches(Epilogue epilogue) {
        return epilogue.equals(Epilogue.NONE)
                ? sketches
                : tailedSketches.computeIfAbsent(epilogue, e -> SketchRules.of(computation(e)));
    }

    /// The sketch that a configuration is an annotation of.
    public Sketch sketch(Configuration configuration) {
        return sketches.get(space.alternative(configuration));
    }

    /// Kind of the work, for searches that compare kernels: the operator that gathers, or what a graph is called.
    public String kind() {
        return workload instanceof Workload.Graph g
                ? g.network().name()
                : bare.stages().stream()
                        .filter(Stage::isReduction)
                        .findFirst()
                        .orElseThrow()
                        .operator();
    }

    /// The computation, with a tail.
    public Computation computation(Epilogue epilogue) {
        return epilogue.equals(Epilogue.NONE)
                ? bare
                : tailed.computeIfAbsent(epilogue, e -> WorkComputation.of(workload, e));
    }

    @Override
    public Schedule schedule(Configuration configuration, Epilogue epilogue) {
        Computation c = computation(epilogue);
        Sketch s = sketches(epilogue).get(space.alternative(configuration));
        Map<TensorRef, Buffer> buffers = new LinkedHashMap<>();
        var arguments = new ArrayList<Schedule.Argument>();
        c.inputs().forEach(t -> add(t, buffers, arguments));
        s.roots().forEach(r -> add(c.stages().get(r.writes()).result(), buffers, arguments));
        return new Schedule(
                this,
                configuration,
                epilogue,
                arguments,
                List.of(),
                new SketchLowering(c, s, space, configuration, buffers).kernels());
    }

    private static void add(TensorRef t, Map<TensorRef, Buffer> buffers, List<Schedule.Argument> arguments) {
        var b = new Buffer(t.name(), Buffer.Scope.GLOBAL, t.elements());
        buffers.put(t, b);
        arguments.add(new Schedule.Argument(b, t.role()));
    }

    /// Ansor's own limits, which no device states: at most 8 virtual threads, at least a warp of threads where
    /// the result has more than two warps of elements, and as many sums as a thread has registers.
    @Override
    public Optional<String> obstacle(Configuration configuration) {
        Sketch sketch = sketch(configuration);
        for (Sketch.Root r : sketch.roots()) {
            if (r.rule() == Sketch.Rule.TILED) {
                Optional<String> why =
                        obstacle(configuration, bare.stages().get(r.stage()), SketchKnobs.prefix(bare, sketch, r));
                if (why.isPresent()) {
                    return why;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> obstacle(Configuration configuration, Stage s, String prefix) {
        long virtual = 1;
        long threads = 1;
        long sums = 1;
        for (Axis a : s.space()) {
            if (a.extent() > 1) {
                long[] f = space.factors(configuration, prefix + "tile_" + a.name());
                virtual *= f[1];
                threads *= f[2];
                sums *= f[1] * f[3] * f[4];
            }
        }
        if (virtual > MAX_VIRTUAL) {
            return Optional.of("It has " + virtual + " virtual threads, at most " + MAX_VIRTUAL + " are allowed.");
        }
        if (threads > SketchRules.MAX_THREADS) {
            return Optional.of("It asks for " + threads + " threads per block, no device allows more than "
                    + SketchRules.MAX_THREADS + ".");
        }
        if (threads < SketchRules.WARP && s.spaceExtent() > 2 * SketchRules.WARP) {
            return Optional.of("It has " + threads + " threads per block, which is less than a warp.");
        }
        return sums > MAX_SUMS
                ? Optional.of("It holds " + sums + " sums per thread, a thread has " + MAX_SUMS + " registers.")
                : Optional.empty();
    }
}
