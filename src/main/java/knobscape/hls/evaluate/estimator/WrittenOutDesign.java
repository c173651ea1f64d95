package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.space.Directive.PartitionType;

/// A design after the passes that its directives ask for: one function with all others in it, loops copied, and what
/// the directives say about what is left.
public final class WrittenOutDesign {
    private final IrModule module;
    private final IrOrders orders;

    WrittenOutDesign(IrModule module, IrOrders orders) {
        this.module = module;
        this.orders = orders;
    }

    /// A division of a memory.
    ///
    /// @param dimension from 1, 0 for all
    /// @param factor pieces, without meaning where it is complete
    public record Division(int dimension, PartitionType type, int factor) {}

    /// The whole module.
    public IrModule module() {
        return module;
    }

    /// The function.
    public IrFunction top() {
        return module.function(orders.top()).orElseThrow();
    }

    /// The interval wanted of the pipelined loop that a block ends (0 as small as possible), empty for others.
    public OptionalLong interval(IrBlock latch) {
        Long ii = latch.loop().map(m -> m.properties().get(IrNesting.PIPELINED)).orElse(null);
        return ii == null ? OptionalLong.empty() : OptionalLong.of(ii);
    }

    /// How the memory of an argument, a local variable or a global is divided. Reshaped ones count as divided.
    public List<Division> divisions(IrValue root) {
        return name(root).map(orders::memory).map(IrOrders.MemoryOrder::cuts).orElse(List.of()).stream()
                .map(c -> new Division(c.dimension(), c.type(), c.factor()))
                .toList();
    }

    /// The name of a memory in the source; empty for what the compiler made.
    public Optional<String> sourceName(IrValue root) {
        return name(root).map(MemoryName::name);
    }

    private Optional<MemoryName> name(IrValue root) {
        return switch (root) {
            case IrValue.Symbol s -> Optional.of(new MemoryName("", s.name()));
            case IrValue.Argument a ->
                Optional.of(new MemoryName(
                        orders.top(), top().arguments().get(a.index()).name()));
            default ->
                top().variables().stream()
                        .filter(v -> v.address() && v.value().equals(root))
                        .findFirst()
                        .map(IrDeclarations::local);
        };
    }
}
