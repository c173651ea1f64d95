package knobscape.fusion.search.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;

/// The lessons of the published model: what G-Sampler finds under four buffers (DNNFuser, sections 4.4.2, 4.5.1 and
/// 5.3),
/// several times each.
public final class Demonstrations {
    /// Solutions for each network, batch and buffer; the paper has 4 to 10.
    private static final int SOLUTIONS = 10;
    /// Buffers (MB) that are taught.
    private static final int[] BUFFERS = {16, 32, 48, 64};
    private static final long MEGA = 1_000_000;

    private Demonstrations() {}

    /// Lessons for so many networks and batches.
    public static int lessons(int networks, int batches) {
        return SOLUTIONS * BUFFERS.length * networks * batches;
    }

    /// Searches for as many solutions as the curriculum has lessons, network by network, batch by batch and buffer by
    /// buffer in turn.
    static List<Lesson> write(Curriculum curriculum, IntConsumer progress, CancellationSignal cancel) {
        var models = new ArrayList<FusionCostModel>();
        for (int batch : curriculum.batches()) {
            for (var network : curriculum.networks()) {
                var model = new FusionCostModel(network, curriculum.accelerator(), batch);
                for (int buffer : BUFFERS) {
                    models.add(model.withBuffer(buffer * MEGA));
                }
            }
        }
        FusionMethod teacher = FusionMethod.named("gsampler-plain");
        var all = new ArrayList<Lesson>();
        for (int i = 0; i < curriculum.lessons(); i++) {
            cancel.throwIfCancelled();
            FusionCostModel model = models.get(i % models.size());
            Mapping found = Mapping.search(
                    teacher.searcher(),
                    model,
                    Constraint.LEXI,
                    Mapping.EVALUATIONS,
                    curriculum.seed() + i / models.size(),
                    _ -> {},
                    cancel);
            all.add(PublishedFormulation.demonstration(model, found.strategy()));
            progress.accept(i + 1);
        }
        return List.copyOf(all);
    }
}
