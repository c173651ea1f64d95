package knobscape.compile.ir;

import java.util.List;
import java.util.Optional;

/// A compiled source after the passes that were asked for.
///
/// @param globals variables outside functions
/// @param functions defined and declared ones
public record IrModule(List<IrGlobal> globals, List<IrFunction> functions) {
    public IrModule {
        globals = List.copyOf(globals);
        functions = List.copyOf(functions);
    }

    /// The function of the linker's name `name`.
    public Optional<IrFunction> function(String name) {
        return functions.stream().filter(f -> f.name().equals(name)).findFirst();
    }

    /// The global of the linker's name `name`.
    public Optional<IrGlobal> global(String name) {
        return globals.stream().filter(g -> g.name().equals(name)).findFirst();
    }
}
