package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Damaged sources: whatever is left of a file, there is a kernel or a sentence, never an accident, and soon.
@Tag("slow")
class KernelFuzzTest {
    private static final int VARIANTS = Integer.getInteger("knobscape.fuzz", 4);
    private static final String[] ODD = {
        "{",
        "}",
        "(",
        ")",
        ";",
        "[",
        "]",
        "<",
        ">",
        "*",
        "&",
        "#",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "\\\n",
        "template",
        "for (",
        "while (1)",
        "0",
        "-1",
        "99999999999999999999",
        "1e400",
        "goto x;",
        "break;",
        "continue;",
        "return;",
        "sizeof",
        "struct",
        "#define",
        "#include \"x\"\n",
        "#if 0\n",
        "\u00E9",
        ","
    };

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain"})
    @Timeout(300)
    void damagedSamplesAreReadOrRefused(String sample) throws Exception {
        String text = Files.readString(Path.of("sample-projects", sample, sample + ".cpp"));
        Path header = Path.of("sample-projects", sample, sample + ".h");
        if (Files.exists(header)) {
            Files.copy(header, folder.resolve(sample + ".h"));
        }
        var random = new Random(sample.hashCode());
        KernelReader reader = HlsTools.standard().reader();
        int read = 0;
        for (int i = 0; i < 3 * VARIANTS; i++) {
            // A compiler refuses nearly every damage, so the whole text goes first.
            String damaged = switch (i == 0 ? -1 : i % 3) {
                case -1 -> text;
                case 0 -> text.substring(0, random.nextInt(text.length()));
                case 1 -> edited(text, random, 1);
                default -> edited(text, random, 4);
            };
            Path file = Files.writeString(folder.resolve("damaged.cpp"), damaged);
            Kernel kernel;
            try {
                kernel = reader.read(file, Options.defaults());
            } catch (UserError e) {
                assertThat(e.getMessage())
                        .contains("damaged.cpp")
                        .doesNotContainPattern("[\\p{Cntrl}&&[^\\n]]")
                        .containsPattern("^[^\\n]*\\.(\\n|$)"); // a compiler's excerpt stands below its sentence
                continue;
            } catch (RuntimeException e) {
                throw new AssertionError("variant " + i + " of " + sample + ":\n" + damaged, e);
            }
            read++;
            goesAllTheWay(kernel, "variant " + i + " of " + sample + ":\n" + damaged, random);
        }
        assertThat(read).as("variants still understood").isPositive();
    }

    private static String edited(String text, Random random, int edits) {
        var b = new StringBuilder(text);
        for (int e = 0; e < edits; e++) {
            int at = random.nextInt(b.length());
            int length = Math.min(b.length() - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 30));
            switch (random.nextInt(4)) {
                case 0 -> b.delete(at, at + length);
                case 1 -> b.insert(at, ODD[random.nextInt(ODD.length)]);
                case 2 -> b.insert(at, b.substring(at, at + length));
                default -> b.setCharAt(at, b.charAt(random.nextInt(b.length())));
            }
        }
        return b.toString();
    }

    /// What was read can be pruned and evaluated.
    private static void goesAllTheWay(Kernel kernel, String what, Random random) {
        try {
            DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
            var estimator = new Estimator(kernel, EstimatorSettings.defaults());
            for (var configuration :
                    new ArrayList<>(List.of(space.baseline(), space.space().draw(random)))) {
                assertThat(estimator.estimate(space.directives(configuration), 2))
                        .as(what)
                        .allMatch(s -> !s.misfit().isEmpty()
                                || (s.latencyCycles() >= 1
                                        && s.delayNs() > 0
                                        && s.lut() >= 1
                                        && s.powerWatts() > 0
                                        && Double.isFinite(s.delayNs() + s.lut() + s.powerWatts())));
            }
        } catch (UserError e) {
            assertThat(e.getMessage()).doesNotContainPattern("[\\p{Cntrl}&&[^\\n]]");
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }
}
