package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import knobscape.fusion.search.FusionMethod;
import knobscape.project.BoxTools;
import knobscape.work.Choices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class FusionBenchTest {
    @TempDir
    private Path folder;

    private Bench.Job job() {
        return Jobs.into(folder).tools(BoxTools.tools()).seeds(1).job();
    }

    private static Choices<FusionMethod> some(boolean model) {
        var chosen = new ArrayList<>(FusionMethod.builtIn().stream()
                .filter(m -> Set.of("gsampler", "de", "exact", "dp", "none").contains(m.name()))
                .toList());
        if (model) {
            // Stands for a trained model: answers at once.
            FusionMethod dp = chosen.stream()
                    .filter(m -> m.name().equals("dp"))
                    .findFirst()
                    .orElseThrow();
            chosen.add(
                    new FusionMethod("dnnfuser", "DNNFuser", "A model.", FusionMethod.Kind.INFERENCE, dp.searcher()));
        }
        return new Choices<>("method", chosen);
    }

    @Test
    void tablesAreRepeatedBesideThePublishedOnes() throws IOException {
        BenchReport report = Benches.run(new FusionBench(some(false), (network, job) -> List.of()), job());
        JsonNode json = report.json();
        // Table 1: two cases on two accelerators, two searches under three treatments and three references;
        // Tables 2 and 3: 24 cases of G-Sampler and references.
        assertThat(json.get("rows")).hasSize(2 * 2 * (2 * 3 + 3) + 24 * 4);
        JsonNode death = row(json, 1, "vgg16", 20, "calibrated", "de", "death");
        assertThat(death.get("valid").intValue()).isZero();
        assertThat(death.get("speedup").isNull()).isTrue();
        assertThat(death.get("publishedMB").doubleValue()).isEqualTo(114);
        JsonNode sampler = row(json, 2, "resnet18", 45, "calibrated", "gsampler", "lexi");
        assertThat(sampler.get("speedup").doubleValue()).isBetween(4.9, 5.3);
        assertThat(sampler.get("publishedSpeedup").doubleValue()).isEqualTo(2.95);
        assertThat(sampler.get("ofBest").doubleValue()).isBetween(0.9, 1.0);
        assertThat(row(json, 3, "mnasnet", 55, "calibrated", "gsampler", "lexi")
                        .get("publishedSpeedup")
                        .doubleValue())
                .isEqualTo(4.07);
        assertThat(row(json, 1, "vgg16", 40, "paper-literal", "exact", "-")
                        .get("speedup")
                        .doubleValue())
                .isBetween(1.0, 1.001);
        assertThat(json.get("aims")).hasSize(9 + 19);
        assertThat(aim(json, "DNNFuser (two passes) against the better of G-Sampler and DP, trained")
                        .get("value")
                        .isNull())
                .isTrue();
        assertThat(aim(json, "DNNFuser (two passes) against the better of G-Sampler and DP, trained")
                        .get("met")
                        .booleanValue())
                .isFalse();
        assertThat(aim(json, "invalid results after repair").get("met").booleanValue())
                .isTrue();
        assertThat(aim(json, "best of all methods").get("met").booleanValue()).isTrue();
        assertThat(folder).isDirectoryContaining("glob:**/fusion.csv").isDirectoryContaining("glob:**/fusion.md");
        List<String> trials = Files.readAllLines(folder.resolve("trials.jsonl"));
        // A second start runs nothing again; a trained model adds rows and answers anew each time.
        JsonNode again = new FusionBench(some(true), (network, job) -> List.of())
                .run(job())
                .json();
        assertThat(Files.readAllLines(folder.resolve("trials.jsonl"))).isEqualTo(trials);
        assertThat(again.get("rows")).hasSize(json.get("rows").size() + 4 + 24);
        assertThat(row(again, 2, "resnet18", 45, "calibrated", "gsampler", "lexi"))
                .isEqualTo(sampler);
        JsonNode model = row(again, 2, "vgg16", 25, "calibrated", "dnnfuser", "-");
        assertThat(model.get("publishedSpeedup").doubleValue()).isEqualTo(1.20);
        assertThat(aim(again, "DNNFuser (two passes) against the better of G-Sampler and DP, trained")
                        .get("value")
                        .doubleValue())
                .isBetween(0.8, 1.0);
        assertThat(aim(again, "evaluations of a search over those of DNNFuser")
                        .get("met")
                        .booleanValue())
                .isTrue();
    }

    private static JsonNode row(
            JsonNode json,
            int table,
            String network,
            int buffer,
            String accelerator,
            String method,
            String constraint) {
        return json.get("rows")
                .valueStream()
                .filter(r -> r.get("table").intValue() == table
                        && r.get("network").asString().equals(network)
                        && r.get("bufferMB").intValue() == buffer
                        && r.get("accelerator").asString().equals(accelerator)
                        && r.get("method").asString().equals(method)
                        && r.get("constraint").asString().equals(constraint))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode aim(JsonNode json, String begins) {
        return json.get("aims")
                .valueStream()
                .filter(a -> a.get("name").asString().startsWith(begins))
                .findFirst()
                .orElseThrow();
    }
}
