package knobscape.hls.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The sample projects, read from their sources: default spaces and those of their directive files.
class SampleSpacesTest {
    private static Kernel read(String sample) {
        return Kernels.reader()
                .read(
                        Path.of("sample-projects", sample, sample + ".cpp"),
                        new KernelReader.Options(Optional.of(sample), List.of(), Map.of()));
    }

    private static void isSound(DirectiveSpace space, int samples) {
        var random = new Random(5);
        assertThat(space.space().contains(space.baseline())).isTrue();
        for (int i = 0; i < samples; i++) {
            Configuration member = space.space().draw(random);
            assertThat(Compatibility.check(space.kernel(), SpaceLimits.defaults(), member))
                    .as(member.text())
                    .isEmpty();
            int knob = random.nextInt(member.knobs().size());
            Configuration moved = member.with(
                    knob, random.nextInt(member.knobs().get(knob).domain().size()));
            var why = Compatibility.check(space.kernel(), SpaceLimits.defaults(), moved);
            assertThat(space.space().contains(moved))
                    .as(() -> moved + " " + why)
                    .isEqualTo(why.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain"})
    void defaultSpaces(String sample) {
        DirectiveSpace space = SpaceBuilder.build(read(sample), SpaceLimits.defaults());
        isSound(space, 20);
        String text = DirectiveFile.write(space, Optional.of("xc7vx485t"), OptionalDouble.of(10));
        DirectiveSpace again =
                SpaceBuilder.build(space.kernel(), SpaceLimits.defaults(), DirectiveFile.parse("written.yaml", text));
        assertThat(again.space().knobs()).isEqualTo(space.space().knobs());
        assertThat(again.space().size()).isEqualTo(space.space().size());
        assertThat(again.baseline()).isEqualTo(space.baseline());
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain"})
    void spacesOfTheDirectiveFiles(String sample) {
        DirectiveFile file = DirectiveFile.read(Path.of("sample-projects", sample, "directives.yaml"));
        DirectiveSpace space = SpaceBuilder.build(read(sample), SpaceLimits.defaults(), file);
        isSound(space, 20);
        assertThat(space.space().size().bitLength()).as("can be explored").isBetween(10, 30);
    }
}
