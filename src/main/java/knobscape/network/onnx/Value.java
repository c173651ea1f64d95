package knobscape.network.onnx;

import java.util.Optional;
import knobscape.network.Shape;
import knobscape.network.Tensor;

/// What is known of a tensor while a file is read.
///
/// @param tensor type, shape and role
/// @param constant its values, where it is small and they are known
record Value(Tensor tensor, Optional<Constant> constant) {

    static Value of(Tensor tensor) {
        return new Value(tensor, Optional.empty());
    }

    static Value of(String name, Constant constant) {
        return new Value(
                new Tensor(name, constant.type(), constant.shape(), Tensor.Role.WEIGHT), Optional.of(constant));
    }

    Optional<Shape> shape() {
        return tensor.shape();
    }
}
