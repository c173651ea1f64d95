package knobscape.hls.source.exact;

import java.util.List;

/// A function with a body.
///
/// @param name as in [knobscape.hls.source.Function#name()]
/// @param parameters how many of the variables are parameters; they come first
/// @param variables parameters and locals; a reference is an address
/// @param result type of the returned value
/// @param body statements
public record ExactFunction(
        String name, int parameters, List<ExactVariable> variables, ExactType result, ExactStatement body) {
    public ExactFunction {
        variables = List.copyOf(variables);
    }
}
