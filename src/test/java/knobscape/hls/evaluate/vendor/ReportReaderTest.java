package knobscape.hls.evaluate.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.Stage;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportReaderTest {
    private static final List<String> NAMES =
            List.of("fir_csynth.xml", "fir_csynth.rpt", "export_impl.xml", "export_syn.rpt", "power_routed.rpt");

    @TempDir
    Path dir;

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = ReportReaderTest.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private VendorReport read(String name) throws IOException {
        return ReportReader.read(Files.write(dir.resolve(name), bytes(name)));
    }

    /// The shape of Vitis HLS 2020.2 and later, often the only report that is kept.
    @Test
    void readsTheSummaryOfSynthesis() throws IOException {
        VendorReport r = read("csynth.rpt");
        assertEquals(Stage.HLS, r.stage());
        assertEquals("filter", r.top().orElseThrow());
        assertEquals("2022.2", r.version().orElseThrow());
        assertEquals(1030, r.latency().orElseThrow());
        assertEquals(1031, r.figure(Figure.INTERVAL_MAX).orElseThrow());
        assertEquals(88148, r.figure(Figure.LUT).orElseThrow());
        assertEquals(668, r.figure(Figure.BRAM).orElseThrow());
        assertEquals(0, r.figure(Figure.URAM).orElseThrow(), "a dash is none of it");
        assertTrue(r.clock().isEmpty(), "the summary states no clock");
        assertEquals(203800.0, r.available().get(Figure.LUT), "the part's own, by the table of parts");
        assertEquals(
                List.of("rows", "VITIS_LOOP_31_2", "store"),
                r.loops().stream().map(VendorLoop::name).toList());
        VendorLoop inner = r.loops().get(1);
        assertEquals("taps", inner.module());
        assertEquals(1, inner.depth());
        assertEquals(OptionalInt.of(31), inner.line());
        assertEquals(2, inner.figure("interval").orElseThrow());
        assertEquals(8, inner.figure("iteration latency").orElseThrow());
        assertEquals(4, inner.figure("trip max").orElseThrow());
        assertEquals("filter", r.loops().get(2).module());
        assertEquals(0, r.loops().get(2).depth());
        assertEquals(
                List.of(
                        "the estimated clock misses its target by 0.12 ns",
                        "loop VITIS_LOOP_31_2 reaches an initiation interval of 2, which misses its target",
                        "pragma unroll at filter.cpp:12 in taps has no effect: Only for/while loops support the pragma"),
                r.notes());
    }

    @Test
    void readsCoSimulation() throws IOException {
        VendorReport r = read("fir_cosim.rpt");
        assertEquals(Stage.COSIM, r.stage());
        assertEquals(100, r.latency().orElseThrow());
        assertEquals(130, r.figure(Figure.LATENCY_MAX).orElseThrow());
        assertTrue(r.figure(Figure.INTERVAL_MAX).isEmpty());
    }

    @Test
    void readsWhatVivadoUsesAndHowFastItRuns() throws IOException {
        VendorReport area = read("utilization_placed.rpt");
        assertEquals(Stage.IMPL, area.stage(), "by the state of the design, not by the file that it went to");
        assertEquals(Map.of(Figure.LUT, 532.0, Figure.FF, 610.0, Figure.BRAM, 3.0, Figure.DSP, 3.0), area.figures());
        assertEquals(280.0, area.available().get(Figure.BRAM), "a tile holds two block RAMs");
        VendorReport timing = read("timing_routed.rpt");
        assertEquals(Stage.IMPL, timing.stage());
        assertEquals(10.25, timing.clock().orElseThrow(), 1e-9);
        assertEquals(List.of("timing was not met: slack of -0.25 ns"), timing.notes());
    }

    @Test
    void reportsWithoutFiguresAreNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("x.rpt"), "| Command      : report_drc -file x.rpt\n| Design : x\n");
        String message =
                assertThrows(UserError.class, () -> ReportReader.read(file)).getMessage();
        assertTrue(message.contains("Vivado's report_drc, which says nothing of speed, area or power"), message);
    }

    /// A folder that holds the summary alone is read by it; beside the reports that it sums up it says nothing new.
    @Test
    void theSummaryCountsWhereItIsAlone() throws IOException {
        read("csynth.rpt");
        assertEquals(1, ReportReader.readFolder(dir).size());
        read("fir_csynth.rpt");
        assertEquals(
                List.of("fir_csynth.rpt"),
                ReportReader.readFolder(dir).stream()
                        .map(f -> f.file().getFileName().toString())
                        .toList());
    }

    @Test
    void readsCSynthesisInXml() throws IOException {
        VendorReport r = read("fir_csynth.xml");
        assertEquals(Stage.HLS, r.stage());
        assertEquals("2023.2", r.version().orElseThrow());
        assertEquals("fir", r.top().orElseThrow());
        assertEquals(5.84, r.clock().orElseThrow());
        assertEquals(260, r.latency().orElseThrow());
        assertEquals(287, r.figure(Figure.LUT).orElseThrow());
        assertTrue(r.figure(Figure.URAM).isEmpty(), "what the report does not list is not zero");
        VendorLoop outer = r.loops().get(0);
        VendorLoop inner = r.loops().get(1);
        assertEquals(OptionalInt.of(12), outer.line());
        assertEquals(1, outer.figure("trip min").orElseThrow());
        assertEquals(3, outer.figure("trip max").orElseThrow());
        assertEquals(1, inner.depth());
        assertEquals(1, inner.figure("interval").orElseThrow());
        assertEquals(false, outer.pipelined().orElseThrow());
        assertEquals(true, inner.pipelined().orElseThrow());
    }

    @Test
    void readsCSynthesisInText() throws IOException {
        VendorReport r = read("fir_csynth.rpt");
        assertEquals(Stage.HLS, r.stage());
        assertEquals("2019.1", r.version().orElseThrow());
        assertEquals("fir", r.top().orElseThrow());
        assertEquals(8, r.figure(Figure.CLOCK_TARGET).orElseThrow());
        assertEquals(5.84, r.clock().orElseThrow());
        assertEquals(260, r.latency().orElseThrow(), "the mean of both ends");
        assertEquals(391, r.figure(Figure.INTERVAL_MAX).orElseThrow());
        assertEquals(
                Map.of(Figure.LUT, 287.0, Figure.FF, 312.0, Figure.DSP, 3.0, Figure.BRAM, 2.0),
                Map.copyOf(r.figures().entrySet().stream()
                        .filter(e -> r.available().containsKey(e.getKey()))
                        .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
        assertEquals(
                List.of("blocks", "taps"),
                r.loops().stream().map(VendorLoop::name).toList());
        assertEquals(List.of(0, 1), r.loops().stream().map(VendorLoop::depth).toList());
        assertEquals(3, r.loops().get(0).figure("trip max").orElseThrow());
        assertEquals(1, r.loops().get(1).figure("interval").orElseThrow());
    }

    @Test
    void readsImplementationAndSaysThatTimingIsNotMet() throws IOException {
        VendorReport r = read("export_impl.xml");
        assertEquals(Stage.IMPL, r.stage());
        assertEquals(8.412, r.clock().orElseThrow());
        assertEquals(6.1, r.figure(Figure.CLOCK_SYN).orElseThrow());
        assertTrue(r.figure(Figure.URAM).isEmpty(), "NA is not zero");
        assertEquals(List.of("timing was not met"), r.notes());
    }

    @Test
    void aReportAfterSynthesisThatSaysPostRouteIsOfSynthesis() throws IOException {
        VendorReport r = read("export_syn.rpt");
        assertEquals(Stage.SYN, r.stage());
        assertEquals(6.1, r.clock().orElseThrow());
        assertTrue(r.figure(Figure.CLOCK_IMPL).isEmpty());
        assertEquals(215, r.figure(Figure.LUT).orElseThrow());
    }

    @Test
    void readsPowerWithItsConfidence() throws IOException {
        VendorReport r = read("power_routed.rpt");
        assertEquals(Stage.IMPL, r.stage());
        assertEquals(0.131, r.figure(Figure.POWER).orElseThrow());
        assertEquals(0.105, r.figure(Figure.POWER_STATIC).orElseThrow());
        assertEquals(List.of("confidence of the power: Low"), r.notes());
    }

    @Test
    void findsAllReportsOfAProject() throws IOException {
        Path report = Files.createDirectories(dir.resolve("prj/solution/syn/report"));
        Path impl = Files.createDirectories(dir.resolve("prj/solution/impl/report/verilog"));
        for (String n : List.of("fir_csynth.xml", "fir_csynth.rpt")) {
            Files.write(report.resolve(n), bytes(n));
        }
        Files.write(impl.resolve("export_impl.xml"), bytes("export_impl.xml"));
        Files.writeString(impl.resolve("readme.txt"), "no report");
        var found = ReportReader.readFolder(dir.resolve("prj"));
        assertEquals(
                List.of("fir_csynth.xml", "export_impl.xml"),
                found.stream().map(f -> f.file().getFileName().toString()).toList());
        assertThrows(UserError.class, () -> ReportReader.readFolder(Files.createDirectories(dir.resolve("empty"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "<a/>",
                "<profile></profile>",
                "<profile><PerformanceEstimates>",
                "<!DOCTYPE p [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><profile><RunData>&x;</RunData></profile>"
            })
    void whatIsNoReportIsRefusedInOneSentence(String text) throws IOException {
        Path f = Files.writeString(dir.resolve("x.xml"), text);
        String message =
                assertThrows(UserError.class, () -> ReportReader.read(f)).getMessage();
        assertTrue(message.contains("x.xml"), message);
        assertFalse(message.contains("\n"), message);
    }

    /// Reports that are cut off, garbled or stitched together: a result or one sentence, and figures are numbers.
    @Tag("slow")
    @Test
    void damagedReportsEndInAResultOrASentence() throws IOException {
        var random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            String name = NAMES.get(i % NAMES.size());
            byte[] b = bytes(name);
            byte[] damaged = damage(b, random);
            Path f = Files.write(dir.resolve("damaged"), damaged);
            try {
                VendorReport r = ReportReader.read(f);
                r.figures().values().forEach(v -> assertTrue(Double.isFinite(v)));
            } catch (UserError e) {
                refused++;
            }
        }
        assertTrue(refused > 1000 && refused < 9000, "refused " + refused);
    }

    private static byte[] damage(byte[] b, Random random) {
        byte[] out = b.clone();
        switch (random.nextInt(4)) {
            case 0 -> out = java.util.Arrays.copyOf(out, random.nextInt(out.length));
            case 1 -> {
                for (int k = 0; k < 1 + random.nextInt(8); k++) {
                    out[random.nextInt(out.length)] = (byte) random.nextInt(256);
                }
            }
            case 2 -> {
                int at = random.nextInt(out.length);
                int to = at + random.nextInt(out.length - at);
                out = (new String(b, 0, at, StandardCharsets.ISO_8859_1)
                                + new String(b, to, b.length - to, StandardCharsets.ISO_8859_1))
                        .getBytes(StandardCharsets.ISO_8859_1);
            }
            default -> {
                String[] lines = new String(b, StandardCharsets.ISO_8859_1).split("\n");
                java.util.Collections.shuffle(java.util.Arrays.asList(lines).subList(1, lines.length), random);
                out = String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
            }
        }
        return out;
    }

    /// Published reports, where they are at hand.
    @Test
    void readsPublishedReports() {
        Path data = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls/reports");
        assumeTrue(Files.isDirectory(data), "the published reports are not here");
        VendorReport text = ReportReader.read(data.resolve("vivado_hls_2018.2_atax_a/atax_csynth.rpt"));
        VendorReport xml = ReportReader.read(data.resolve("vivado_hls_2018.2_atax_a/atax_csynth.xml"));
        for (VendorReport r : List.of(text, xml)) {
            assertEquals(70277, r.latency().orElseThrow());
            assertEquals(8.419, r.clock().orElseThrow());
            assertEquals(971, r.figure(Figure.LUT).orElseThrow());
            assertEquals(653, r.figure(Figure.FF).orElseThrow());
            assertEquals(5, r.figure(Figure.DSP).orElseThrow());
            assertEquals(11, r.figure(Figure.BRAM).orElseThrow());
        }
        assertEquals(xml.loops().size(), text.loops().size());
        Path bfs = data.resolve("vitis_2022.1_bfs");
        VendorReport undefined = ReportReader.read(bfs.resolve("csynth.xml"));
        assertTrue(undefined.latency().isEmpty());
        assertEquals("loop_neighbors", undefined.loops().getLast().name());
        assertEquals(4, undefined.loops().getLast().figure("interval").orElseThrow());
        for (String name : List.of("export_syn.rpt", "export_syn.xml")) {
            VendorReport r = ReportReader.read(bfs.resolve(name));
            assertEquals(Stage.SYN, r.stage());
            assertEquals(2.991, r.clock().orElseThrow());
            assertEquals(484, r.figure(Figure.LUT).orElseThrow());
        }
        for (String name : List.of("export_impl.rpt", "export_impl.xml", "bfs_export.rpt")) {
            VendorReport r = ReportReader.read(bfs.resolve(name));
            assertEquals(Stage.IMPL, r.stage());
            assertEquals(3.985, r.clock().orElseThrow());
            assertEquals(478, r.figure(Figure.LUT).orElseThrow());
        }
        assertEquals(
                0.248,
                ReportReader.read(bfs.resolve("bd_0_wrapper_power_routed.rpt"))
                        .figure(Figure.POWER)
                        .orElseThrow());
    }

    @Test
    void aFolderThatCannotBeReadIsPassedOver(@TempDir Path dir) throws Exception {
        Files.writeString(
                Files.createDirectories(dir.resolve("b")).resolve("csynth.xml"),
                "<profile><UserAssignments><TopModelName>k</TopModelName></UserAssignments></profile>");
        Path closed = Files.createDirectories(dir.resolve("a"));
        assumeTrue(
                closed.toFile().setReadable(false) && !Files.isReadable(closed),
                "this user may read every folder, so none that cannot be read is tried");
        try {
            assertEquals(1, ReportReader.readFolder(dir).size());
        } finally {
            assertTrue(closed.toFile().setReadable(true));
        }
    }
}
