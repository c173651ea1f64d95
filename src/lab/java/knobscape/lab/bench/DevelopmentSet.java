package knobscape.lab.bench;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which kernels were looked at when a default of `cgp` was chosen (`src/lab/notes` say which default): a figure
/// of any other kernel is blind. Whoever chooses by a kernel adds it here.
final class DevelopmentSet {
    private static final String THESIS_SUITE = "fudan_machsuite";

    /// By suite; every kernel where it says `*`.
    private static final Map<String, Set<String>> KERNELS = Map.of(
            THESIS_SUITE,
            Set.of("*"),
            "hlsdataset_polybench",
            Set.of("atax", "syrk"),
            "spector_hls",
            Set.of("matmul", "normals", "sobel_x"),
            "dahlia",
            Set.of("nw"),
            "hlsyn",
            Set.of(
                    "2mm",
                    "adi",
                    "atax",
                    "bicg",
                    "fdtd-2d",
                    "fdtd-2d-large",
                    "gemm-blocked",
                    "gemver",
                    "gemver-medium",
                    "heat-3d",
                    "nw",
                    "seidel-2d",
                    "symm",
                    "syrk"),
            HlsSuites.ESTIMATES,
            Set.of(
                    "conv_chain",
                    "gemm",
                    "sort_radix",
                    "spmv_crs",
                    "spmv_ellpack",
                    "stencil3d",
                    "md-knn",
                    "md-grid",
                    "nw-nw",
                    "sort-radix",
                    "stencil-stencil3d",
                    "viterbi-viterbi",
                    "linear-algebra-blas-gemm",
                    "linear-algebra-blas-syrk",
                    "linear-algebra-kernels-2mm",
                    "linear-algebra-kernels-atax",
                    "linear-algebra-kernels-mvt",
                    "stencils-fdtd-2d"));

    /// Further kernels whose promises were looked at when the end of a run was chosen, by suite likewise. What a search
    /// reaches at equal hours does not depend on it.
    private static final Map<String, Set<String>> ENDS = Map.of(
            "hlsdataset_polybench",
            Set.of("bicg", "gemm", "gesummv", "k2mm"),
            "spector_hls",
            Set.of("dct", "histogram", "sobel_y"),
            "hlsyn",
            Set.of("atax-medium", "bicg-medium", "gesummv-medium", "symm-opt", "symm-opt-medium"));

    private DevelopmentSet() {}

    /// Those of the kernels that defaults were chosen with, in words.
    static String among(Collection<String> subjects) {
        List<String> seen = subjects.stream().filter(s -> !isBlind(s)).sorted().toList();
        return seen.isEmpty() ? "none of these kernels" : String.join(", ", seen);
    }

    /// True if defaults were chosen without this kernel.
    ///
    /// @param subject suite and kernel with a slash between them, or a kernel of the thesis's own suite
    static boolean isBlind(String subject) {
        return isBlind(subject, KERNELS);
    }

    /// The same of what a reading depends on.
    static boolean isBlind(String subject, TrialReading reading) {
        return isBlind(subject) && (reading != TrialReading.OWN_STOP || isBlind(subject, ENDS));
    }

    private static boolean isBlind(String subject, Map<String, Set<String>> kernels) {
        int at = subject.indexOf('/');
        Set<String> seen = kernels.getOrDefault(at < 0 ? THESIS_SUITE : subject.substring(0, at), Set.of());
        return !seen.contains("*") && !seen.contains(subject.substring(at + 1));
    }
}
