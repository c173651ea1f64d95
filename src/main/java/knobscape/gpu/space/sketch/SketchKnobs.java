package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;

/// The annotations of sketches as knobs. A knob belongs to a kernel and is called by its axis or tensor:
/// `tile_k`, `vector_data`, `unroll`, `threads`; where there are several kernels the stage's result stands
/// before it.
///
/// Tile sizes are all exact factorisations with an innermost factor of at most 64, as Ansor draws them; a copy
/// into shared memory moves 1, 2 or 4 neighbouring elements per thread; loops are unrolled up to 0, 16, 64, 512
/// or 1024 statements. Ansor splits a reduction across threads by the warp size; here its threads are a knob.
final class SketchKnobs {
    /// Parts of a split of an axis of the result: block, virtual thread, thread, and two inner ones.
    static final int SPACE_PARTS = 5;
    /// Parts of a split of a reduction axis.
    static final int REDUCE_PARTS = 3;

    private static final long INNERMOST = 64;
    private static final List<Integer> UNROLL = List.of(0, 16, 64, 512, 1024);
    private static final List<Integer> VECTOR = List.of(1, 2, 4);
    private static final List<Integer> THREADS = List.of(32, 64, 128, 256, 512, 1024);

    private final Computation computation;
    private final Map<String, ScheduleKnob> knobs = new LinkedHashMap<>();

    private SketchKnobs(Computation computation) {
        this.computation = computation;
    }

    /// The space of the annotations of all sketches of a computation.
    static ScheduleSpace space(Computation computation, List<Sketch> sketches) {
        var made = new SketchKnobs(computation);
        if (sketches.size() > 1) {
            made.add(new ScheduleKnob.Option(
                    "sketch", IntStream.range(0, sketches.size()).boxed().toList()));
        }
        List<List<String>> names = sketches.stream()
                .map(s ->
                        s.roots().stream().flatMap(r -> made.of(r, s).stream()).toList())
                .toList();
        List<String> order = List.copyOf(made.knobs.keySet());
        return new ScheduleSpace(
                List.copyOf(made.knobs.values()),
                names.stream()
                        .map(own -> {
                            var bits = new BitSet();
                            own.forEach(n -> bits.set(order.indexOf(n)));
                            return bits;
                        })
                        .toList());
    }

    private String add(ScheduleKnob knob) {
        knobs.putIfAbsent(knob.name(), knob);
        return knob.name();
    }

    /// Adds the knobs of a kernel, and gives their names.
    private List<String> of(Sketch.Root root, Sketch sketch) {
        Stage s = computation.stages().get(root.stage());
        String prefix = prefix(computation, sketch, root);
        var names = new ArrayList<String>();
        switch (root.rule()) {
            case TILED -> {
                s.space().forEach(a -> split(names, prefix, a, SPACE_PARTS));
                s.reduce().forEach(a -> split(names, prefix, a, REDUCE_PARTS));
                SketchLowering.cached(s)
                        .forEach(l -> names.add(add(new ScheduleKnob.Option(
                                prefix + "vector_" + l.tensor().name(), VECTOR))));
                names.add(add(new ScheduleKnob.Option(prefix + "unroll", UNROLL)));
            }
            case CROSS_THREAD -> names.add(add(new ScheduleKnob.Option(prefix + "reduce_threads", THREADS)));
            case PLAIN -> {
                names.add(add(new ScheduleKnob.Option(prefix + "threads", THREADS)));
                if (s.isReduction()) {
                    names.add(add(new ScheduleKnob.Option(prefix + "unroll", UNROLL)));
                }
            }
        }
        return names;
    }

    /// The prefix of the names of a kernel's knobs.
    static String prefix(Computation computation, Sketch sketch, Sketch.Root root) {
        return sketch.roots().size() == 1
                ? ""
                : computation.stages().get(root.stage()).result().name() + ".";
    }

    private void split(List<String> names, String prefix, Axis axis, int parts) {
        if (axis.extent() > 1) {
            names.add(add(ScheduleKnob.Split.all(prefix + "tile_" + axis.name(), axis.extent(), parts, INNERMOST)));
        }
    }
}
