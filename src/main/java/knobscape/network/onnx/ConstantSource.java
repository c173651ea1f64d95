package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import knobscape.network.ElementType;
import knobscape.network.Shape;
import knobscape.network.Tensor;

/// Nodes that make constants out of nothing or out of a shape alone.
final class ConstantSource {
    private ConstantSource() {}

    /// The tensor that such a node makes; empty for all other nodes.
    static Optional<KnownTensor> value(RawNode raw, List<Optional<KnownTensor>> in, Path folder) {
        if (!raw.domain().isEmpty()
                || raw.outputs().size() != 1
                || (in.isEmpty() && !raw.type().equals("Constant"))) {
            return Optional.empty();
        }
        String out = raw.outputs().getFirst();
        return switch (raw.type()) {
            case "Constant" -> stored(raw, folder);
            case "Shape" ->
                in.getFirst().flatMap(KnownTensor::shape).map(s -> {
                    int start = within(raw.integer("start", 0), s.rank());
                    int end = within(raw.integer("end", s.rank()), s.rank());
                    return KnownTensor.of(out, Constant.ofList(s.dims().subList(start, Math.max(start, end))));
                });
            case "Size" ->
                in.getFirst()
                        .flatMap(KnownTensor::shape)
                        .map(s -> KnownTensor.of(out, Constant.ofInts(ElementType.INT64, Shape.of(), s.elements())));
            case "ConstantOfShape" ->
                in.getFirst()
                        .flatMap(KnownTensor::constant)
                        .filter(Constant::integral)
                        .flatMap(c -> filled(raw, c, folder));
            case "Range" -> range(out, in);
            default -> Optional.empty();
        };
    }

    private static int within(long index, int rank) {
        return Math.clamp(index < 0 ? index + rank : index, 0, rank);
    }

    private static Optional<KnownTensor> stored(RawNode raw, Path folder) {
        if (raw.attributes().isEmpty()) {
            return Optional.empty();
        }
        OnnxMl.AttributeProto a = raw.attributes().getFirst();
        String out = raw.outputs().getFirst();
        return Optional.of(
                switch (a.getName()) {
                    case "value" ->
                        new KnownTensor(
                                new Tensor(
                                        out,
                                        OnnxTypes.of(a.getT().getDataType()),
                                        new Shape(a.getT().getDimsList()),
                                        Tensor.Role.WEIGHT),
                                Constant.of(a.getT(), folder));
                    case "value_int" -> KnownTensor.of(out, Constant.ofInts(ElementType.INT64, Shape.of(), a.getI()));
                    case "value_ints" -> KnownTensor.of(out, Constant.ofList(a.getIntsList()));
                    case "value_float" ->
                        KnownTensor.of(out, Constant.ofReals(ElementType.FLOAT32, Shape.of(), a.getF()));
                    case "value_floats" ->
                        KnownTensor.of(
                                out,
                                Constant.ofReals(
                                        ElementType.FLOAT32,
                                        Shape.of(a.getFloatsCount()),
                                        a.getFloatsList().stream()
                                                .mapToDouble(Float::doubleValue)
                                                .toArray()));
                    // Texts and sparse tensors: nothing here computes with them.
                    default -> KnownTensor.of(new Tensor(out, ElementType.OTHER, Optional.empty(), Tensor.Role.WEIGHT));
                });
    }

    private static Optional<KnownTensor> filled(RawNode raw, Constant wanted, Path folder) {
        Shape shape = new Shape(LongStream.of(wanted.ints()).boxed().toList());
        Optional<OnnxMl.TensorProto> value = raw.attribute("value").map(OnnxMl.AttributeProto::getT);
        ElementType type = value.map(v -> OnnxTypes.of(v.getDataType())).orElse(ElementType.FLOAT32);
        if (shape.elements() > Constant.MAX_ELEMENTS || type == ElementType.OTHER) {
            return Optional.of(KnownTensor.of(new Tensor(raw.outputs().getFirst(), type, shape, Tensor.Role.WEIGHT)));
        }
        Constant one = value.flatMap(v -> Constant.of(v, folder))
                .filter(c -> c.size() == 1)
                .orElse(Constant.ofReals(ElementType.FLOAT32, Shape.of(1), 0));
        return Optional.of(KnownTensor.of(
                raw.outputs().getFirst(), one.reshaped(Shape.of(1)).pick(shape, _ -> 0)));
    }

    /// Whole numbers or reals; of very many only how many.
    private static Optional<KnownTensor> range(String out, List<Optional<KnownTensor>> in) {
        List<Constant> given = in.stream()
                .flatMap(v -> v.flatMap(KnownTensor::constant).filter(c -> c.size() == 1).stream())
                .toList();
        if (in.size() != 3 || given.size() != 3) {
            return Optional.empty();
        }
        double delta = given.get(2).number();
        double start = given.get(0).number();
        double steps = Math.ceil((given.get(1).number() - start) / delta);
        if (delta == 0 || !(steps <= Shape.MAX_ELEMENTS)) {
            return Optional.empty();
        }
        int count = (int) Math.max(0, Math.min(Constant.MAX_ELEMENTS + 1.0, steps));
        ElementType type = given.getFirst().type();
        if (count > Constant.MAX_ELEMENTS) {
            return Optional.of(
                    KnownTensor.of(new Tensor(out, type, Optional.of(Shape.of((long) steps)), Tensor.Role.WEIGHT)));
        }
        if (given.stream().allMatch(Constant::integral)) {
            long first = given.get(0).ints()[0];
            long step = given.get(2).ints()[0];
            return Optional.of(KnownTensor.of(
                    out,
                    Constant.ofList(LongStream.range(0, count)
                            .map(i -> first + i * step)
                            .boxed()
                            .toList())));
        }
        return Optional.of(KnownTensor.of(
                out,
                Constant.ofReals(
                        type,
                        Shape.of(count),
                        IntStream.range(0, count)
                                .mapToDouble(i -> start + i * delta)
                                .toArray())));
    }
}
