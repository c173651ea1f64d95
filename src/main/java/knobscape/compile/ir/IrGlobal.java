package knobscape.compile.ir;

import java.util.Optional;

/// A variable outside functions, or a static one inside.
///
/// @param name the linker's name
/// @param sourceName as the source calls it, the linker's name where the source does not
/// @param type of what it holds
/// @param constant whether it is never written
/// @param initialiser its first value, empty where it is defined elsewhere
/// @param debug its type in the source, where known
/// @param location of its declaration, where known
public record IrGlobal(
        String name,
        String sourceName,
        IrType type,
        boolean constant,
        Optional<IrConstant> initialiser,
        Optional<IrDebugType> debug,
        Optional<IrLocation> location) {}
