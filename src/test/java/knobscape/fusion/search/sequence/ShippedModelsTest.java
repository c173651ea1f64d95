package knobscape.fusion.search.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.search.BaselineStrategies;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.Accelerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShippedModelsTest {
    @TempDir
    private Path folder;

    private static Mapping ask(Architecture.Kind kind, FusionCostModel model) {
        return Mapping.search(
                new SequenceMapper(SequenceMethods.shipped(kind)), model, Constraint.LEXI, Mapping.EVALUATIONS, 1);
    }

    /// The better of G-Sampler and DP.
    private static double searched(FusionCostModel model) {
        return Math.max(
                Mapping.search(FusionSamples.searcher("gsampler"), model, Constraint.LEXI, Mapping.EVALUATIONS, 1)
                        .speedup(),
                Mapping.search(BaselineStrategies.grouping(), model, Constraint.LEXI, 1, 1)
                        .speedup());
    }

    @ParameterizedTest
    @CsvSource({
        "vgg16,64,20",
        "vgg16,64,25",
        "vgg16,64,45",
        "vgg16,128,40",
        "resnet18,64,20",
        "resnet18,64,30",
        "resnet18,64,45"
    })
    void dnnFuserKeepsUpWithSearchesUnderBuffersItWasNotTaught(String network, int batch, int megabytes) {
        var model = new FusionCostModel(
                FusionSamples.zoo(network), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), batch);
        Mapping found = ask(Architecture.Kind.DNNFUSER, model);
        assertThat(found.isValid()).isTrue();
        assertThat(found.evaluations()).isEqualTo(2);
        assertThat(found.speedup()).isGreaterThan(0.97 * searched(model));
    }

    @ParameterizedTest
    @ValueSource(strings = {"resnet50", "mobilenet_v2", "mnasnet", "resnet34", "vgg11", "inception_v3"})
    void networksTheyHaveNeverSeenAreAnsweredWithWhatFitsAndGains(String network) {
        for (Architecture.Kind kind : List.of(Architecture.Kind.DNNFUSER, Architecture.Kind.SEQ2SEQ)) {
            for (int megabytes : new int[] {5, 35, 150}) {
                var model = new FusionCostModel(
                        FusionSamples.zoo(network), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), 64);
                Mapping found = ask(kind, model);
                assertThat(found.isValid()).isTrue();
                assertThat(found.speedup()).isGreaterThan(1);
            }
        }
    }

    @Test
    void theySayWhereTheyComeFrom() {
        for (Architecture.Kind kind : List.of(Architecture.Kind.DNNFUSER, Architecture.Kind.SEQ2SEQ)) {
            SequenceModel model = SequenceMethods.shipped(kind);
            assertThat(model.architecture()).isEqualTo(Architecture.of(kind));
            assertThat(model.provenance().command())
                    .isEqualTo(
                            "knobscape fusion-train --method " + kind.method() + " --model " + kind.method() + ".seq");
            assertThat(model.provenance().networks())
                    .contains("resnet18", "vgg16")
                    .doesNotContain("resnet50");
        }
    }

    /// It knows two networks, and answers once; what does not fit stays so.
    @ParameterizedTest
    @CsvSource({"vgg16, 64, 20", "vgg16, 128, 40", "resnet18, 64, 20", "resnet18, 64, 45", "resnet50, 64, 25"})
    void thePublishedModelAnswersOnceAndRaw(String network, int batch, int megabytes) {
        SequenceModel shipped = SequenceMethods.shipped(Architecture.Kind.PUBLISHED);
        assertThat(shipped.architecture()).isEqualTo(new Architecture(Architecture.Kind.PUBLISHED, 128, 3, 2));
        assertThat(shipped.provenance().networks()).containsExactly("resnet18", "vgg16");
        var model = new FusionCostModel(
                FusionSamples.zoo(network), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), batch);
        Mapping found = ask(Architecture.Kind.PUBLISHED, model);
        assertThat(found.evaluations()).isEqualTo(1);
        assertThat(found.strategy()).isEqualTo(PublishedFormulation.write(shipped, model));
        assertThat(found.isValid()).isEqualTo(found.cost().peakBytes() <= model.budget());
        assertThat(found.strategy().toArray()).hasSize(model.layers() + 1);
    }

    @Test
    void modelsFromFilesHaveNamesOfTheirOwn() {
        Path file = folder.resolve("mine.seq");
        ModelFile.write(file, SequenceMethods.shipped(Architecture.Kind.SEQ2SEQ));
        FusionMethod method =
                SequenceMethods.fromFile("seq2seq:mine.seq", folder).orElseThrow();
        var model = new FusionCostModel(FusionSamples.zoo("alexnet"), Accelerator.calibrated(), 64);
        assertThat(Mapping.search(method.searcher(), model, Constraint.LEXI, 1, 1)
                        .strategy())
                .isEqualTo(ask(Architecture.Kind.SEQ2SEQ, model).strategy());
        assertThat(SequenceMethods.fromFile("dnnfuser", folder)).isEmpty();
        assertThat(SequenceMethods.fromFile("gsampler:x", folder)).isEmpty();
        assertThatThrownBy(() -> SequenceMethods.fromFile("dnnfuser:" + file, folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--method seq2seq");
        assertThatThrownBy(() -> SequenceMethods.fromFile("dnnfuser:none", folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no file");
    }
}
