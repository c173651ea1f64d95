package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.evaluate.Fidelity;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DislikedGuessTest {
    @Test
    void everyObjectiveOfADislikedDesignIsExpectedToBeWorse(@TempDir Path folder) throws Exception {
        Path source = Files.writeString(
                folder.resolve("k.c"),
                "void k(int a[64], int b[64]) { for (int i = 0; i < 64; i++) { b[i] = a[i] * 3; } }");
        HlsTools tools = HlsTools.standard();
        Kernel kernel = tools.reader().read(source, KernelReader.Options.defaults());
        DirectiveSpace space = tools.spaces().build(kernel, Optional.empty(), Optional.empty(), Pruning.SOFT);
        var random = new SplittableRandom(1);
        Configuration disliked = Stream.generate(() -> space.space().draw(random))
                .filter(c -> space.disliked(c) == 1)
                .findFirst()
                .orElseThrow();
        var top = new Fidelity("impl", 2);
        var alone = new DislikedGuess(space, Optional.empty(), 2);
        assertThat(alone.at(space.baseline(), top).orElseThrow()).containsExactly(1, 1);
        assertThat(alone.at(disliked, top).orElseThrow()).containsExactly(DislikedGuess.WORSE, DislikedGuess.WORSE);
        var beside = new DislikedGuess(space, Optional.of((c, f) -> Optional.of(new double[] {10, 3})), 2);
        assertThat(beside.at(space.baseline(), top).orElseThrow()).containsExactly(10, 3);
        assertThat(beside.at(disliked, top).orElseThrow())
                .containsExactly(10 * DislikedGuess.WORSE, 3 * DislikedGuess.WORSE);
        var silent = new DislikedGuess(space, Optional.of((c, f) -> Optional.empty()), 2);
        assertThat(silent.at(disliked, top)).isEmpty();
    }
}
