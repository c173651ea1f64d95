package knobscape.fusion.evaluate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Searcher;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.source.FusionNetwork;
import knobscape.network.chain.ChainLayer;
import knobscape.network.chain.Extents;
import knobscape.network.table.LayerRow;
import knobscape.network.table.LayerTable;
import knobscape.network.zoo.Zoo;

/// Networks for the tests of layer fusion.
public final class FusionSamples {
    private static final Path TABLES =
            Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/fusion");

    private FusionSamples() {}

    /// Three 3 x 3 convolutions on 8 x 8 pixels, the third with a skip from the first.
    public static FusionNetwork toy() {
        return FusionNetwork.of(new LayerTable(
                        "toy",
                        List.of(
                                conv(1, 8, 4, 8, OptionalInt.empty()),
                                conv(2, 8, 8, 8, OptionalInt.empty()),
                                conv(3, 8, 8, 8, OptionalInt.of(1))))
                .network(1));
    }

    /// The accelerator of the toy vectors.
    public static Accelerator toyAccelerator() {
        return new Accelerator("toy", 64, 1, 1e9, 1e9, 1e10, 64_000_000, 64_000_000, 100, 1, CostOptions.defaults());
    }

    /// An accelerator that counts otherwise.
    public static Accelerator with(Accelerator a, CostOptions options) {
        return new Accelerator(
                a.name(),
                a.pes(),
                a.macsPerPe(),
                a.frequencyHz(),
                a.offChipBandwidth(),
                a.onChipBandwidth(),
                a.bufferBytes(),
                a.weightBytes(),
                a.launchCycles(),
                a.bytesPerElement(),
                options);
    }

    /// Options with one answer replaced, which its type tells.
    public static CostOptions with(CostOptions o, Enum<?> answer) {
        return switch (answer) {
            case CostOptions.MemoryTime v ->
                new CostOptions(v, o.lastMicroBatch(), o.networkInput(), o.residuals(), o.execution());
            case CostOptions.LastMicroBatch v ->
                new CostOptions(o.memoryTime(), v, o.networkInput(), o.residuals(), o.execution());
            case CostOptions.NetworkInput v ->
                new CostOptions(o.memoryTime(), o.lastMicroBatch(), v, o.residuals(), o.execution());
            case CostOptions.Residuals v ->
                new CostOptions(o.memoryTime(), o.lastMicroBatch(), o.networkInput(), v, o.execution());
            case CostOptions.Execution v ->
                new CostOptions(o.memoryTime(), o.lastMicroBatch(), o.networkInput(), o.residuals(), v);
            default -> throw new IllegalArgumentException("no option: " + answer);
        };
    }

    /// A built-in network.
    public static FusionNetwork zoo(String name) {
        return FusionNetwork.of(Zoo.named(name).network(1));
    }

    /// A published table, where the shared data is there.
    public static Optional<FusionNetwork> table(String name) {
        Path file = TABLES.resolve(name + ".csv");
        return Files.exists(file)
                ? Optional.of(FusionNetwork.of(LayerTable.read(file).network(1)))
                : Optional.empty();
    }

    /// A random chain of 3 x 3 convolutions with skips here and there.
    public static FusionNetwork random(int layers, RandomGenerator random) {
        var rows = new ArrayList<LayerRow>();
        int c = 1 + random.nextInt(6);
        int[] channels = new int[layers + 1];
        channels[0] = c;
        int size = 4 + random.nextInt(8);
        for (int i = 1; i <= layers; i++) {
            channels[i] = random.nextInt(3) == 0 ? 1 + random.nextInt(12) : channels[i - 1];
            int k = channels[i];
            List<Integer> same = new ArrayList<>();
            for (int q = 1; q < i - 1; q++) {
                if (channels[q] == k) {
                    same.add(q);
                }
            }
            OptionalInt skip = same.isEmpty() || random.nextInt(3) > 0
                    ? OptionalInt.empty()
                    : OptionalInt.of(same.get(random.nextInt(same.size())));
            rows.add(conv(i, k, channels[i - 1], size, skip));
        }
        return FusionNetwork.of(new LayerTable("random", rows).network(1));
    }

    /// The searcher of a method that comes with the program.
    public static Searcher searcher(String method) {
        return FusionMethod.builtIn().stream()
                .filter(m -> m.name().equals(method))
                .findFirst()
                .orElseThrow()
                .searcher();
    }

    private static LayerRow conv(int index, int k, int c, int size, OptionalInt skip) {
        return LayerRow.plain(
                index, "conv" + index, Extents.square(ChainLayer.Type.CONV, k, c, size, 3, 1, 1, 1), skip, false);
    }
}
