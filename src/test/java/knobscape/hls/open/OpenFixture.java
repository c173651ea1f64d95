package knobscape.hls.open;

import java.util.List;
import java.util.Map;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;

/// Small kernels of the open flow.
final class OpenFixture {
    static final String DOT = """
            int dot(const int a[16], const int b[16], int scale) {
              int s = 0;
            products:
              for (int i = 0; i < 16; i++) {
                s += a[i] * b[i];
              }
              return s * scale;
            }
            """;
    static final String FLOATS = """
            void smooth(const float in[18], float out[16], float k) {
            point:
              for (int i = 0; i < 16; i++) {
                float s = in[i] + in[i + 1] * k + in[i + 2];
                out[i] = s > 1.0f ? s / k : -s;
              }
            }
            """;
    static final String COUNTS = """
            void counts(const unsigned char in[32], int bins[16]) {
            clear:
              for (int i = 0; i < 16; i++) bins[i] = 0;
            count:
              for (int i = 0; i < 32; i++) bins[in[i] & 15] += 1;
            }
            """;

    static final String SCALE = """
            int scale(int a, short b) {
              int s = 3;
            twice:
              for (int i = 0; i < 2; i++) s = s * b + a;
              return s;
            }
            """;

    private OpenFixture() {}

    static ToolWork work(String source) {
        return work(Kernels.of(source));
    }

    static ToolWork work(String source, String top) {
        return work(Kernels.of(source, top));
    }

    private static ToolWork work(Kernel kernel) {
        Part part = Part.byDefault();
        var space = SpaceBuilder.build(kernel, SpaceLimits.forPart(part.dsp(), part.bram(), part.uram()));
        return new ToolWork(space, part, 10, List.of(), Map.of());
    }

    static OpenKernel kernel(ToolWork work, double clockNs) {
        return new OpenKernel(work.space(), clockNs, new CancellationSignal());
    }
}
