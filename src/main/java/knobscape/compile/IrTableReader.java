package knobscape.compile;

import java.io.DataInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Makes records of what [IrTables] wrote.
final class IrTableReader {
    private final DataInputStream in;
    private final List<IrType> types = new ArrayList<>();
    private final List<IrLocation> places = new ArrayList<>();
    private final List<IrDebugType> debugTypes = new ArrayList<>();

    IrTableReader(DataInputStream in) {
        this.in = in;
    }

    IrType type() throws IOException {
        int number = in.readInt();
        if (number != IrTables.NEW) {
            return types.get(number);
        }
        int kind = in.readByte();
        IrType type = switch (kind) {
            case 0 -> new IrType.Void();
            case 1 -> new IrType.Real(Short.SIZE);
            case 2 -> new IrType.Real(Float.SIZE);
            case 3 -> new IrType.Real(Double.SIZE);
            case 4, 5, 6 -> new IrType.Real(2 * Double.SIZE);
            case 8 -> new IrType.Int(in.readInt());
            case 10 -> struct();
            case 11 -> new IrType.Array(in.readLong(), type());
            case 12 -> new IrType.Pointer();
            case 13 -> new IrType.Vector((int) in.readLong(), type());
            default -> new IrType.Other("type " + kind);
        };
        types.add(type);
        return type;
    }

    private IrType struct() throws IOException {
        String name = in.readUTF();
        var members = new ArrayList<IrType>();
        var offsets = new ArrayList<Long>();
        for (int left = in.readInt(); left > 0; left--) {
            offsets.add(in.readLong());
            members.add(type());
        }
        return new IrType.Struct(name, members, offsets, in.readLong());
    }

    /// A constant, or what is neither instruction nor argument.
    IrValue constant() throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case 5, 6, 8 -> new IrValue.Symbol(in.readUTF());
            case 10 -> {
                IrType type = type();
                IrOpcode opcode = IrOpcode.of(in.readUnsignedByte());
                List<IrConstant> operands = operands();
                yield new IrConstant.Computed(
                        opcode, operands, in.readBoolean() ? Optional.of(type()) : Optional.empty(), type);
            }
            case 11, 12, 13 -> {
                IrType type = type();
                yield new IrConstant.Aggregate(operands(), type);
            }
            case 14, 25 -> new IrConstant.Undefined(type());
            case 15, 20 -> new IrConstant.Zero(type());
            case 16, 17 -> table();
            case 18 -> {
                IrType type = type();
                yield new IrConstant.Whole(
                        in.readBoolean() ? new BigInteger(in.readUTF()) : BigInteger.valueOf(in.readLong()), type);
            }
            case 19 -> {
                IrType type = type();
                yield new IrConstant.Floating(in.readDouble(), type);
            }
            default -> new IrValue.Other("value of kind " + kind, type());
        };
    }

    private List<IrConstant> operands() throws IOException {
        var operands = new ArrayList<IrConstant>();
        for (int left = in.readInt(); left > 0; left--) {
            IrValue operand = constant();
            operands.add(operand instanceof IrConstant c ? c : new IrConstant.Undefined(operand.type()));
        }
        return operands;
    }

    private IrConstant table() throws IOException {
        IrType type = type();
        int bytes = in.readByte();
        int length = in.readInt();
        var raw = ByteBuffer.wrap(in.readNBytes(bytes * length)).order(ByteOrder.LITTLE_ENDIAN);
        var bits = new long[length];
        for (int i = 0; i < length; i++) {
            bits[i] = switch (bytes) {
                case Byte.BYTES -> raw.get();
                case Short.BYTES -> raw.getShort();
                case Integer.BYTES -> raw.getInt();
                default -> raw.getLong();
            };
        }
        return new IrConstant.Table(bits, type);
    }

    Optional<IrLocation> location() throws IOException {
        int number = in.readInt();
        if (number == IrTables.NONE) {
            return Optional.empty();
        }
        if (number != IrTables.NEW) {
            return Optional.of(places.get(number));
        }
        String file = in.readUTF();
        int line = in.readInt();
        int column = in.readInt();
        String function = in.readUTF();
        var place = new IrLocation(file, line, column, function, location());
        places.add(place);
        return Optional.of(place);
    }

    /// A type of the source; `void` where there is none.
    IrDebugType debugType() throws IOException {
        int number = in.readInt();
        if (number == IrTables.NONE) {
            return new IrDebugType.Unknown("void");
        }
        if (number != IrTables.NEW) {
            return debugTypes.get(number);
        }
        int tag = in.readInt();
        String name = in.readUTF();
        IrDebugType type = tag == 0 ? new IrDebugType.Unknown(name) : described(tag, name);
        debugTypes.add(type);
        return type;
    }

    /// By the tags of DWARF.
    private IrDebugType described(int tag, String name) throws IOException {
        long bits = in.readLong();
        IrDebugType base = debugType();
        var dims = new ArrayList<Long>();
        var members = new ArrayList<IrDebugType.Member>();
        for (int kind = in.readByte(); kind != 0; kind = in.readByte()) {
            if (kind == 2) {
                dims.add(in.readLong());
            } else {
                String member = in.readUTF();
                long offset = in.readLong();
                IrDebugType type = debugType();
                members.add(new IrDebugType.Member(member.isEmpty() ? type.name() : member, offset, type));
            }
        }
        return switch (tag) {
            case 0x24 -> new IrDebugType.Basic(name, bits, encoding(name));
            case 0x0f, 0x10, 0x42 -> new IrDebugType.Address(base, tag != 0x0f);
            case 0x16 -> new IrDebugType.Alias(name, base);
            case 0x26, 0x35, 0x37 -> base;
            case 0x01 -> new IrDebugType.Elements(base, dims, bits);
            case 0x02, 0x13, 0x17 -> new IrDebugType.Composite(name, members, bits);
            case 0x04 -> new IrDebugType.Enumeration(name, bits);
            default -> new IrDebugType.Unknown(name);
        };
    }

    /// LLVM's C interface does not tell how a basic type is coded; its name does.
    private static IrDebugType.Encoding encoding(String name) {
        String n = name.toLowerCase(Locale.ROOT);
        if (n.contains("bool")) {
            return IrDebugType.Encoding.BOOLEAN;
        }
        if (n.contains("float") || n.contains("double") || n.contains("fp16") || n.contains("half")) {
            return IrDebugType.Encoding.FLOATING;
        }
        return n.contains("unsigned") || n.startsWith("char16") || n.startsWith("char32")
                ? IrDebugType.Encoding.UNSIGNED
                : IrDebugType.Encoding.SIGNED;
    }
}
