package knobscape.fusion.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategyFileTest {
    @TempDir
    private Path folder;

    private final FusionCostModel model = new FusionCostModel(
            FusionSamples.zoo("resnet18"),
            FusionSamples.with(
                    Accelerator.calibrated().withBuffer(20_000_000),
                    FusionSamples.with(CostOptions.defaults(), CostOptions.Residuals.STAGED)),
            64);

    private Strategy random(SplittableRandom random) {
        int[] s = new int[model.layers() + 1];
        for (int i = 0; i < s.length; i++) {
            s[i] = i > 0 && random.nextBoolean() ? Strategy.SYNC : 1 + random.nextInt(64);
        }
        return Strategy.of(s);
    }

    @Test
    void whatIsWrittenIsReadBackExactly() throws IOException {
        var random = new SplittableRandom(1);
        for (int k = 0; k < 20; k++) {
            Strategy s = random(random);
            Path file = Files.writeString(folder.resolve("strategy.json"), StrategyFile.text(model, s));
            assertThat(StrategyFile.read(file)).isEqualTo(new StrategyFile("resnet18", 64, model.accelerator(), s));
            assertThat(StrategyFile.read(file).mismatch(model)).isEmpty();
        }
    }

    @Test
    void strategiesAndConfigurationsAreTheSame() {
        var random = new SplittableRandom(2);
        StrategySpace space = StrategySpace.of(model.network(), model.batch());
        assertThat(space.space().fullSize())
                .isEqualTo(java.math.BigInteger.valueOf(65).pow(18).multiply(java.math.BigInteger.valueOf(64)));
        for (int k = 0; k < 50; k++) {
            Strategy s = random(random);
            var c = space.configuration(s);
            assertThat(space.strategy(c)).isEqualTo(s);
            assertThat(c.value(3)).isEqualTo("" + s.get(3));
        }
    }

    @Test
    void theTableHasARowALayer() {
        String csv = StrategyFile.csv(model, Strategy.parse("8^18,-1"));
        assertThat(csv.lines()).hasSize(20);
        assertThat(csv.lines().skip(1)).allMatch(l -> l.split(",", -1).length == 14);
        assertThat(csv.lines().toList().get(19)).startsWith("18,").contains(",-1,1,8,");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"batch\" : 64 | \"batch\" : 0 | batch must be 1 to",
                "\"batch\" : 64 | \"batch\" : 4 | more than the batch of 4",
                "knobscape-fusion | knobscape-graph | must say \"format\"",
                "\"strategy\" : [ 8, | \"strategy\" : [ 0, | entry 0 of a strategy is 0",
                "\"strategy\" : [ 8, | \"strategy\" : [ \"x\", | must be a list of whole numbers",
                "\"pes\" : 1024 | \"pes\" : -3 | accelerator.pes must be a count from 1",
                "\"peakGroup\" | \"peekGroup\" | 'peekGroup' is not a known key"
            })
    void whatIsWrongIsSaid(String good, String bad, String sentence) throws IOException {
        String text = StrategyFile.text(model, Strategy.parse("8^18,-1"));
        assertThat(text).contains(good);
        Path file = Files.writeString(folder.resolve("s.json"), text.replace(good, bad));
        assertThatThrownBy(() -> StrategyFile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("s.json")
                .hasMessageContaining(sentence);
    }

    @Test
    void aTruncatedFileIsSaid() throws IOException {
        String text = StrategyFile.text(model, Strategy.parse("8^18,-1"));
        for (int length : new int[] {0, 1, 50, 300, text.length() - 5}) {
            Path file = Files.writeString(folder.resolve("s.json"), text.substring(0, length));
            assertThatThrownBy(() -> StrategyFile.read(file))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("s.json");
        }
    }
}
