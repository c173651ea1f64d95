package knobscape.gpu.space.nest;

/// Why a kernel cannot run on a device, found before anything is compiled.
public sealed interface Rejection {
    /// Short name of the reason, the same for every size; rejections are counted by it.
    String reason();

    /// One sentence with the numbers.
    String sentence();

    /// A block has too many threads in all.
    ///
    /// @param kernel the kernel
    /// @param threads threads of a block
    /// @param limit most the device allows
    record TooManyThreads(String kernel, long threads, long limit) implements Rejection {
        @Override
        public String reason() {
            return "threads per block";
        }

        @Override
        public String sentence() {
            return "Kernel " + kernel + " asks for " + threads + " threads per block, the device allows " + limit + ".";
        }
    }

    /// A block has too many threads in one dimension.
    ///
    /// @param kernel the kernel
    /// @param dimension x, y or z
    /// @param threads threads in that dimension
    /// @param limit most the device allows
    record ThreadDimension(String kernel, char dimension, long threads, long limit) implements Rejection {
        @Override
        public String reason() {
            return "threads in dimension " + dimension;
        }

        @Override
        public String sentence() {
            return "Kernel " + kernel + " asks for " + threads + " threads in dimension " + dimension
                    + ", the device allows " + limit + ".";
        }
    }

    /// The shared buffers of a block are too large.
    ///
    /// @param kernel the kernel
    /// @param bytes what a block needs
    /// @param limit most the device allows
    record SharedMemory(String kernel, long bytes, long limit) implements Rejection {
        @Override
        public String reason() {
            return "shared memory";
        }

        @Override
        public String sentence() {
            return "Kernel " + kernel + " needs " + bytes + " bytes of shared memory per block, the device has " + limit
                    + ".";
        }
    }

    /// The grid has too many blocks in one dimension.
    ///
    /// @param kernel the kernel
    /// @param dimension x, y or z
    /// @param blocks blocks in that dimension
    /// @param limit most the device allows
    record GridDimension(String kernel, char dimension, long blocks, long limit) implements Rejection {
        @Override
        public String reason() {
            return "blocks in dimension " + dimension;
        }

        @Override
        public String sentence() {
            return "Kernel " + kernel + " asks for " + blocks + " blocks in dimension " + dimension
                    + ", the device allows " + limit + ".";
        }
    }

    /// A log says that it was rejected, and no more.
    ///
    /// @param why what the log says
    record Recorded(String why) implements Rejection {
        @Override
        public String reason() {
            return "rejected before, reason " + why;
        }

        @Override
        public String sentence() {
            return "It was rejected before it was compiled, for a reason " + why + ".";
        }
    }
}
