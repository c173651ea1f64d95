package knobscape.compile;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Makes records of what [IrWriter] wrote.
final class IrReader {
    /// Attributes that are told of a function.
    static final List<String> ATTRIBUTES = List.of("alwaysinline", "noinline", "inlinehint");

    private static final List<Set<IrInstruction.Flag>> FLAGS = flagSets();

    private final DataInputStream in;
    private final IrTableReader tables;

    IrReader(DataInputStream in) {
        this.in = in;
        tables = new IrTableReader(in);
    }

    private static List<Set<IrInstruction.Flag>> flagSets() {
        var all = IrInstruction.Flag.values();
        var sets = new ArrayList<Set<IrInstruction.Flag>>();
        for (int bits = 0; bits < 1 << all.length; bits++) {
            Set<IrInstruction.Flag> set = EnumSet.noneOf(IrInstruction.Flag.class);
            for (int k = 0; k < all.length; k++) {
                if ((bits >> k & 1) != 0) {
                    set.add(all[k]);
                }
            }
            sets.add(Set.copyOf(set));
        }
        return List.copyOf(sets);
    }

    IrModule module() throws IOException {
        var globals = new ArrayList<IrGlobal>();
        for (int left = in.readInt(); left > 0; left--) {
            globals.add(global());
        }
        var functions = new ArrayList<IrFunction>();
        for (int left = in.readInt(); left > 0; left--) {
            functions.add(function());
        }
        return new IrModule(globals, functions);
    }

    private IrGlobal global() throws IOException {
        String name = in.readUTF();
        IrType type = tables.type();
        boolean constant = in.readBoolean();
        Optional<IrConstant> initialiser =
                in.readBoolean() ? Optional.of((IrConstant) tables.constant()) : Optional.empty();
        if (!in.readBoolean()) {
            return new IrGlobal(name, name, type, constant, initialiser, Optional.empty(), Optional.empty());
        }
        String sourceName = in.readUTF();
        IrDebugType debug = tables.debugType();
        String file = in.readUTF();
        int line = in.readInt();
        var location = new IrLocation(file, line, 0, in.readUTF(), Optional.empty());
        return new IrGlobal(name, sourceName, type, constant, initialiser, Optional.of(debug), Optional.of(location));
    }

    private IrFunction function() throws IOException {
        String name = in.readUTF();
        IrType result = tables.type();
        String sourceName = name;
        Optional<IrLocation> location = Optional.empty();
        if (in.readBoolean()) {
            sourceName = in.readUTF();
            String file = in.readUTF();
            location = Optional.of(new IrLocation(file, in.readInt(), 0, sourceName, Optional.empty()));
        }
        var arguments = new ArrayList<IrFunction.IrArgument>();
        for (int left = in.readInt(); left > 0; left--) {
            String argument = in.readUTF();
            IrType type = tables.type();
            arguments.add(new IrFunction.IrArgument(
                    argument, type, in.readBoolean() ? Optional.of(tables.type()) : Optional.empty()));
        }
        var attributes = new HashSet<String>();
        for (String attribute : ATTRIBUTES) {
            if (in.readBoolean()) {
                attributes.add(attribute);
            }
        }
        var blocks = new ArrayList<IrBlock>();
        int id = 0;
        for (int count = in.readInt(); blocks.size() < count; ) {
            String block = in.readUTF();
            var body = new ArrayList<IrInstruction>();
            for (int left = in.readInt(); left > 0; left--) {
                body.add(instruction(id++));
            }
            blocks.add(new IrBlock(blocks.size(), block, body, loop()));
        }
        Map<IrValue, Integer> kept = blocks.isEmpty() ? Map.of() : kept(arguments, blocks.getFirst());
        var variables = new ArrayList<IrFunction.IrVariable>();
        var labels = new ArrayList<IrFunction.IrLabel>();
        for (int kind = in.readByte(); kind != 0; kind = in.readByte()) {
            if (kind == 2) {
                String label = in.readUTF();
                tables.location().ifPresent(l -> labels.add(new IrFunction.IrLabel(label, l)));
            } else {
                variables.add(variable(sourceName, kept));
            }
        }
        return new IrFunction(name, sourceName, result, arguments, blocks, variables, labels, attributes, location);
    }

    /// Which argument, from 1, a place holds: itself, or where the entry stores it.
    private static Map<IrValue, Integer> kept(List<IrFunction.IrArgument> arguments, IrBlock entry) {
        var kept = new HashMap<IrValue, Integer>();
        for (int i = 0; i < arguments.size(); i++) {
            kept.put(new IrValue.Argument(i, arguments.get(i).type()), i + 1);
        }
        for (IrInstruction i : entry.instructions()) {
            if (i.opcode() == IrOpcode.STORE && i.operands().getFirst() instanceof IrValue.Argument a) {
                IrValue place = i.operands().get(1);
                // A struct of one member is passed as the member.
                if (place instanceof IrValue.Result r) {
                    place = entry.instructions().stream()
                            .filter(x -> x.id() == r.instruction() && x.opcode() == IrOpcode.GET_ELEMENT_PTR)
                            .map(x -> x.operands().getFirst())
                            .findFirst()
                            .orElse(place);
                }
                kept.putIfAbsent(place, a.index() + 1);
            }
        }
        return kept;
    }

    private IrFunction.IrVariable variable(String function, Map<IrValue, Integer> kept) throws IOException {
        String name = in.readUTF();
        IrDebugType type = tables.debugType();
        String file = in.readUTF();
        int line = in.readInt();
        String scope = in.readUTF();
        boolean outer = in.readBoolean() && scope.equals(function);
        IrValue value = value();
        boolean address = in.readBoolean();
        int before = in.readInt();
        int argument = outer ? kept.getOrDefault(value, 0) : 0;
        return new IrFunction.IrVariable(
                name, argument, type, value, address, before, new IrLocation(file, line, 0, scope, Optional.empty()));
    }

    private IrInstruction instruction(int id) throws IOException {
        String name = in.readUTF();
        IrOpcode opcode = IrOpcode.of(in.readUnsignedByte());
        IrType type = tables.type();
        var operands = new ArrayList<IrValue>();
        for (int left = in.readInt(); left > 0; left--) {
            operands.add(value());
        }
        var blocks = new ArrayList<Integer>();
        for (int left = in.readInt(); left > 0; left--) {
            blocks.add(in.readInt());
        }
        IrInstruction.Detail detail = detail();
        Set<IrInstruction.Flag> flags = FLAGS.get(in.readUnsignedByte());
        return new IrInstruction(id, name, opcode, type, operands, blocks, detail, flags, tables.location());
    }

    private IrInstruction.Detail detail() throws IOException {
        return switch (in.readByte()) {
            case IrWriter.DETAIL_COMPARISON ->
                new IrInstruction.Detail.Comparison(IrPredicate.of(in.readUnsignedByte()));
            case IrWriter.DETAIL_ELEMENT -> new IrInstruction.Detail.Element(tables.type());
            case IrWriter.DETAIL_CALLEE -> new IrInstruction.Detail.Callee(value());
            case IrWriter.DETAIL_INDICES -> {
                var indices = new ArrayList<Integer>();
                for (int left = in.readInt(); left > 0; left--) {
                    indices.add(in.readInt());
                }
                yield new IrInstruction.Detail.Indices(indices);
            }
            default -> new IrInstruction.Detail.None();
        };
    }

    private IrValue value() throws IOException {
        int kind = in.readByte();
        if (kind == IrTables.CONSTANT) {
            return tables.constant();
        }
        int index = in.readInt();
        IrType type = tables.type();
        return kind == IrTables.ARGUMENT ? new IrValue.Argument(index, type) : new IrValue.Result(index, type);
    }

    private Optional<IrLoopMark> loop() throws IOException {
        if (!in.readBoolean()) {
            return Optional.empty();
        }
        var properties = new HashMap<String, Long>();
        Optional<IrLocation> start = Optional.empty();
        for (int kind = in.readByte(); kind != 0; kind = in.readByte()) {
            if (kind == 1) {
                start = tables.location();
            } else {
                properties.put(in.readUTF(), in.readLong());
            }
        }
        return Optional.of(new IrLoopMark(properties, start));
    }
}
