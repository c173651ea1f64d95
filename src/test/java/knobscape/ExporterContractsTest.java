package knobscape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.replay.CsvTable;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.DesignJson;
import knobscape.evaluate.report.DesignJsonReader;
import knobscape.evaluate.report.DesignTable;
import knobscape.evaluate.report.ExporterContractTest;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.export.StrategyFile;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.space.Strategy;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.export.GpuExporter;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Schedule;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Nested;

/// Every exporter of the areas keeps to the same contract.
class ExporterContractsTest {
    private static final Path GEMM = Path.of("sample-projects/gemm");

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A design of the gemm sample, for one of the vendor's tools.
    private abstract static class Hls extends ExporterContractTest {
        static final HlsExporter.Settings SETTINGS =
                new HlsExporter.Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of());
        final DirectiveSpace space = space(GEMM.resolve("gemm.cpp"));
        final Configuration design = space.space().draw(new Random(4));

        static DirectiveSpace space(Path file) {
            Kernel kernel =
                    Kernels.reader().read(file, new KernelReader.Options(Optional.of("gemm"), List.of(), Map.of()));
            return SpaceBuilder.build(
                    kernel, SpaceLimits.defaults(), DirectiveFile.read(GEMM.resolve("directives.yaml")));
        }

        @Override
        protected Path source() {
            return GEMM;
        }
    }

    @Nested
    class Pragmas extends Hls {
        @Override
        protected List<Path> export(Path where) {
            return new HlsExporter(Dialect.VITIS_HLS, SETTINGS)
                    .pragmas(space, design, where)
                    .files();
        }

        @Override
        protected void readBack(Path where) {
            DirectiveSpace again = space(where.resolve("src/gemm.cpp"));
            assertThat(again.space().knobs()).isEqualTo(space.space().knobs());
            assertThat(again.directives(again.baseline())).isEqualTo(space.directives(design));
        }
    }

    @Nested
    class TclDirectives extends Hls {
        @Override
        protected List<Path> export(Path where) {
            return new HlsExporter(Dialect.VIVADO_HLS, SETTINGS)
                    .tcl(space, design, where)
                    .files();
        }

        @Override
        protected void readBack(Path where) {
            assertThat(space(where.resolve("src/gemm.cpp")).space().knobs())
                    .isEqualTo(space.space().knobs());
            String tcl = text(where.resolve("directives.tcl"));
            assertThat(found(
                            tcl,
                            "set_directive_unroll -factor (\\d+) \"([^\"]*)\"",
                            m -> new Directive.Unroll(m.group(2), Integer.parseInt(m.group(1))).toString()))
                    .isNotEmpty()
                    .isEqualTo(space.directives(design).stream()
                            .filter(Directive.Unroll.class::isInstance)
                            .map(Object::toString)
                            .toList());
            assertThat(found(
                            tcl,
                            "set_directive_array_partition -type (\\w+) .*-dim (\\d+) \"gemm\" (\\w+)",
                            m -> "gemm/" + m.group(3) + " " + m.group(2) + " " + m.group(1)))
                    .isNotEmpty()
                    .isEqualTo(space.directives(design).stream()
                            .filter(Directive.Partition.class::isInstance)
                            .map(Directive.Partition.class::cast)
                            .map(d -> d.array() + " " + d.dimension() + " "
                                    + d.type().name().toLowerCase(Locale.ROOT))
                            .toList());
            assertThat(text(where.resolve("run_hls.tcl"))).contains("source \"directives.tcl\"", "set_top \"gemm\"");
        }

        private static List<String> found(String text, String pattern, Function<MatchResult, String> form) {
            return Pattern.compile(pattern).matcher(text).results().map(form).toList();
        }
    }

    /// A schedule of a Winograd convolution with something fused behind.
    private abstract static class Gpu extends ExporterContractTest {
        final Schedule schedule = WorkSamples.brief(
                Templates.of(WorkSamples.work().get("winograd").getFirst(), "winograd"),
                WorkSamples.epilogues().get(3),
                new Random(5));

        @Override
        protected void readBack(Path where) {
            Schedule back = ScheduleJson.read(
                    JsonFields.read(where.resolve("schedule.json"), 1 << 20).node(), "schedule.json");
            assertThat(back.source().id()).isEqualTo(schedule.source().id());
            assertThat(back.configuration()).isEqualTo(schedule.configuration());
            assertThat(back.epilogue()).isEqualTo(schedule.epilogue());
            assertThat(back.kernels().toString()).isEqualTo(schedule.kernels().toString());
        }
    }

    @Nested
    class Cuda extends Gpu {
        @Override
        protected List<Path> export(Path where) {
            return GpuExporter.write(schedule, knobscape.gpu.codegen.KernelLanguage.CUDA, where);
        }
    }

    @Nested
    class OpenCl extends Gpu {
        @Override
        protected List<Path> export(Path where) {
            return GpuExporter.write(schedule, knobscape.gpu.codegen.KernelLanguage.OPENCL, where);
        }
    }

    /// A strategy as document and as table.
    @Nested
    class FusionStrategy extends ExporterContractTest {
        private final FusionCostModel model = new FusionCostModel(
                FusionSamples.zoo("resnet18"), Accelerator.calibrated().withBuffer(20_000_000), 64);
        private final Strategy strategy = Strategy.parse("8^18,-1");

        @Override
        protected List<Path> export(Path where) {
            FileOutput.write(where.resolve("strategy.json"), StrategyFile.text(model, strategy));
            FileOutput.write(where.resolve("strategy.csv"), StrategyFile.csv(model, strategy));
            return List.of(where.resolve("strategy.json"), where.resolve("strategy.csv"));
        }

        @Override
        protected void readBack(Path where) {
            StrategyFile back = StrategyFile.read(where.resolve("strategy.json"));
            assertThat(back.strategy()).isEqualTo(strategy);
            assertThat(back.accelerator()).isEqualTo(model.accelerator());
            assertThat(back.mismatch(model)).isEmpty();
            CsvTable rows = CsvTable.read(where.resolve("strategy.csv"));
            int microBatch = rows.column("micro_batch").orElseThrow();
            for (int i = 0; i < rows.rowCount(); i++) {
                assertThat(Integer.parseInt(rows.cell(i, microBatch))).isEqualTo(strategy.get(i));
            }
        }
    }

    /// Designs of a run, as every area exports them.
    @Nested
    class Designs extends ExporterContractTest {
        private final DesignTable table = new DesignTable(
                "gemm",
                Map.of("method", "random"),
                List.of(new Metric("power", "Power", "W", Metric.Direction.MINIMISE, Double.NaN)),
                List.of("power"),
                List.of("hls"),
                List.of(new DesignTable.Row(
                        1,
                        "id1",
                        true,
                        Map.of("unroll@gemm/outer", "2, \"quoted\""),
                        List.of(new DesignTable.Stage(
                                "hls",
                                new Outcome.Measured(Map.of("power", 0.1 + 0.2)),
                                3.5,
                                new Provenance("estimator", "1", 7, Provenance.Source.values()[0]))))));

        @Override
        protected List<Path> export(Path where) {
            FileOutput.write(where.resolve("designs.json"), new DesignJson().write(table));
            FileOutput.write(where.resolve("designs.csv"), DesignCsv.write(table));
            return List.of(where.resolve("designs.json"), where.resolve("designs.csv"));
        }

        @Override
        protected void readBack(Path where) {
            assertThat(DesignJsonReader.read(text(where.resolve("designs.json")), "designs.json"))
                    .isEqualTo(table);
            CsvTable rows = CsvTable.read(where.resolve("designs.csv"));
            assertThat(rows.rowCount()).isEqualTo(1);
            assertThat(rows.cell(0, rows.column("unroll@gemm/outer").orElseThrow()))
                    .isEqualTo("2, \"quoted\"");
        }
    }
}
