package knobscape.gpu.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.CancellationSignal;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.network.ElementType;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.table.NetworkJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is kept of a collection of measurements.
class SketchSamplesTest {
    @TempDir
    private Path folder;

    private SketchSamples collect() throws IOException {
        var b = new NetworkBuilder("one", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(4, 48));
        Path network = folder.resolve("one.json");
        Files.writeString(
                network,
                NetworkJson.write(
                                b.output(b.add("dense", new Operator.Gemm(false, true, 1, 1), x, b.weight("w", 32, 48)))
                                        .build())
                        .toString());
        return SketchCollector.collect(
                new SketchCollector.Settings(List.of(network.toString()), 4, 16, 1),
                ModelDevice.named("gtx1080ti"),
                rows(),
                _ -> {},
                new CancellationSignal());
    }

    private Path rows() {
        return folder.resolve("rows.jsonl");
    }

    @Test
    void rowsAreKeptForTheSketchesThatTheyAreOf() throws IOException {
        SketchSamples first = collect();
        String kept = Files.readString(rows());
        assertThat(SketchTrace.size(first)).isEqualTo(4);
        assertThat(kept).containsPattern(" space=[0-9a-f]{12} ");

        assertThat(collect().fingerprint()).isEqualTo(first.fingerprint());
        assertThat(Files.readString(rows())).as("nothing was measured again").isEqualTo(kept);

        // As if they had been measured of sketches with other knobs: levels that mean other schedules, or nothing.
        String others = kept.replaceAll("space=[0-9a-f]{12}", "space=000000000000")
                .replaceAll("\"ms\":\\[[^]]*]", "\"ms\":[7,7,7,7]");
        Files.writeString(rows(), others);
        assertThat(collect().fingerprint()).isEqualTo(first.fingerprint());
        assertThat(Files.readString(rows())).startsWith(others).hasSize(others.length() + kept.length());
    }
}
