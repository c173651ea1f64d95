package knobscape.app.cli;

import java.math.BigInteger;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.estimator.KernelTraits;
import knobscape.hls.evaluate.estimator.KnownAccuracy;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BlockFunction;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.TripCount;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The JSON document of `space`.
final class SpaceJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private SpaceJson() {}

    static ObjectNode of(HlsWorkbench bench) {
        Kernel k = bench.kernel();
        ObjectNode root = JSON.createObjectNode();
        root.put("top", k.top());
        root.put("topGuessed", k.topGuessed());
        root.put("file", k.file());
        ArrayNode functions = root.putArray("functions");
        for (Function f : k.functions()) {
            ObjectNode node = functions.addObject();
            node.put("name", f.name());
            node.put("line", f.location().line());
            ArrayNode calls = node.putArray("calls");
            f.callees().forEach(calls::add);
            ArrayNode loops = node.putArray("loops");
            f.allLoops().forEach(l -> loop(loops.addObject(), l, k));
            arrays(node.putArray("arrays"), f.arrays(), k);
        }
        arrays(root.putArray("globals"), k.globals(), k);
        ArrayNode others = root.putArray("notReached");
        k.otherFunctions().forEach(others::add);
        ArrayNode knobs = root.putArray("knobs");
        bench.directives().space().knobs().list().forEach(knob -> {
            ObjectNode node = knobs.addObject();
            node.put("name", knob.name());
            ArrayNode values = node.putArray("values");
            knob.domain().labels().forEach(values::add);
        });
        ObjectNode size = root.putObject("size");
        size.put("full", bench.directives().space().fullSize().toString());
        size.put("pruned", bench.directives().space().size().toString());
        ArrayNode pruning = root.putArray("pruning");
        bench.directives().pruning().forEach(p -> {
            ObjectNode node = pruning.addObject();
            node.put("subject", p.subject());
            ArrayNode names = node.putArray("knobs");
            p.knobs().forEach(names::add);
            node.put("before", p.before().toString());
            node.put("after", p.after().toString());
        });
        bench.asItStands().ifPresent(r -> LoopRows.json(r, root.putArray("estimatedLoops")));
        ArrayNode warnings = root.putArray("warnings");
        k.notes().forEach(n -> warnings.add(n.toString()));
        bench.assumptions().forEach(a -> warnings.add(assumption(a)));
        bench.kernelWork().nearestMeasured().ifPresent(n -> nearest(root.putObject("estimate"), n));
        return root;
    }

    /// How well the built-in estimator did on the nearest kernel with measured designs.
    private static void nearest(ObjectNode node, KnownAccuracy.Nearest n) {
        node.put("set", n.known().set());
        node.put("kernel", n.known().kernel());
        node.put("distance", n.distance());
        node.put("far", n.isFar());
        ObjectNode traits = node.putObject("traits");
        KernelTraits t = n.known().traits();
        traits.put("floating", t.floating())
                .put("control", t.control())
                .put("lookups", t.lookups())
                .put("depth", t.depth());
        ArrayNode figures = node.putArray("figures");
        n.known().figures().forEach(f -> {
            ObjectNode figure = figures.addObject();
            figure.put("stage", f.stage()).put("metric", f.metric()).put("designs", f.designs());
            number(figure, "spearman", f.spearman());
            number(figure, "ratio10", f.low());
            number(figure, "ratio", f.ratio());
            number(figure, "ratio90", f.high());
        });
    }

    private static void number(ObjectNode node, String key, double value) {
        if (Double.isFinite(value)) {
            node.put(key, value);
        } else {
            node.putNull(key);
        }
    }

    private static void loop(ObjectNode node, Loop l, Kernel k) {
        node.put("id", l.id());
        node.put("label", l.label());
        node.put("labelled", l.labelled());
        place(node, l.keyword());
        node.put("body", !l.editable() ? "macro" : l.braced() ? "braced" : "statement");
        pragmas(
                node,
                k.pragmas().stream().filter(p -> p.loop().filter(l.id()::equals).isPresent()));
        node.put("depth", l.depth());
        l.parent().ifPresentOrElse(p -> node.put("parent", p), () -> node.putNull("parent"));
        TripCount t = l.trip();
        if (t.min().isEmpty() && t.max().isEmpty() && t.average().isEmpty()) {
            node.putNull("trip");
        } else {
            ObjectNode trip = node.putObject("trip");
            t.min().ifPresentOrElse(v -> trip.put("min", v), () -> trip.putNull("min"));
            t.max().ifPresentOrElse(v -> trip.put("max", v), () -> trip.putNull("max"));
            trip.put("exact", t.isExact());
            if (t.certainty() == TripCount.Certainty.MEASURED) {
                trip.put("measured", true);
            }
            t.average().ifPresent(v -> trip.put("average", v));
        }
        ArrayNode accesses = node.putArray("accesses");
        for (Access a : accesses(l, k)) {
            ObjectNode access = accesses.addObject();
            access.put("array", a.array());
            access.put(
                    "kind",
                    switch (a.kind()) {
                        case READ -> "read";
                        case WRITE -> "write";
                        case READ_WRITE -> "read-write";
                    });
            ArrayNode index = access.putArray("index");
            a.index().forEach(i -> index.add(text(i)));
            ArrayNode forms = access.putArray("forms");
            a.index().forEach(i -> form(forms.addObject(), i));
            place(access, a.location());
        }
    }

    private static void place(ObjectNode node, Location at) {
        node.put("file", at.file());
        node.put("line", at.line());
        node.put("column", at.column());
    }

    /// The pragmas there, as written.
    private static void pragmas(ObjectNode node, Stream<Pragma> pragmas) {
        ArrayNode written = node.putArray("pragmas");
        pragmas.forEach(p -> written.add(p.raw()));
    }

    /// An index as numbers: coefficients by loop, and the constant; or why it has none.
    private static void form(ObjectNode node, IndexForm form) {
        switch (form) {
            case IndexForm.Affine a -> {
                ObjectNode coefficients = node.putObject("coefficients");
                a.coefficients().forEach(coefficients::put);
                node.put("constant", a.constant());
            }
            case IndexForm.NonAffine n -> node.put("notAffine", n.reason());
        }
    }

    /// Accesses directly in a loop's body, in source order, with those of library functions that are given an array.
    static List<Access> accesses(Loop loop, Kernel k) {
        return Stream.concat(
                        loop.body().accesses().stream(),
                        loop.body().calls().stream()
                                .filter(BodyFacts.Call::external)
                                .flatMap(i -> through(i, loop, k)))
                .sorted(Comparator.comparingInt(a -> a.location().offset()))
                .toList();
    }

    /// The accesses of a library function to the arrays that it is given.
    private static Stream<Access> through(BodyFacts.Call call, Loop loop, Kernel k) {
        String name = call.callee().substring(call.callee().lastIndexOf(':') + 1);
        List<String> arrays = call.arrays();
        return IntStream.range(0, arrays.size())
                .mapToObj(n -> new Access(
                        arrays.get(n),
                        BlockFunction.use(call.callee(), n),
                        Collections.nCopies(
                                k.array(arrays.get(n)).map(a -> a.dims().size()).orElse(1),
                                new IndexForm.NonAffine("by " + name)),
                        loop.id(),
                        call.location()));
    }

    /// The pragma that states the depth of a parameter of unknown size: what simulation and a FIFO hold, no
    /// length that loops could be counted by.
    static Optional<Pragma> depth(ArrayVariable a, Kernel k) {
        return a.scope() != ArrayVariable.Scope.PARAMETER || !a.dims().contains(0L)
                ? Optional.empty()
                : k.pragmas().stream()
                        .filter(p -> p.directive().equals("INTERFACE")
                                && p.function().equals(a.function())
                                && p.options().containsKey("depth")
                                && a.name().equals(p.options().get("port")))
                        .findFirst();
    }

    /// `8*gemm/i + gemm/k + 1`, or why it is not affine in words.
    private static String text(IndexForm form) {
        return switch (form) {
            case IndexForm.Affine a -> {
                String sum = Stream.concat(
                                a.coefficients().entrySet().stream()
                                        .map(e -> e.getValue() == 1 ? e.getKey() : e.getValue() + "*" + e.getKey()),
                                a.constant() == 0 ? Stream.of() : Stream.of("" + a.constant()))
                        .reduce((x, y) -> x + (y.startsWith("-") ? " - " + y.substring(1) : " + " + y))
                        .orElse("0");
                yield sum;
            }
            case IndexForm.NonAffine n -> "not affine: " + n.reason();
        };
    }

    private static void arrays(ArrayNode nodes, List<ArrayVariable> arrays, Kernel k) {
        for (ArrayVariable a : arrays) {
            ObjectNode node = nodes.addObject();
            node.put("id", a.id());
            depth(a, k).ifPresent(p -> node.put("statedDepth", p.options().get("depth")));
            node.put("name", a.name());
            ArrayNode dims = node.putArray("dims");
            a.dims().forEach(d -> {
                if (d == 0) {
                    dims.addNull();
                } else {
                    dims.add(d);
                }
            });
            node.put("type", a.element().spelling());
            node.put("bits", a.element().bits());
            place(node, a.location());
            pragmas(
                    node,
                    k.pragmas().stream()
                            .filter(p -> p.function().equals(a.function())
                                    && a.name().equals(p.options().get("variable"))));
        }
    }

    /// An assumption of the estimator for a person.
    static String assumption(String sentence) {
        return "built-in estimate: " + sentence;
    }

    /// A size for a person: all digits up to a million, then a power of ten.
    static String shown(BigInteger size) {
        if (size.bitLength() <= 53) {
            return String.format(java.util.Locale.ROOT, "%,d", size).replace(',', ' ');
        }
        return String.format(java.util.Locale.ROOT, "%.3e", new java.math.BigDecimal(size));
    }
}
