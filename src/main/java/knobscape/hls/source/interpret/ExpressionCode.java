package knobscape.hls.source.interpret;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Real;

/// Turns expressions and places of one function into code.
final class ExpressionCode {
    private final Machine machine;
    private final Memory memory;
    private final ExactFunction function;
    private int slots;

    ExpressionCode(Machine machine, ExactFunction function) {
        this.machine = machine;
        this.memory = machine.memory;
        this.function = function;
        this.slots = function.variables().size();
    }

    /// Values a frame holds: the variables and those kept between the steps of an expression.
    int slots() {
        return slots;
    }

    /// Code for an expression of at most 64 bits.
    Code narrow(ExactExpression e) {
        return value(e).narrow();
    }

    Value value(ExactExpression e) {
        return switch (e) {
            case ExactExpression.Whole w -> constant(w.value(), w.type());
            case ExactExpression.Floating v -> {
                long bits = Conversions.bits(v.value(), v.type());
                yield new Value.Narrow(f -> bits, v.type());
            }
            case ExactExpression.Load l -> load(l.place());
            case ExactExpression.AddressOf a -> new Value.Narrow(address(a.place()), a.type());
            case ExactExpression.Store s -> store(s);
            case ExactExpression.Update u -> update(u);
            case ExactExpression.Unary u -> BinaryCode.unary(u.operator(), value(u.operand()), u.type());
            case ExactExpression.Binary b ->
                BinaryCode.binary(b.operator(), value(b.left()), value(b.right()), b.type());
            case ExactExpression.Moved m -> moved(m);
            case ExactExpression.Distance d -> {
                Code to = narrow(d.to());
                Code from = narrow(d.from());
                int size = Math.max(1, d.elementSize());
                yield new Value.Narrow(f -> (to.at(f) - from.at(f)) / size, d.type());
            }
            case ExactExpression.Convert c -> ConvertCode.convert(value(c.value()), c.type());
            case ExactExpression.Both b -> {
                Code x = narrow(b.left());
                Code y = narrow(b.right());
                yield new Value.Narrow(
                        b.and() ? f -> x.at(f) != 0 ? y.at(f) : 0 : f -> x.at(f) != 0 ? 1 : y.at(f), ExactType.BOOL);
            }
            case ExactExpression.Choice c -> choice(c);
            case ExactExpression.Sequence s -> {
                Step first = effect(s.first());
                Value second = value(s.second());
                yield second.after(first);
            }
            case ExactExpression.Call c -> call(c);
            case ExactExpression.Library l ->
                LibraryCode.call(
                        machine, l, l.arguments().stream().map(this::value).toList());
            case ExactExpression.StreamCall s -> stream(s);
        };
    }

    /// Code that computes an expression for its effects.
    Step effect(ExactExpression e) {
        return value(e).effect();
    }

    private static Value constant(BigInteger value, ExactType type) {
        if (type.isWide()) {
            return new Value.Broad(f -> value, type);
        }
        long v = value.longValue();
        return new Value.Narrow(f -> v, type);
    }

    private Value moved(ExactExpression.Moved m) {
        Code from = narrow(m.address());
        Code by = narrow(m.elements());
        long size = m.type() instanceof ExactType.Pointer p ? p.target().size() : 1;
        return new Value.Narrow(
                f -> {
                    long address = from.at(f);
                    return Memory.moved(address, bytes(by.at(f), size));
                },
                m.type());
    }

    private static long bytes(long elements, long size) {
        // More than any array has: told by Memory.
        return Math.clamp(elements, -(1L << 31), 1L << 31) * size;
    }

    private Value choice(ExactExpression.Choice c) {
        Code test = narrow(c.condition());
        Value then = value(c.then());
        Value otherwise = value(c.otherwise());
        if (c.type().isWide()) {
            WideCode x = then.wide();
            WideCode y = otherwise.wide();
            return new Value.Broad(f -> test.at(f) != 0 ? x.at(f) : y.at(f), c.type());
        }
        Code x = then.narrow();
        Code y = otherwise.narrow();
        return new Value.Narrow(f -> test.at(f) != 0 ? x.at(f) : y.at(f), c.type());
    }

    /// Code for the address of a place in memory.
    Code address(ExactPlace place) {
        return switch (place) {
            case ExactPlace.Local l -> {
                int i = l.index();
                yield f -> f.variables[i];
            }
            case ExactPlace.Global g -> {
                long address = machine.globals[g.index()];
                yield f -> address;
            }
            case ExactPlace.Pointee p -> narrow(p.address());
            case ExactPlace.Element e -> {
                Code base = address(e.array());
                Code index = narrow(e.index());
                long size = e.type().size();
                yield f -> {
                    long address = base.at(f);
                    return Memory.moved(address, bytes(index.at(f), size));
                };
            }
            case ExactPlace.Member m -> {
                Code base = address(m.owner());
                int offset = m.field().offset();
                yield offset == 0 ? base : f -> base.at(f) + offset;
            }
            case ExactPlace.Bits b -> throw new IllegalStateException("bits have no address");
        };
    }

    private boolean inRegister(ExactPlace place) {
        // Beyond the variables stand values kept for a moment.
        return place instanceof ExactPlace.Local l
                && (l.index() >= function.variables().size()
                        || !function.variables().get(l.index()).inMemory());
    }

    private Value load(ExactPlace place) {
        ExactType type = place.type();
        if (place instanceof ExactPlace.Local l && inRegister(place)) {
            int i = l.index();
            return new Value.Narrow(f -> f.variables[i], type);
        }
        if (place instanceof ExactPlace.Bits b) {
            return loadBits(b);
        }
        return loadAt(address(place), type);
    }

    private Value loadAt(Code at, ExactType type) {
        if (type.isAggregate()) {
            return new Value.Narrow(at, type);
        }
        if (type.isWide()) {
            return new Value.Broad(f -> memory.loadWide(at.at(f), type), type);
        }
        boolean signed = type.signed() || type instanceof Real;
        Code code = switch (type.size()) {
            case 1 -> signed ? f -> memory.load8(at.at(f)) : f -> memory.load8(at.at(f)) & 0xFFL;
            case 2 -> signed ? f -> memory.load16(at.at(f)) : f -> memory.load16(at.at(f)) & 0xFFFFL;
            case 4 -> signed ? f -> memory.load32(at.at(f)) : f -> memory.load32(at.at(f)) & 0xFFFFFFFFL;
            default -> f -> memory.load64(at.at(f));
        };
        return new Value.Narrow(code, type);
    }

    private Value loadBits(ExactPlace.Bits b) {
        WideCode whole = load(b.whole()).wide();
        Code high = narrow(b.high());
        Code low = narrow(b.low());
        int bits = b.whole().type().bits();
        return ConvertCode.packed(
                f -> {
                    BigInteger v = whole.at(f);
                    int h = bit(high.at(f), bits);
                    int l = bit(low.at(f), bits);
                    return h >= l
                            ? Conversions.wrap(v.shiftRight(l), h - l + 1, false)
                            : reversed(Conversions.wrap(v.shiftRight(h), l - h + 1, false), l - h + 1);
                },
                b.type());
    }

    private static int bit(long number, int bits) {
        if (number < 0 || number >= bits) {
            throw new Stop("selects bit " + number + " of a number of " + bits + " bits");
        }
        return (int) number;
    }

    private static BigInteger reversed(BigInteger value, int bits) {
        BigInteger r = BigInteger.ZERO;
        for (int i = 0; i < bits; i++) {
            if (value.testBit(i)) {
                r = r.setBit(bits - 1 - i);
            }
        }
        return r;
    }

    private Value store(ExactExpression.Store s) {
        return storeTo(s.place(), value(s.value()));
    }

    private Value storeTo(ExactPlace place, Value value) {
        ExactType type = place.type();
        if (place instanceof ExactPlace.Local l && inRegister(place)) {
            int i = l.index();
            Code code = value.narrow();
            return new Value.Narrow(f -> f.variables[i] = code.at(f), type);
        }
        if (place instanceof ExactPlace.Bits b) {
            return storeBits(b, value);
        }
        Code at = address(place);
        int size = type.size();
        if (type.isWide()) {
            WideCode code = value.wide();
            return new Value.Broad(
                    f -> {
                        BigInteger v = code.at(f);
                        memory.storeWide(at.at(f), v, size);
                        return v;
                    },
                    type);
        }
        Code code = value.narrow();
        if (type.isAggregate()) {
            return new Value.Narrow(
                    f -> {
                        long from = code.at(f);
                        long to = at.at(f);
                        memory.copy(to, from, size);
                        return to;
                    },
                    type);
        }
        Code stored = switch (size) {
            case 1 ->
                f -> {
                    long v = code.at(f);
                    memory.store8(at.at(f), (byte) v);
                    return v;
                };
            case 2 ->
                f -> {
                    long v = code.at(f);
                    memory.store16(at.at(f), (short) v);
                    return v;
                };
            case 4 ->
                f -> {
                    long v = code.at(f);
                    memory.store32(at.at(f), (int) v);
                    return v;
                };
            default ->
                f -> {
                    long v = code.at(f);
                    memory.store64(at.at(f), v);
                    return v;
                };
        };
        return new Value.Narrow(stored, type);
    }

    private Value storeBits(ExactPlace.Bits b, Value value) {
        WideCode code = value.wide();
        WideCode old = load(b.whole()).wide();
        Code high = narrow(b.high());
        Code low = narrow(b.low());
        ExactType whole = b.whole().type();
        var kept = new BigInteger[1];
        // The whole is written back in one piece; its place is computed again, which has no effects.
        Step write = storeTo(b.whole(), ConvertCode.packed(f -> kept[0], whole)).effect();
        return ConvertCode.packed(
                f -> {
                    BigInteger v = code.at(f);
                    BigInteger before = old.at(f);
                    int h = bit(high.at(f), whole.bits());
                    int l = bit(low.at(f), whole.bits());
                    int n = Math.abs(h - l) + 1;
                    BigInteger part = Conversions.wrap(v, n, false);
                    BigInteger placed = (h >= l ? part : reversed(part, n)).shiftLeft(Math.min(h, l));
                    BigInteger mask =
                            BigInteger.ONE.shiftLeft(n).subtract(BigInteger.ONE).shiftLeft(Math.min(h, l));
                    kept[0] = Conversions.wrap(before.andNot(mask).or(placed), whole.bits(), whole.signed());
                    write.run(f);
                    return part;
                },
                b.type());
    }

    private Value update(ExactExpression.Update u) {
        ExactType type = u.place().type();
        if (inRegister(u.place()) && isSimple(u.operand())) {
            int i = ((ExactPlace.Local) u.place()).index();
            boolean counts = type.equals(ExactType.INT)
                    && u.operand() instanceof ExactExpression.Whole w
                    && w.value().equals(BigInteger.ONE)
                    && u.result().equals(ExactType.INT)
                    && u.operator() == Operator.ADD;
            if (counts) {
                return new Value.Narrow(
                        u.old()
                                ? f -> {
                                    long v = f.variables[i];
                                    f.variables[i] = (int) (v + 1);
                                    return v;
                                }
                                : f -> f.variables[i] = (int) (f.variables[i] + 1),
                        type);
            }
            Code now = combined(u, new Value.Narrow(f -> f.variables[i], type), value(u.operand()))
                    .narrow();
            return new Value.Narrow(
                    u.old()
                            ? f -> {
                                long v = f.variables[i];
                                f.variables[i] = now.at(f);
                                return v;
                            }
                            : f -> f.variables[i] = now.at(f),
                    type);
        }
        if (u.place() instanceof ExactPlace.Bits) {
            Value old = load(u.place());
            return storeTo(u.place(), combined(u, old, value(u.operand())));
        }
        // Operand, then place, each once.
        Value operand = value(u.operand());
        int kept = operand instanceof Value.Narrow ? slots++ : -1;
        var keptWide = new BigInteger[1];
        Value again = kept >= 0
                ? new Value.Narrow(f -> f.variables[kept], operand.type())
                : new Value.Broad(f -> keptWide[0], operand.type());
        Step keep = kept >= 0
                ? keep(kept, operand.narrow())
                : f -> {
                    keptWide[0] = operand.wide().at(f);
                    return Step.NEXT;
                };
        if (inRegister(u.place())) {
            int i = ((ExactPlace.Local) u.place()).index();
            Code now = combined(u, new Value.Narrow(f -> f.variables[i], type), again)
                    .narrow();
            return new Value.Narrow(
                    f -> {
                        keep.run(f);
                        long before = f.variables[i];
                        f.variables[i] = now.at(f);
                        return u.old() ? before : f.variables[i];
                    },
                    type);
        }
        int at = slots++;
        Step find = keep(at, address(u.place()));
        var there = new ExactPlace.Pointee(kept(at), type);
        Value before = load(there);
        Value after = storeTo(there, combined(u, before, again));
        Step both = f -> {
            keep.run(f);
            return find.run(f);
        };
        if (!u.old()) {
            return after.after(both);
        }
        if (type.isWide()) {
            WideCode old = before.wide();
            WideCode now = after.wide();
            return new Value.Broad(
                    f -> {
                        both.run(f);
                        BigInteger v = old.at(f);
                        now.at(f);
                        return v;
                    },
                    type);
        }
        Code old = before.narrow();
        Code now = after.narrow();
        return new Value.Narrow(
                f -> {
                    both.run(f);
                    long v = old.at(f);
                    now.at(f);
                    return v;
                },
                type);
    }

    private static Step keep(int slot, Code code) {
        return f -> {
            f.variables[slot] = code.at(f);
            return Step.NEXT;
        };
    }

    /// An expression that reads a kept value.
    private static ExactExpression kept(int slot) {
        return new ExactExpression.Load(new ExactPlace.Local(slot, Slot.TYPE));
    }

    /// Type of kept addresses.
    private static final class Slot {
        static final ExactType TYPE = new ExactType.Pointer(ExactType.NOTHING);
    }

    private static Value combined(ExactExpression.Update u, Value old, Value operand) {
        if (u.left() instanceof ExactType.Pointer p) {
            Code from = old.narrow();
            Code by = operand.narrow();
            long size = p.target().size();
            long sign = u.operator() == Operator.SUBTRACT ? -1 : 1;
            return new Value.Narrow(f -> Memory.moved(from.at(f), bytes(sign * by.at(f), size)), p);
        }
        Value left = ConvertCode.convert(old, u.left());
        return ConvertCode.convert(
                BinaryCode.binary(u.operator(), left, operand, u.result()),
                u.place().type());
    }

    /// Whether computing it twice or in another order changes nothing.
    private boolean isSimple(ExactExpression e) {
        return switch (e) {
            case ExactExpression.Whole w -> true;
            case ExactExpression.Floating v -> true;
            case ExactExpression.Load l -> isSimple(l.place());
            case ExactExpression.Unary u -> isSimple(u.operand());
            case ExactExpression.Binary b -> isSimple(b.left()) && isSimple(b.right());
            case ExactExpression.Convert c -> isSimple(c.value());
            default -> false;
        };
    }

    private boolean isSimple(ExactPlace place) {
        return switch (place) {
            case ExactPlace.Local l -> true;
            case ExactPlace.Global g -> true;
            case ExactPlace.Pointee p -> isSimple(p.address());
            case ExactPlace.Element e -> isSimple(e.array()) && isSimple(e.index());
            case ExactPlace.Member m -> isSimple(m.owner());
            case ExactPlace.Bits b -> false;
        };
    }

    private Value call(ExactExpression.Call c) {
        List<Value> arguments = c.arguments().stream().map(this::value).toList();
        Code[] codes = new Code[arguments.size()];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = switch (arguments.get(i)) {
                case Value.Narrow n -> n.code();
                case Value.Broad b -> {
                    // Kept in memory until the callee has copied it.
                    WideCode code = b.code();
                    int size = b.type().size();
                    yield f -> {
                        BigInteger v = code.at(f);
                        long at = memory.add(new byte[size], "");
                        memory.storeWide(at, v, size);
                        return at;
                    };
                }
            };
        }
        int number = c.function();
        ExactType type = c.type();
        Optional<ExactPlace.Local> structure = c.room();
        boolean wide = type.isWide();
        Code run = f -> {
            int mark = memory.mark();
            Machine.Body body = machine.body(number);
            var frame = new Frame(body.slots());
            for (int i = 0; i < codes.length; i++) {
                frame.variables[i] = codes[i].at(f);
            }
            machine.run(body, frame);
            memory.release(mark);
            if (structure.isPresent()) {
                long to = f.variables[structure.get().index()];
                byte[] bytes = machine.returned();
                for (int i = 0; i < bytes.length; i++) {
                    memory.store8(to + i, bytes[i]);
                }
                return to;
            }
            if (wide) {
                f.wideResult = frame.wideResult;
            }
            return frame.result;
        };
        return wide
                ? new Value.Broad(
                        f -> {
                            run.at(f);
                            return f.wideResult;
                        },
                        type)
                : new Value.Narrow(run, type);
    }

    private Value stream(ExactExpression.StreamCall s) {
        Code number = load(s.stream()).narrow();
        return switch (s.operation()) {
            case EMPTY -> new Value.Narrow(f -> machine.stream(number.at(f)).isEmpty() ? 1 : 0, s.type());
            case SIZE -> new Value.Narrow(f -> machine.stream(number.at(f)).size(), s.type());
            case READ -> {
                Code to = narrow(s.argument().orElseThrow());
                yield new Value.Narrow(
                        f -> {
                            byte[] bytes = machine.stream(number.at(f)).poll();
                            if (bytes == null) {
                                throw new Stop("reads from an empty stream");
                            }
                            long at = to.at(f);
                            for (int i = 0; i < bytes.length; i++) {
                                memory.store8(at + i, bytes[i]);
                            }
                            return at;
                        },
                        s.type());
            }
            case WRITE -> {
                Code from = narrow(s.argument().orElseThrow());
                int size = s.stream().type() instanceof ExactType.Stream t
                        ? t.element().size()
                        : 0;
                yield new Value.Narrow(
                        f -> {
                            byte[] bytes = memory.bytes(from.at(f), size);
                            machine.stream(number.at(f)).add(bytes);
                            return 0;
                        },
                        s.type());
            }
        };
    }
}
