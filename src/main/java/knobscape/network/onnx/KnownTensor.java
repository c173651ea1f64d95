package knobscape.network.onnx;

import java.util.Optional;
import knobscape.network.Shape;
import knobscape.network.Tensor;

/// The known facts of a tensor while a file is read.
///
/// @param tensor type, shape and role
/// @param constant its values, where it is small and they are known
record KnownTensor(Tensor tensor, Optional<Constant> constant) {

    static KnownTensor of(Tensor tensor) {
        return new KnownTensor(tensor, Optional.empty());
    }

    static KnownTensor of(String name, Constant constant) {
        return new KnownTensor(
                new Tensor(name, constant.type(), constant.shape(), Tensor.Role.WEIGHT), Optional.of(constant));
    }

    Optional<Shape> shape() {
        return tensor.shape();
    }
}
