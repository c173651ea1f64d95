package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.List;
import knobscape.hls.evaluate.estimator.WrittenOutDesign.Division;
import knobscape.hls.space.Directive.PartitionType;

/// A memory of the kernel and its banks. A struct has one for each member.
final class MemoryPlan {
    private static final int MOST_BANKS = 1024;
    private static final long MOST_WORDS = 1L << 22;

    /// Where its contents come from and go to.
    enum Role {
        ARGUMENT,
        LOCAL,
        CONSTANT,
        /// Kept between calls.
        STATIC
    }

    /// How one dimension is cut.
    private record Cut(PartitionType type, int factor) {}

    /// A word in a bank.
    record Place(int bank, int word) {}

    final String name;
    final Role role;
    final int width;
    final List<Long> dims;
    /// Bytes from one index to the next, by dimension.
    final List<Long> strides;
    /// Bytes of an element.
    final int bytes;
    /// Byte of the whole at which the first element starts.
    final long lane;
    /// Loads and stores of it.
    int accesses;
    /// First contents in the order of the source.
    List<Long> initial = List.of();
    int banks;
    int depth;

    private final List<Cut> cuts = new ArrayList<>();
    private final List<Long> local = new ArrayList<>();
    private final List<Long> steps = new ArrayList<>();

    MemoryPlan(
            String name,
            Role role,
            int width,
            List<Long> dims,
            List<Long> strides,
            long lane,
            List<Division> divisions) {
        this.name = name;
        this.role = role;
        this.width = width;
        this.dims = List.copyOf(dims);
        this.strides = List.copyOf(strides);
        this.lane = lane;
        bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
        dims.forEach(_ -> cuts.add(new Cut(PartitionType.CYCLIC, 1)));
        for (Division d : divisions) {
            for (int k = 0; k < dims.size(); k++) {
                if (d.dimension() == 0 || d.dimension() == k + 1) {
                    long n = dims.get(k);
                    boolean complete = d.type() == PartitionType.COMPLETE || d.factor() >= n;
                    cuts.set(
                            k,
                            complete
                                    ? new Cut(PartitionType.COMPLETE, (int) n)
                                    : new Cut(d.type(), Math.max(1, d.factor())));
                }
            }
        }
        long all = 1;
        long words = 1;
        for (int k = 0; k < dims.size(); k++) {
            long of = Math.ceilDiv(dims.get(k), cuts.get(k).factor());
            local.add(of);
            all *= cuts.get(k).factor();
            words *= of;
        }
        if (all > MOST_BANKS || words > MOST_WORDS || dims.stream().anyMatch(n -> n < 1)) {
            throw new NotBuildable("the memory of " + name + " has " + words + " words in " + all + " banks; at most "
                    + MOST_WORDS + " in " + MOST_BANKS + " are built");
        }
        banks = (int) all;
        depth = (int) words;
        long step = 1;
        for (int k = dims.size() - 1; k >= 0; k--) {
            steps.addFirst(step);
            step *= local.get(k);
        }
    }

    boolean isDivided() {
        return banks > 1;
    }

    /// Bits of an address in a bank.
    int addressWidth() {
        return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(depth - 1));
    }

    PartitionType type(int dimension) {
        return cuts.get(dimension).type();
    }

    int factor(int dimension) {
        return cuts.get(dimension).factor();
    }

    /// Indices of one bank in a dimension.
    long local(int dimension) {
        return local.get(dimension);
    }

    /// Words of a bank from one index to the next.
    long step(int dimension) {
        return steps.get(dimension);
    }

    long elements() {
        return dims.stream().reduce(1L, (a, b) -> a * b);
    }

    /// Byte at which an element lies in the kernel's own memory.
    long byteOf(long element) {
        long rest = element;
        long at = lane;
        for (int k = dims.size() - 1; k >= 0; k--) {
            at += rest % dims.get(k) * strides.get(k);
            rest /= dims.get(k);
        }
        return at;
    }

    /// Where an element lies.
    Place place(long element) {
        int bank = 0;
        long word = 0;
        long rest = element;
        long[] index = new long[dims.size()];
        for (int k = dims.size() - 1; k >= 0; k--) {
            index[k] = rest % dims.get(k);
            rest /= dims.get(k);
        }
        for (int k = 0; k < index.length; k++) {
            int f = factor(k);
            boolean block = type(k) == PartitionType.BLOCK;
            bank = bank * f + (int) (block ? index[k] / local(k) : index[k] % f);
            word += (block ? index[k] % local(k) : index[k] / f) * step(k);
        }
        return new Place(bank, (int) word);
    }

    /// Name of a bank's memory.
    String bank(int number) {
        return banks == 1 ? "mem_" + name : "mem_" + name + "_" + number;
    }

    /// Words of a bank at the start.
    List<Long> initial(int bank) {
        if (initial.isEmpty()) {
            return List.of();
        }
        long[] words = new long[depth];
        for (int i = 0; i < initial.size(); i++) {
            Place p = place(i);
            if (p.bank() == bank) {
                words[p.word()] = initial.get(i);
            }
        }
        return java.util.Arrays.stream(words).boxed().toList();
    }
}
