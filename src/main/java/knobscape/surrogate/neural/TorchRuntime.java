package knobscape.surrogate.neural;

import java.util.Optional;
import org.bytedeco.pytorch.global.torch;

/// Tells whether LibTorch can be used here. The first question loads the native library (about a second, the very
/// first time several while it is unpacked) and sets both of its thread pools to one thread: fits run side by
/// side on threads of our own, and spinning pools would slow everything down tenfold.
public final class TorchRuntime {
    private TorchRuntime() {}

    /// Loaded once, when first asked for.
    private static final class Holder {
        static final Optional<String> PROBLEM = load();

        private static Optional<String> load() {
            try {
                UnpackedTorch.discardCut();
                torch.set_num_threads(1);
                org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads(1);
                return Optional.empty();
            } catch (LinkageError e) {
                Throwable root = e;
                while (root.getCause() != null) {
                    root = root.getCause();
                }
                String words =
                        String.valueOf(root.getMessage()).lines().findFirst().orElse("unknown reason");
                return Optional.of("LibTorch does not load on this machine (" + words
                        + "); it needs x86-64 Linux with glibc 2.35, Windows or macOS.");
            }
        }
    }

    /// Why LibTorch cannot be used, one sentence; empty where it can.
    public static Optional<String> problem() {
        return Holder.PROBLEM;
    }
}
