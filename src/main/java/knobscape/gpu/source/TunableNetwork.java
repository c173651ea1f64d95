package knobscape.gpu.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.ElementType;
import knobscape.network.ImportedNetwork;
import knobscape.network.Network;
import knobscape.network.Operator;
import knobscape.network.Tensor;
import knobscape.network.Wiring;
import knobscape.network.source.NetworkNames;
import knobscape.network.source.NetworkSource;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.Quantization;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;
import knobscape.space.Sha256;

/// The tuned work: the kernels of a network, or a measured set.
///
/// @param name of the network or set
/// @param kernels in the order of the network's tasks; at least one
/// @param graph the network itself; empty for a measured set
/// @param subgraphs of the network in an order of execution; none for a measured set
/// @param untuned nodes of the network that have no template
/// @param notes what was noticed while reading, one sentence each
/// @param hash SHA-256 of what is tuned, to notice that it changed
public record TunableNetwork(
        String name,
        List<NetworkKernel> kernels,
        Optional<Network> graph,
        List<Subgraph> subgraphs,
        List<UntunedOperator> untuned,
        List<String> notes,
        String hash) {
    private static final Set<ElementType> HALF = Set.of(ElementType.FLOAT16, ElementType.BFLOAT16);

    /// Tasks that a note names before it only counts them.
    private static final int NAMED = 6;

    /// Copies the lists.
    public TunableNetwork {
        kernels = List.copyOf(kernels);
        subgraphs = List.copyOf(subgraphs);
        untuned = List.copyOf(untuned);
        notes = List.copyOf(notes);
    }

    /// The name of a source without its folder and ending.
    public static String stem(String source) {
        String bare = EvaluatorKind.REPLAY.argument(source).orElse(source);
        return Path.of(bare.startsWith(NetworkNames.ZOO) ? bare.substring(NetworkNames.ZOO.length()) : bare)
                .getFileName()
                .toString()
                .replaceFirst("\\.(onnx|json|csv(\\.gz)?)$", "");
    }

    /// Ways of computing a task.
    public enum Ways {
        /// The first template.
        FIRST,
        /// Every template.
        ALL,
        /// Sketches instead of templates.
        SKETCHES,
        /// Tensor cores where they can compute a task, the first template elsewhere.
        TENSOR_CORES
    }

    /// Reads what a source names. Throws [UserError] in one sentence for what cannot be read, or has nothing to
    /// tune.
    ///
    /// @param source an absolute file, `zoo:NAME`, or `replay:` and the absolute file of a measured set
    /// @param batch inputs per run of the network
    /// @param dims extents that an ONNX file leaves open
    /// @param ways of computing a task
    /// @param fused with what the network fuses behind the kernels, or bare
    public static TunableNetwork read(String source, int batch, Map<String, Long> dims, Ways ways, boolean fused) {
        return EvaluatorKind.REPLAY
                .argument(source)
                .map(file -> measured(Path.of(file)))
                .orElseGet(() -> network(source, batch, dims, ways, fused));
    }

    private static TunableNetwork measured(Path file) {
        MeasuredSet set = MeasuredSet.open(file);
        var notes = set.repeated() == 0
                ? List.<String>of()
                : List.of(set.repeated() + " rows repeat the knobs of an earlier row; the first one counts.");
        try {
            return new TunableNetwork(
                    set.name(),
                    List.of(NetworkKernel.of(set)),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    notes,
                    Sha256.of(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static TunableNetwork network(String source, int batch, Map<String, Long> dims, Ways ways, boolean fused) {
        boolean sketches = ways == Ways.SKETCHES;
        boolean tensorCores = ways == Ways.TENSOR_CORES;
        boolean allTemplates = ways == Ways.ALL;
        ImportedNetwork imported = NetworkSource.read(source, batch, dims);
        Network network = inSinglePrecision(imported.network());
        List<Subgraph> subgraphs = OperatorFusion.subgraphs(network);
        var quantized = sketches ? Map.<Subgraph, Quantization>of() : quantized(imported.network(), network, subgraphs);
        TuningTasks found = sketches
                ? ofSketches(network, subgraphs)
                : TuningTasks.of(
                        network,
                        subgraphs,
                        s -> isBeyondTemplates(s) && obstacle(network, s).isEmpty()
                                ? Optional.of(Workload.Graph.of(network, s))
                                : Optional.empty(),
                        s -> Optional.ofNullable(quantized.get(s)));
        TuningTasks tasks = tensorCores ? onTensorCores(found) : found;
        List<UntunedOperator> untuned = UntunedOperator.of(network, subgraphs, tasks, sketches);
        var notes = new ArrayList<>(UntunedOperator.sentences(untuned));
        if (imported.network().tensors().values().stream().anyMatch(t -> HALF.contains(t.type()))) {
            notes.add("The network computes in 16-bit floats; what is tuned is the same work in 32-bit floats"
                    + (tensorCores
                            ? " where tensor cores cannot do it."
                            : ". On a CUDA device with tensor cores, --tensor-cores tunes convolutions and products of"
                                    + " 16-bit floats."));
        }
        if (tensorCores) {
            long halves = tasks.tasks().stream()
                    .filter(t -> t.workload().type() == ElementType.FLOAT16)
                    .count();
            notes.add(halves + " of " + tasks.tasks().size()
                    + " kernels multiply 16-bit floats on tensor cores and sum in 32-bit floats, which is also what they"
                    + " store; the others compute in 32-bit floats.");
        }
        notes.addAll(imported.notes());
        var kernels = new ArrayList<NetworkKernel>();
        var cut = new ArrayList<String>();
        for (TuningTask t : tasks.tasks()) {
            boolean isWhole = t.workload() instanceof Workload.Graph;
            List<? extends ScheduleSource> sources = sketches ? List.of() : Templates.of(t.workload());
            if (sources.isEmpty()) {
                sources = SketchSource.of(t.workload()).stream().toList();
            }
            for (ScheduleSource s :
                    allTemplates ? sources : sources.stream().limit(1).toList()) {
                kernels.add(NetworkKernel.of(
                        t,
                        s,
                        allTemplates,
                        fused && !isWhole
                                ? FusedTail.of(t, p -> Optional.ofNullable(quantized.get(p)))
                                : FusedTail.none(t)));
            }
            if (fused && !isWhole && !sources.isEmpty() && FusedTail.cut(t) > 0) {
                cut.add(t.name());
            }
        }
        if (!cut.isEmpty()) {
            int shown = Math.min(NAMED, cut.size());
            String more = cut.size() > shown ? " and " + (cut.size() - shown) + " more" : "";
            notes.add("The last steps behind " + String.join(", ", cut.subList(0, shown)) + more
                    + " are more than these kernels do, or of another kind; they are left to kernels of their own.");
        }
        if (kernels.isEmpty()) {
            throw new UserError(source + " has nothing to tune; name another network. "
                    + (untuned.isEmpty()
                            ? "It has no convolution over images and no matrix product."
                            : String.join(" ", UntunedOperator.sentences(untuned))));
        }
        return new TunableNetwork(
                tasks.network(), kernels, Optional.of(network), subgraphs, untuned, notes, hash(kernels, fused));
    }

    /// The tasks with those on 16-bit floats that tensor cores can compute.
    private static TuningTasks onTensorCores(TuningTasks tasks) {
        return new TuningTasks(
                tasks.network(),
                tasks.tasks().stream()
                        .map(t -> Templates.onTensorCores(t.workload())
                                .map(w -> new TuningTask(t.name(), w, t.subgraphs()))
                                .orElse(t))
                        .toList(),
                tasks.others());
    }

    /// True if no template computes a convolution, whatever its extents: sketches do.
    private static boolean isBeyondTemplates(Subgraph s) {
        return s.kind() == Subgraph.Kind.TRANSPOSED_CONV
                || s.window().filter(w -> s.kind().isCompute() && w.rank() > 2).isPresent();
    }

    /// The convolutions and products that the file computes in 8-bit integers, and for which there are kernels.
    ///
    /// @param file the network as the file has it, of the same nodes
    private static Map<Subgraph, Quantization> quantized(Network file, Network network, List<Subgraph> subgraphs) {
        var found = new LinkedHashMap<Subgraph, Quantization>();
        Wiring wiring = Wiring.of(file);
        for (Subgraph s : subgraphs) {
            if (s.kind() == Subgraph.Kind.CONV || s.kind() == Subgraph.Kind.DENSE) {
                Quantization.of(file, wiring, s)
                        .filter(q -> s.window().filter(w -> w.rank() > 2).isEmpty()
                                && TuningTasks.whyNot(network, s).isEmpty()
                                && Templates.obstacle(TuningTasks.workload(network, s, Optional.of(q)))
                                        .isEmpty())
                        .ifPresent(q -> found.put(s, q));
            }
        }
        return found;
    }

    /// The same with 32-bit floats in place of 16-bit ones, and of weights that were integers; the network itself where
    /// it has none.
    private static Network inSinglePrecision(Network network) {
        Set<String> weights = network.nodes().stream()
                .filter(n -> switch (n.operator()) {
                    case Operator.Conv _, Operator.TransposedConv _, Operator.Gemm _, Operator.MatMul _ -> true;
                    default -> false;
                })
                .flatMap(n -> n.inputs().stream().skip(1))
                .collect(Collectors.toSet());
        Predicate<Tensor> other = t ->
                HALF.contains(t.type()) || (t.type() == ElementType.INT8 && t.isWeight() && weights.contains(t.name()));
        if (network.tensors().values().stream().noneMatch(other)) {
            return network;
        }
        var tensors = new LinkedHashMap<String, Tensor>();
        network.tensors()
                .forEach((name, t) -> tensors.put(
                        name, other.test(t) ? new Tensor(name, ElementType.FLOAT32, t.shape(), t.role()) : t));
        return new Network(network.name(), network.nodes(), tensors, network.inputs(), network.outputs());
    }

    /// The tasks that sketches can compute: a subgraph that is no convolution or product, or whose tail has
    /// other steps than templates know, is one as a whole. Every other subgraph that computes something is
    /// named with the reason.
    static TuningTasks ofSketches(Network network, List<Subgraph> subgraphs) {
        var left = new ArrayList<TuningTasks.Untunable>();
        TuningTasks tasks = TuningTasks.of(
                network,
                subgraphs,
                s -> {
                    boolean plain = s.kind().isCompute()
                            && s.kind() != Subgraph.Kind.TRANSPOSED_CONV
                            && Epilogue.of(s.tail()).steps().size() == s.tail().size();
                    if (plain || s.kind() == Subgraph.Kind.VIEW || s.kind() == Subgraph.Kind.OPAQUE) {
                        return Optional.empty();
                    }
                    Optional<String> obstacle = obstacle(network, s);
                    if (obstacle.isPresent() && (!s.kind().isCompute() || s.kind() == Subgraph.Kind.TRANSPOSED_CONV)) {
                        left.add(new TuningTasks.Untunable(s, obstacle.get()));
                    }
                    return obstacle.isPresent() ? Optional.empty() : Optional.of(Workload.Graph.of(network, s));
                },
                _ -> Optional.empty());
        left.addAll(0, tasks.others());
        return new TuningTasks(tasks.network(), tasks.tasks(), left);
    }

    private static Optional<String> obstacle(Network network, Subgraph s) {
        boolean shapes = s.nodes().stream()
                .flatMap(n -> Stream.concat(n.inputs().stream(), n.outputs().stream()))
                .allMatch(t -> t.isEmpty() || network.tensor(t).shape().isPresent());
        return !shapes
                ? Optional.of("its shape is not known")
                : s.outputs().size() != 1
                        ? Optional.of("it has several results")
                        : SketchSource.whyNone(Workload.Graph.of(network, s));
    }

    /// Bare kernels hash as they did before there were tails, so that runs stored then can be resumed.
    private static String hash(List<NetworkKernel> kernels, boolean fused) {
        var b = new StringBuilder();
        for (NetworkKernel k : kernels) {
            b.append(k.id()).append('x').append(k.count()).append('\n');
            if (fused) {
                k.tails()
                        .forEach(t -> b.append(' ')
                                .append(t.epilogue().id())
                                .append('x')
                                .append(t.count())
                                .append('\n'));
            }
        }
        return Sha256.of(b.toString());
    }

    /// A tail of a kernel that the kernel is not searched with.
    ///
    /// @param kernel index of the kernel
    public record Tail(int kernel, FusedTail tail) {}

    /// The tails that kernels are not searched with, kernel after kernel.
    public List<Tail> otherTails() {
        return IntStream.range(0, kernels.size())
                .boxed()
                .flatMap(k -> kernels.get(k).tails().stream().skip(1).map(t -> new Tail(k, t)))
                .toList();
    }
}
