package knobscape.hls.evaluate.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The programs of `sample-projects/own_tool` keep the contract that the manual states.
@DisabledOnOs(OS.WINDOWS)
class OwnToolSampleTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"tool.sh", "tool.py"})
    void theExampleEvaluatesDesigns(String name) {
        Assumptions.assumeTrue(
                name.endsWith(".sh")
                        || Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                                .anyMatch(p -> Files.isExecutable(Path.of(p, "python3"))),
                "python3 is not installed, so the example in Python is not tried");
        var kernel = Kernels.reader()
                .read(
                        Path.of("sample-projects/gemm/gemm.cpp"),
                        new KernelReader.Options(Optional.empty(), List.of(), Map.of()));
        Part part = Part.byDefault();
        var space = SpaceBuilder.build(kernel, SpaceLimits.forPart(part.dsp(), part.bram(), part.uram()));
        var work = new ToolWork(space, part, 10, List.of(), Map.of());
        try (Evaluator e = VendorTools.command(
                Path.of("sample-projects/own_tool", name).toAbsolutePath().toString(),
                dir,
                work,
                ToolSettings.DEFAULT,
                dir)) {
            e.prepare();
            for (var c : List.of(space.baseline(), space.space().draw(new Random(2)))) {
                List<Evaluation> stages = e.evaluate(c, e.info().top(), new CancellationSignal());
                assertThat(stages).hasSize(e.info().fidelities().size());
                assertThat(stages.getLast().value("delay")).isPresent();
            }
        }
    }
}
