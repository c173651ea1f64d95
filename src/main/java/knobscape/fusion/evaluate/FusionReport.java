package knobscape.fusion.evaluate;

import java.util.ArrayList;
import java.util.List;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;

/// How the cost of a strategy comes about.
///
/// @param baselineSeconds time without fusion
/// @param budgetBytes room for staged activations
/// @param peakGroup place in `groups` of the group that sets the peak
public record FusionReport(
        Strategy strategy, Cost cost, double baselineSeconds, long budgetBytes, int peakGroup, List<Group> groups) {
    public FusionReport {
        groups = List.copyOf(groups);
    }

    /// The resource that a layer waits for most.
    public enum Bound {
        /// The processing elements.
        COMPUTE,
        /// Off-chip memory.
        OFF_CHIP,
        /// The on-chip buffer.
        ON_CHIP,
        /// Starting micro-batches.
        LAUNCH
    }

    /// A group.
    ///
    /// @param weightsFit whether they are loaded once; else each layer loads its own at every launch
    public record Group(int first, int last, Cost cost, long weightBytes, boolean weightsFit, List<Layer> layers) {
        /// True if weights are loaded more than once: a layer that is launched once loads its own once.
        public boolean reloads() {
            return !weightsFit && layers.stream().anyMatch(l -> l.launches() > 1);
        }

        public Group {
            layers = List.copyOf(layers);
        }
    }

    /// A layer in its group.
    ///
    /// @param index 1..N
    /// @param seconds its time, launches included
    /// @param stagedBytes room its output (and residuals, with that option) takes on chip
    public record Layer(
            int index,
            String name,
            int microBatch,
            int launches,
            double seconds,
            Times times,
            Traffic traffic,
            long stagedBytes,
            Bound bound) {}

    /// The times of a layer's parts, which overlap but for launches.
    public record Times(double computeSeconds, double offChipSeconds, double onChipSeconds, double launchSeconds) {}

    /// The bytes that a layer moves for the batch.
    ///
    /// @param offChipBytes to and from off-chip memory
    /// @param onChipBytes to and from the on-chip buffer
    public record Traffic(long offChipBytes, long onChipBytes) {}

    /// Baseline time over time.
    public double speedup() {
        return baselineSeconds / cost.seconds();
    }

    /// True if the staged activations fit.
    public boolean isValid() {
        return cost.fits(budgetBytes);
    }

    /// All layers in order.
    public List<Layer> layers() {
        return groups.stream().flatMap(g -> g.layers().stream()).toList();
    }

    /// Why the strategy is valid or not, one sentence.
    public String verdict() {
        Group g = groups.get(peakGroup);
        return isValid()
                ? "Peak on-chip use is " + ByteSize.shown(cost.peakBytes()) + " of " + ByteSize.shown(budgetBytes)
                        + (cost.peakBytes() > 0 ? ", in " + where(g.first(), g.last()) : "") + "."
                : tooLarge(cost.peakBytes(), g.first(), g.last(), budgetBytes);
    }

    /// That the group of these layers needs more than there is.
    static String tooLarge(long bytes, int first, int last, long budget) {
        return "It needs " + ByteSize.shown(bytes) + " for the activations of " + where(first, last)
                + ", but the buffer holds " + ByteSize.shown(budget) + ".";
    }

    private static String where(int first, int last) {
        return first == last ? "layer " + first : "layers " + first + " to " + last;
    }

    static FusionReport of(FusionCostModel model, Strategy strategy) {
        int[] s = strategy.toArray();
        var groups = new ArrayList<Group>();
        int peak = 0;
        for (int[] g : strategy.groups()) {
            int a = g[0];
            int b = g[1];
            boolean fit = a == b || model.weightsFit(a, b);
            var layers = new ArrayList<Layer>();
            for (int i = a; i <= b; i++) {
                layers.add(layer(model, s, a, b, i, !fit));
            }
            groups.add(new Group(a, b, model.group(s, a, b), model.weightBytes(a, b), fit, layers));
            peak = groups.getLast().cost().peakBytes() > groups.get(peak).cost().peakBytes() ? groups.size() - 1 : peak;
        }
        return new FusionReport(strategy, model.evaluate(s), model.baselineSeconds(), model.budget(), peak, groups);
    }

    private static Layer layer(FusionCostModel model, int[] s, int a, int b, int i, boolean reload) {
        int m = model.microBatch(s, a, b, i);
        int r = model.launches(m);
        long samples = model.isPadded() ? (long) r * m : model.batch();
        long weights = model.weightBytes(i, i);
        long off = model.offActivations(a, b, i) * samples + (reload ? weights * r : weights);
        long on = model.onActivations(a, b, i) * samples;
        double compute = model.computeSeconds(i, samples);
        double memory = model.memorySeconds(off, on);
        double launch = r * model.accelerator().launchSeconds();
        double offSeconds = off / model.accelerator().offChipBandwidth();
        double onSeconds = on / model.accelerator().onChipBandwidth();
        Bound bound = launch > Math.max(compute, memory)
                ? Bound.LAUNCH
                : compute >= memory ? Bound.COMPUTE : offSeconds >= onSeconds ? Bound.OFF_CHIP : Bound.ON_CHIP;
        return new Layer(
                i,
                model.network().chain().layer(i).name(),
                m,
                r,
                Math.max(compute, memory) + launch,
                new Times(compute, offSeconds, onSeconds, launch),
                new Traffic(off, on),
                model.stagedBytes(s, a, b, i),
                bound);
    }
}
