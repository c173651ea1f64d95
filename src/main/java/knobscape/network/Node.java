package knobscape.network;

import java.util.List;

/// One operator at work.
///
/// @param name unique in its network, as in the source where it has one
/// @param inputs names of tensors in the operator's order; an empty text stands for an optional input that is
/// not given
/// @param outputs names of the tensors it makes; an empty text for one that nobody wants
public record Node(String name, Operator operator, List<String> inputs, List<String> outputs) {
    public Node {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /// Name of the first output.
    public String output() {
        return outputs.getFirst();
    }

    /// Name of the first input.
    public String input() {
        return inputs.getFirst();
    }
}
