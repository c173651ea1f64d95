package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.KernelReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultiplicationsTest {
    @TempDir
    private Path folder;

    /// Operation, and the variable it is assigned to, in source order.
    private List<String> products(String body) throws Exception {
        Path file = Files.writeString(
                folder.resolve("f.cpp"),
                "int g(int x) { return x; }\nint f(int a[8], float b[8], double d, int c, float h) {\n" + body
                        + "\n  for (int i = 0; i < 8; i++) a[i] = c;\n  return c;\n}\n");
        var kernel = Kernels.reader().read(file, KernelReader.Options.defaults());
        return kernel.topFunction().multiplications().stream()
                .map(p -> p.operation() + p.variable().map(v -> " " + v).orElse(""))
                .toList();
    }

    @Test
    void aProductIsNamedByTheVariableItIsAssignedTo() throws Exception {
        assertThat(products("c = c * c; float t = h * h; double e = d * d; a[0] = c + (int) (t + e);"))
                .containsExactly("mul c", "fmul t", "dmul e");
        assertThat(products("long t = c * c; a[0] = t;")).containsExactly("mul t");
    }

    @Test
    void insideAnExpressionItHasNoName() throws Exception {
        assertThat(products("c = c * c + 1; a[1] = c * 5;")).containsExactlyInAnyOrder("mul", "mul");
        assertThat(products("int t = c * (c * 3); a[0] = t;")).containsExactlyInAnyOrder("mul t", "mul");
        assertThat(products("if (c * c > 7) { h = h * h; } else { c = c * 9; } b[0] = h;"))
                .containsExactlyInAnyOrder("mul", "fmul h", "mul c");
        assertThat(products("for (int i = 0; i < 4; i++) { b[i] = h * h; }")).containsExactlyInAnyOrder("fmul");
        assertThat(products("a[2] = g(c * c);")).containsExactlyInAnyOrder("mul");
        assertThat(products("if (c > 5) { return c * c; }")).containsExactlyInAnyOrder("mul");
    }

    /// Addresses are computed by the tool in its own way.
    @Test
    void theIndexOfAnArrayCountsForNothing() throws Exception {
        assertThat(products("c = a[c * 3];")).isEmpty();
    }
}
