package knobscape.compile.ir;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Metadata of a loop on its back edge. Copies that the passes make of a loop carry the same mark.
///
/// @param properties LLVM's (`llvm.loop.unroll.count`, ...) and ours ([#ID]); a property without a number has 1
/// @param start of the loop's keyword in the source, where known
public record IrLoopMark(Map<String, Long> properties, Optional<IrLocation> start) {
    /// The property that names a loop of the source for good: a number, unique in the module as it was compiled.
    public static final String ID = "kn.id";

    /// The property that tells copies of a loop apart which inlining made: a number, unique in the module after it.
    public static final String COPY = "kn.copy";

    public IrLoopMark {
        properties = Map.copyOf(properties);
    }

    /// The number given to the loop when the source was compiled.
    public OptionalLong id() {
        Long id = properties.get(ID);
        return id == null ? OptionalLong.empty() : OptionalLong.of(id);
    }
}
