package knobscape.gpu.space.nest;

/// One loop variable of a nest, running from 0 to `extent - 1`. Two axes are the same only when they are the
/// same object.
public final class Axis implements IndexExpr.Atom {
    private final String name;
    private final long extent;
    private final Binding binding;

    /// How the iterations of an axis are carried out.
    public enum Binding {
        /// One block of threads for each iteration, third grid dimension.
        BLOCK_Z,
        /// Second grid dimension.
        BLOCK_Y,
        /// First grid dimension.
        BLOCK_X,
        /// A virtual thread: the same thread again, interleaved statement by statement.
        VTHREAD,
        /// One thread of the block for each iteration, third dimension.
        THREAD_Z,
        /// Second dimension.
        THREAD_Y,
        /// First dimension, whose neighbours share a warp.
        THREAD_X,
        /// A loop.
        SERIAL,
        /// A loop that is always unrolled.
        UNROLLED,
        /// A loop over neighbouring elements, unrolled, that the compiler may turn into accesses of several
        /// words.
        VECTORIZED;

        /// True if the iterations are blocks.
        public boolean isBlock() {
            return this == BLOCK_X || this == BLOCK_Y || this == BLOCK_Z;
        }

        /// True if the iterations are threads per block.
        public boolean isThread() {
            return this == THREAD_X || this == THREAD_Y || this == THREAD_Z;
        }
    }

    /// An axis of `extent` iterations, at least one.
    public Axis(String name, long extent, Binding binding) {
        if (extent < 1) {
            throw new IllegalArgumentException("axis " + name + " must have at least one iteration, was " + extent);
        }
        this.name = name;
        this.extent = extent;
        this.binding = binding;
    }

    /// Name, unique in its nest and an identifier in C.
    public String name() {
        return name;
    }

    /// Number of iterations, at least 1.
    public long extent() {
        return extent;
    }

    /// How the iterations are carried out.
    public Binding binding() {
        return binding;
    }

    @Override
    public long max() {
        return extent - 1;
    }

    @Override
    public String toString() {
        return name;
    }
}
