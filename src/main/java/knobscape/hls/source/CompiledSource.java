package knobscape.hls.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.Llvm;
import knobscape.compile.Transformation;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrValue;
import knobscape.evaluate.CancellationSignal;

/// A source that was compiled, with the texts behind it.
///
/// @param main the source, absolute
/// @param llvm the process that it is transformed and read in
/// @param module the whole, unoptimised, with directives as calls
/// @param texts of every file that was read and is not ours, by absolute path, as a person wrote them
/// @param searched those that no search path leads to, found in the project
/// @param directives of all these files, ascending by number
/// @param notes what a person should know: headers stood in for, directives that do not compile
/// @param shifts lines whose columns the compiler counts otherwise than a person
public record CompiledSource(
        Path main,
        Llvm llvm,
        Llvm.Handle module,
        Map<Path, String> texts,
        Set<Path> searched,
        List<Directive> directives,
        List<SourceNote> notes,
        List<Shift> shifts) {
    /// Name of the function that directives are calls of.
    public static final String MARKER = "__kn_pragma";

    public CompiledSource {
        texts = Map.copyOf(texts);
        searched = Set.copyOf(searched);
        directives = List.copyOf(directives);
        notes = List.copyOf(notes);
        shifts = List.copyOf(shifts);
    }

    /// The module after a transformation of a copy of it, as [Llvm#read].
    public IrModule read(Transformation transformation, CancellationSignal cancel) {
        return llvm.read(module, transformation, cancel);
    }

    /// Text that was put into a line for the compiler.
    ///
    /// @param file absolute
    /// @param line 1-based
    /// @param column 1-based column of the first character that moved
    /// @param by characters
    public record Shift(Path file, int line, int column, int by) {}

    /// The column of a person for one of the compiler.
    public int column(Path file, int line, int column) {
        return column
                - shifts.stream()
                        .filter(s -> s.line() == line
                                && s.column() + s.by() <= column
                                && s.file().equals(file))
                        .mapToInt(Shift::by)
                        .sum();
    }

    /// A directive of the source.
    ///
    /// @param number first argument of its call
    /// @param name upper case (`PIPELINE`); of other tools with theirs in front (`ACCEL PIPELINE`, `INTEL II`)
    /// @param options lower-case key to value as written; bare words have the value ""
    /// @param numbers keys whose values are the call's arguments from the third on
    /// @param above whether it stands above the loop it is for, not inside
    /// @param location of the `#`, or of what made it
    /// @param editable whether it is a line of its own
    /// @param raw as written, without `#pragma`
    public record Directive(
            int number,
            String name,
            Map<String, String> options,
            List<String> numbers,
            boolean above,
            Location location,
            boolean editable,
            String raw) {
        public Directive {
            options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
            numbers = List.copyOf(numbers);
        }
    }

    /// A directive where it stands in compiled code: a template has one an instance.
    ///
    /// @param directive with numbers worked out
    /// @param function linker's name
    /// @param block index of the block of its call
    /// @param instruction id of its call
    /// @param variable address of what it names: in unoptimised code the variable's own place
    public record Placed(
            Directive directive, String function, int block, int instruction, Optional<IrValue> variable) {}

    /// The same with directives that say something else, or nothing: their calls have no meaning then.
    public CompiledSource with(java.util.function.Function<Directive, Optional<Directive>> change) {
        return new CompiledSource(
                main,
                llvm,
                module,
                texts,
                searched,
                directives.stream().flatMap(d -> change.apply(d).stream()).toList(),
                notes,
                shifts);
    }

    /// The directives of a function, in the order of its code.
    public List<Placed> placed(IrFunction function) {
        var found = new ArrayList<Placed>();
        for (IrBlock block : function.blocks()) {
            for (IrInstruction i : block.instructions()) {
                if (i.opcode() == knobscape.compile.ir.IrOpcode.CALL
                        && i.callee().filter(MARKER::equals).isPresent()) {
                    number(i, 0).flatMap(n -> directive((int) (long) n)).ifPresent(d -> {
                        IrValue what = i.operands().get(1);
                        found.add(new Placed(
                                folded(d, i),
                                function.name(),
                                block.index(),
                                i.id(),
                                what instanceof IrConstant.Zero ? Optional.empty() : Optional.of(what)));
                    });
                }
            }
        }
        return found;
    }

    /// The directives of all functions.
    public List<Placed> placed(IrModule module) {
        return module.functions().stream().flatMap(f -> placed(f).stream()).toList();
    }

    private Optional<Directive> directive(int number) {
        int low = 0;
        int high = directives.size() - 1;
        while (low <= high) {
            int middle = (low + high) / 2;
            int there = directives.get(middle).number();
            if (there == number) {
                return Optional.of(directives.get(middle));
            }
            low = there < number ? middle + 1 : low;
            high = there < number ? high : middle - 1;
        }
        return Optional.empty();
    }

    private static Optional<Long> number(IrInstruction call, int operand) {
        return operand < call.operands().size() && call.operands().get(operand) instanceof IrConstant.Whole w
                ? w.asLong().stream().boxed().findFirst()
                : Optional.empty();
    }

    private static Directive folded(Directive d, IrInstruction call) {
        var options = new LinkedHashMap<>(d.options());
        for (int k = 0; k < d.numbers().size(); k++) {
            String key = d.numbers().get(k);
            number(call, 2 + k).ifPresent(n -> options.put(key, String.valueOf(n)));
        }
        return new Directive(
                d.number(), d.name(), options, d.numbers(), d.above(), d.location(), d.editable(), d.raw());
    }

    /// Absolute paths of the files that were read.
    public Set<Path> files() {
        return texts.keySet();
    }
}
