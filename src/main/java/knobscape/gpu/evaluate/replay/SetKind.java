package knobscape.gpu.evaluate.replay;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Families of measured sets, told apart by their columns; what a file does not say of itself (floating-point operations, whether it is exhaustive) is known here.
public enum SetKind {
    /// CLBlast's Xgemm on 4096 x 4096 matrices.
    GEMM_CLBLAST("SGEMM 4096 x 4096 x 4096 (CLBlast)", true, List.of("MWG", "NWG", "MDIMC", "VWM", "SA", "status"), List.of("KWG")) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.of(2L * 4096 * 4096 * 4096 + 2L * 4096 * 4096);
        }
    },
    /// CLTune's gemm_fast on 2048 x 2048 matrices.
    GEMM_CLTUNE("SGEMM 2048 x 2048 x 2048 (CLTune)", true, List.of("MWG", "NWG", "KWG", "MDIMC", "run1_ms"), List.of()) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.of(2L * 2048 * 2048 * 2048);
        }
    },
    /// A 15 x 15 filter over 4096 x 4096 pixels, without the choice of shared memory.
    FILTER("15 x 15 filter over 4096 x 4096 pixels", true, List.of("block_size_x", "block_size_y", "tile_size_x", "read_only", "use_padding"), List.of("use_shmem")) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.of(2L * 4096 * 4096 * 225);
        }
    },
    /// The same measured by KTT, with compiler figures.
    FILTER_KTT("15 x 15 filter over 4096 x 4096 pixels (KTT)", true, List.of("BLOCK_SIZE_X", "TILE_SIZE_X", "PADDING", "READ_ONLY"), List.of()) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.of(2L * 4096 * 4096 * 225);
        }
    },
    /// The same with a choice of shared memory, on several makes of GPU.
    FILTER_MILO("15 x 15 filter over 4096 x 4096 pixels, CUDA and HIP", true, List.of("block_size_x", "tile_size_x", "use_padding", "use_shmem"), List.of()) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.of(2L * 4096 * 4096 * 225);
        }
    },
    /// Dedispersion, bound by memory; its operations are not counted.
    DEDISPERSION("dedispersion of 25 000 samples for 2048 measures", true, List.of("block_size_x", "tile_stride_x", "tile_stride_y"), List.of()) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.empty();
        }
    },
    /// AMOS's traces of convolutions on tensor cores.
    AMOS("convolution on tensor cores, a search trace", false, List.of("mapping", "vectorize", "s0_0", "r0_0", "out_unroll"), List.of()) {
        private static final Pattern NAME = Pattern.compile(".*_c(\\d{1,5})_h(\\d{1,5})_k(\\d{1,5})_r(\\d{1,3})_s(\\d{1,2})_p(\\d{1,2})");

        @Override
        OptionalLong flops(String stem) {
            Matcher m = NAME.matcher(stem);
            if (!m.matches() || number(m, 5) == 0) {
                return OptionalLong.empty();
            }
            long out = (number(m, 2) + 2 * number(m, 6) - number(m, 4)) / number(m, 5) + 1;
            return OptionalLong.of(2 * out * out * number(m, 3) * number(m, 1) * number(m, 4) * number(m, 4));
        }
    },
    /// AutoTVM's traces of matrix products.
    AUTOTVM("matrix product of AutoTVM, a search trace", false, List.of("index", "tile_k_0", "status", "all_cost_s"), List.of()) {
        private static final Pattern NAME = Pattern.compile(".*_b(\\d{1,5})_m(\\d{1,6})_n(\\d{1,6})_k(\\d{1,6})");

        @Override
        OptionalLong flops(String stem) {
            Matcher m = NAME.matcher(stem);
            return m.matches() ? OptionalLong.of(2 * number(m, 1) * number(m, 2) * number(m, 3) * number(m, 4)) : OptionalLong.empty();
        }
    },
    /// Ansor's trace of a matrix product with an activation.
    ANSOR("matrix product with swish of Ansor, a search trace", false, List.of("i0", "j4", "k2", "split_a", "unroll"), List.of()) {
        private static final Pattern NAME = Pattern.compile(".*_m(\\d{1,6})_n(\\d{1,6})_k(\\d{1,6})");

        @Override
        OptionalLong flops(String stem) {
            Matcher m = NAME.matcher(stem);
            return m.matches() ? OptionalLong.of(2 * number(m, 1) * number(m, 2) * number(m, 3)) : OptionalLong.empty();
        }
    },
    /// Best records of many layers; the layer is part of the row.
    TOPHUB("best known schedules of many layers", false, List.of("tophub_version", "best_for_workload"), List.of()) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.empty();
        }
    },
    /// Any other table with a column `time_ms`.
    OTHER("measured tuning space", false, List.of("time_ms"), List.of()) {
        @Override
        OptionalLong flops(String stem) {
            return OptionalLong.empty();
        }
    };

    private final String words;
    private final boolean exhaustive;
    private final List<String> columns;
    private final List<String> absent;

    SetKind(String words, boolean exhaustive, List<String> columns, List<String> absent) {
        this.words = words;
        this.exhaustive = exhaustive;
        this.columns = columns;
        this.absent = absent;
    }

    /// Floating-point operations of one call, where they are known.
    ///
    /// @param stem name of the file without its ending, which names shapes in some families
    abstract OptionalLong flops(String stem);

    /// What was measured, in a few words.
    public String words() {
        return words;
    }

    /// Whether every configuration that satisfies the constraints is in the file.
    public boolean isExhaustive() {
        return exhaustive;
    }

    static java.util.Optional<SetKind> of(List<String> header) {
        return Arrays.stream(values()).filter(k -> header.containsAll(k.columns) && k.absent.stream().noneMatch(header::contains)).findFirst();
    }

    private static long number(Matcher m, int group) {
        return Long.parseLong(m.group(group));
    }
}
