package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.compile.analysis.Affine;
import knobscape.hls.evaluate.estimator.IrObjects.Memory;
import knobscape.hls.space.Directive.PartitionType;

/// Where accesses of one block go: bank, word and lane as far as the forms of their addresses tell. Banks are numbered
/// relative to what moves: equal moving parts, other constants are other banks for sure.
final class IrPlaces {
    private final Map<List<Object>, Integer> groups = new HashMap<>();
    private final Numbers numbers;

    /// The known numbers for the symbols of addresses where the accesses stand.
    interface Numbers {
        /// Largest value of a symbol that is never negative, -1 where unknown.
        long most(int symbol);

        /// True if an index changes while the block runs; what does not is found before it.
        boolean moves(Affine index);

        /// True if every access looks for its bank by itself, so that two may meet wherever their indices move.
        boolean divides();
    }

    IrPlaces(Numbers numbers) {
        this.numbers = numbers;
    }

    /// A place.
    ///
    /// @param group accesses of one group are in the same bank exactly where `bank` is the same
    /// @param port the bank as far as the tool tells accesses apart by it
    /// @param choices banks that it may be in; one where that is known when the hardware is made
    /// @param laneKnown the same of the place in a reshaped word
    /// @param divided whether finding bank or lane divides by a number that is not a power of two
    /// @param word address of the word, equal exactly for the same word in the same iteration
    record Place(int group, int bank, int port, int choices, boolean laneKnown, boolean divided, Word word) {
        boolean bankKnown() {
            return choices == 1;
        }
    }

    /// A word's address: its constants and moving parts by dimension.
    record Word(int group, int bank, List<Affine> index) {}

    /// The place of an access.
    ///
    /// @param bytes from the start of the memory
    Place of(int memory, Memory m, Affine bytes) {
        Layout l = m.layout();
        var key = new ArrayList<Object>();
        key.add(memory);
        var word = new ArrayList<Affine>();
        long bank = 0;
        long port = 0;
        int choices = 1;
        boolean laneKnown = true;
        boolean divided = false;
        int dims = l.dims;
        Affine[] indices = indices(m, bytes);
        Affine rest = indices[dims];
        for (int d = 0; d < dims; d++) {
            Affine index = indices[d];
            boolean moves = l.factor[d] * l.lanes[d] > 1 && numbers.moves(index);
            if (l.factor[d] > 1) {
                Affine moving;
                Affine whole = index;
                long own;
                long block = l.cyclic[d] ? -1 : blockOf(index, l.block[d]);
                if (block >= 0) {
                    moving = Affine.of(0);
                    own = block;
                    index = index.plus(-own * l.block[d]);
                } else if (l.cyclic[d]) {
                    moving = modulo(index.moving(), l.factor[d]);
                    own = Math.floorMod(index.constant(), (long) l.factor[d]);
                    index = quotient(index, l.factor[d], moving.isConstant());
                } else {
                    // Constants that do not reach from one step of what moves to the next stay in its block.
                    long step = common(index, l.block[d]);
                    long inside = Math.floorMod(index.constant(), l.block[d]);
                    moving = index.isConstant()
                            ? index.moving()
                            : index.moving().plus(inside - Math.floorMod(inside, step));
                    own = Math.floorDiv(index.constant(), l.block[d]);
                    index = index.plus(-own * l.block[d]);
                }
                key.add(d);
                key.add(moving);
                choices *= moving.isConstant()
                        ? 1
                        : l.cyclic[d] ? l.factor[d] / (int) common(moving, l.factor[d]) : l.factor[d];
                divided |= !moving.isConstant() && moves && l.oddBanks(d);
                bank = bank * 4_099 + own;
                port = port * 4_099 + (moving.isConstant() ? own : (numbers.divides() ? own % told(l, d, whole) : own));
            }
            if (l.lanes[d] > 1) {
                boolean known =
                        l.lanesCyclic[d] && modulo(index.moving(), l.lanes[d]).isConstant();
                laneKnown &= known;
                divided |= !known && moves && l.oddLanes(d);
                index = known ? quotient(index, l.lanes[d], true) : index;
            }
            word.add(index);
        }
        if (!m.wholeWords() && m.fieldBytes().isEmpty()) {
            // Parts of an element (bytes of a word) lie in one word.
            word.add(rest.moving());
        }
        int group = groups.computeIfAbsent(key, _ -> groups.size());
        return new Place(
                group,
                (int) bank,
                (int) port,
                choices,
                laneKnown,
                divided,
                new Word(group, (int) bank, List.copyOf(word)));
    }

    /// The index of each dimension, and behind them the bytes within an element.
    static Affine[] indices(Memory m, Affine bytes) {
        int dims = m.layout().dims;
        var all = new Affine[dims + 1];
        Affine rest = bytes;
        for (int d = 0; d < dims; d++) {
            if (d == dims - 1 && !m.fieldBytes().isEmpty()) {
                all[d] = Affine.of(field(m, rest.constant()));
            } else {
                long stride = m.store().strides()[d] * m.elementBytes();
                stride = m.fieldBytes().isEmpty()
                        ? stride
                        : stride / m.fieldBytes().size();
                Affine[] parts = divided(rest, Math.max(1, stride));
                all[d] = parts[0];
                rest = parts[1];
            }
        }
        all[dims] = rest;
        return all;
    }

    /// Number of banks that the constant part of a moving index tells apart. The tool knows the lowest bits of an index
    /// that steps by a power of two, and nothing of the rest of a division.
    private static long told(Layout l, int d, Affine index) {
        boolean complete = l.request.partition().get(d).type() == PartitionType.COMPLETE;
        if (!complete && (!l.cyclic[d] || l.oddBanks(d))) {
            return 1;
        }
        return common(index, complete ? Long.highestOneBit(l.factor[d]) << 1 : l.factor[d]);
    }

    /// Greatest common divisor of a number and the factors of what moves.
    private static long common(Affine a, long with) {
        return Math.max(1, a.divisor(with));
    }

    /// The block of so many elements in which an index stays, -1 where it may leave one.
    private long blockOf(Affine index, long elements) {
        long least = index.constant();
        long most = index.constant();
        for (int k = 0; k < index.size(); k++) {
            long range = numbers.most(index.symbols()[k]);
            if (range < 0) {
                return -1;
            }
            least += Math.min(0, index.factorAt(k) * range);
            most += Math.max(0, index.factorAt(k) * range);
        }
        long block = Math.floorDiv(least, elements);
        return block >= 0 && block == Math.floorDiv(most, elements) ? block : -1;
    }

    private static long field(Memory m, long offset) {
        int k = 0;
        while (k + 1 < m.fieldBytes().size() && m.fieldBytes().get(k + 1) <= offset) {
            k++;
        }
        return k;
    }

    /// Quotient and rest of a form by a stride: factors of at least a stride belong to the quotient.
    private static Affine[] divided(Affine a, long stride) {
        long whole = Math.floorDiv(a.constant(), stride);
        Affine quotient = Affine.of(whole);
        Affine rest = Affine.of(a.constant() - whole * stride);
        for (int k = 0; k < a.size(); k++) {
            Affine s = Affine.symbol(a.symbols()[k]);
            long q = a.factorAt(k) / stride;
            quotient = quotient.plus(s, q);
            rest = rest.plus(s, a.factorAt(k) - q * stride);
        }
        return new Affine[] {quotient, rest};
    }

    private static Affine modulo(Affine moving, long by) {
        Affine out = Affine.of(0);
        for (int k = 0; k < moving.size(); k++) {
            out = out.plus(Affine.symbol(moving.symbols()[k]), Math.floorMod(moving.factorAt(k), by));
        }
        return out;
    }

    /// The index within a bank; the whole index where the bank moves.
    private static Affine quotient(Affine index, long by, boolean divides) {
        if (!divides) {
            return index;
        }
        Affine out = Affine.of(Math.floorDiv(index.constant(), by));
        for (int k = 0; k < index.size(); k++) {
            out = out.plus(Affine.symbol(index.symbols()[k]), index.factorAt(k) / by);
        }
        return out;
    }
}
