package knobscape.app.ui.hls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.javafx.tk.TKClipboard;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javafx.event.EventType;
import javafx.scene.input.DataFormat;
import javafx.scene.input.DragEvent;
import javafx.scene.input.Dragboard;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.Pane;
import knobscape.app.ui.Toolkit;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.hls.report.ToolReportView;
import knobscape.app.ui.hls.report.ToolReportViewModel;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.OwnScreen;
import knobscape.app.ui.undo.UndoStack;
import knobscape.hls.HlsTools;
import knobscape.project.Runner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reports and logs of tools beside the selected design.
class ToolReportTest {
    @TempDir
    private Path folder;

    private final Messages messages = new Messages();
    private final Runner runner = Runner.withSystemClocks();
    private final OwnScreen screen = new OwnScreen();
    private Optional<Path> opened = Optional.empty();

    @AfterEach
    void close() {
        runner.close();
    }

    private HlsViewModel empty() {
        return new HlsViewModel(
                screen, HlsTools.standard(), runner, messages, new UndoStack(), Settings.inMemory(), noFiles());
    }

    private HlsViewModel open() throws Exception {
        Path source = Files.writeString(folder.resolve("fir.cpp"), """
                void fir(int a[16], int out[1]) {
                  int s = 0;
                taps:
                  for (int i = 0; i < 16; i++) {
                    s += a[i] * 3;
                  }
                  out[0] = s;
                }
                """);
        var model = empty();
        model.open(source);
        screen.await(() -> model.workbench().get().isPresent());
        return model;
    }

    private FileChoices noFiles() {
        return new FileChoices() {
            @Override
            public Optional<Path> openFile(String title, List<Kind> kinds) {
                return opened;
            }

            @Override
            public Optional<Path> openFolder(String title) {
                return Optional.empty();
            }

            @Override
            public Optional<Path> saveFile(String title, String name, Kind kind) {
                return Optional.empty();
            }

            @Override
            public boolean agrees(String what, List<knobscape.evaluate.report.FilePlan> plans) {
                return true;
            }
        };
    }

    private Path report(String name, String loop) throws Exception {
        return Files.writeString(folder.resolve(name), """
                <profile><UserAssignments><TopModelName>fir</TopModelName></UserAssignments><PerformanceEstimates>
                <SummaryOfTimingAnalysis><EstimatedClockPeriod>5.5</EstimatedClockPeriod></SummaryOfTimingAnalysis>
                <SummaryOfOverallLatency><Worst-caseLatency>33</Worst-caseLatency></SummaryOfOverallLatency>
                <SummaryOfLoopLatency><%1$s><Name>%1$s</Name><TripCount>16</TripCount><Latency>32</Latency><PipelineII>2</PipelineII></%1$s></SummaryOfLoopLatency>
                </PerformanceEstimates><AreaEstimates><Resources><LUT>120</LUT></Resources></AreaEstimates></profile>
                """.formatted(loop));
    }

    @Test
    void aReportThatIsDroppedStandsBesideTheEstimateWithItsLoopsInTheSource() throws Exception {
        HlsViewModel m = open();
        ToolReportViewModel reports = m.reports();
        m.results().select(knobscape.app.ui.designs.Results.BASELINE);
        screen.await(() -> m.results()
                .selectedDesign()
                .filter(d -> !d.evaluations().isEmpty())
                .isPresent());
        reports.drop(report("fir_csynth.xml", "taps"));
        screen.await(() -> reports.shown().get().isPresent());
        ToolReportViewModel.ReportPage s = reports.shown().get().orElseThrow();
        assertThat(s.title()).contains("C synthesis").contains("fir_csynth.xml");
        assertThat(s.design()).isEqualTo("hls, built-in estimate");
        assertThat(s.figures()).extracting(ToolReportViewModel.Row::name).contains("Latency (cycles)", "LUT");
        assertThat(s.figures())
                .allMatch(r -> !r.design().equals("\u2013") && !r.ratio().isEmpty());
        assertThat(s.loops()).singleElement().satisfies(l -> {
            assertThat(l.line()).hasValue(4);
            assertThat(l.loop()).hasValue("fir/taps");
            assertThat(l.interval()).isEqualTo("2");
        });
        Path broken = Files.writeString(folder.resolve("half.xml"), "<profile><");
        reports.drop(broken);
        screen.await(() -> !messages.shown().isEmpty());
        assertThat(messages.shown().getFirst().text()).contains("half.xml");
    }

    @Test
    void aReportThatIsOpenedAsAFileSaysWhatItIsAndStandsBesideTheDesignOnceThereIsOne() throws Exception {
        Path report = report("fir_csynth.xml", "taps");
        var before = empty();
        before.open(report);
        screen.await(() -> !messages.shown().isEmpty());
        assertThat(messages.shown().getFirst().text())
                .isEqualTo("fir_csynth.xml is a report of C synthesis of fir: Estimated clock period 5.500 ns, Latency,"
                        + " max 33 cycles, LUT 120. Open its kernel, select a design and open the report again to see"
                        + " it beside the estimate.");
        assertThat(before.isOpen().get()).isFalse();

        HlsViewModel m = open();
        m.results().select(knobscape.app.ui.designs.Results.BASELINE);
        screen.await(() -> m.results().selectedDesign().isPresent());
        m.open(report);
        screen.await(() -> m.reports().shown().get().isPresent());
        assertThat(messages.shown().getFirst().text()).contains("below the sheet of baseline");
        assertThat(m.workbench().get().orElseThrow().project().name()).isEqualTo("fir");
    }

    @Test
    void anImportedDesignIsTriedOutAndWhatTheSpaceLacksCanBeAdded() throws Exception {
        HlsViewModel m = open();
        opened = Optional.of(Files.writeString(
                folder.resolve("mine.tcl"),
                "set_directive_pipeline -II 3 fir/taps\nset_directive_pipeline fir/gone\n"));
        m.importDirectives();
        screen.await(() -> m.results().whatIf().get().isPresent());
        var first = m.results().whatIf().get().orElseThrow();
        assertThat(first.configuration())
                .isEqualTo(m.workbench()
                        .get()
                        .orElseThrow()
                        .bench()
                        .kernelWork()
                        .imported(opened.get())
                        .configuration());
        assertThat(first.words()).startsWith("what-if: mine.tcl");
        var message = messages.shown().getFirst();
        assertThat(message.text()).contains("Enter evaluates it", "fir/gone", "pipeline@fir/taps has no value ii=3");
        assertThat(m.logs().warnings()).anyMatch(n -> n.text().contains("fir/gone"));
        message.action().orElseThrow().run().run();
        screen.await(() -> m.results()
                .whatIf()
                .get()
                .filter(w -> w.configuration().value("pipeline@fir/taps").equals("ii=3"))
                .isPresent());
        assertThat(messages.shown().getFirst().text()).doesNotContain("has no value");

        opened = Optional.of(Files.writeString(folder.resolve("notes.tcl"), "puts hello\n"));
        m.importDirectives();
        screen.await(() -> messages.shown().getFirst().text().contains("notes.tcl"));
    }

    /// What the system hands over while files are dragged.
    private static Dragboard holding(Path file) throws ReflectiveOperationException {
        var make = Dragboard.class.getDeclaredConstructor(TKClipboard.class);
        make.setAccessible(true);
        return make.newInstance(Proxy.newProxyInstance(
                ToolReportTest.class.getClassLoader(),
                new Class<?>[] {TKClipboard.class},
                (p, method, a) -> switch (method.getName()) {
                    case "getContent" -> a[0] == DataFormat.FILES ? List.of(file.toFile()) : null;
                    case "getTransferModes" -> EnumSet.of(TransferMode.COPY);
                    default -> method.getReturnType() == boolean.class ? Boolean.TRUE : null;
                }));
    }

    private static DragEvent drag(EventType<DragEvent> type, Dragboard board) {
        return new DragEvent(type, board, 5, 5, 5, 5, TransferMode.COPY, null, null, null);
    }

    @Test
    void aReportFileIsDraggedOntoADesign() throws Exception {
        HlsViewModel m = open();
        m.results().select(knobscape.app.ui.designs.Results.BASELINE);
        Path report = report("fir_csynth.xml", "taps");
        Toolkit.start();
        // Only JavaFX's own thread may ask for what is dragged.
        List<Object> answers = Toolkit.call(() -> {
            var sheet = new Pane();
            new ToolReportView(m.reports(), id -> {}).takeDropsOn(sheet);
            var accepted = new ArrayList<Object>();
            sheet.addEventHandler(
                    DragEvent.DRAG_OVER, e -> accepted.add(Optional.ofNullable(e.getAcceptedTransferMode())));
            sheet.fireEvent(drag(DragEvent.DRAG_OVER, holding(folder.resolve("fir.cpp"))));
            sheet.fireEvent(drag(DragEvent.DRAG_OVER, holding(report)));
            DragEvent dropped = drag(DragEvent.DRAG_DROPPED, holding(report));
            sheet.fireEvent(dropped);
            accepted.add(dropped.isDropCompleted());
            return accepted;
        });
        assertThat(answers).containsExactly(Optional.empty(), Optional.of(TransferMode.COPY), true);
        screen.await(() -> m.reports().shown().get().isPresent());
        assertThat(m.reports().shown().get().orElseThrow().title()).contains("fir_csynth.xml");
    }

    @Test
    void whatAToolLeftIsShownAndItsLogIsFollowed() throws Exception {
        HlsViewModel m = open();
        var bench = m.workbench().get().orElseThrow().bench();
        Path design = Files.createDirectories(m.workbench()
                .get()
                .orElseThrow()
                .project()
                .runsFolder()
                .resolve("tools/vitis")
                .resolve(bench.baseline().orElseThrow().id()));
        Files.copy(report("x.xml", "VITIS_LOOP_4_1"), design.resolve("fir_csynth.xml"));
        Path log = Files.writeString(design.resolve("hls.log"), "\u001b[31mINFO:\u001b[0m begun\n");
        // The baseline is selected from the start; the folder is looked at when a design is.
        m.results().select(knobscape.app.ui.designs.Results.NOTHING);
        m.results().select(knobscape.app.ui.designs.Results.BASELINE);
        screen.await(() -> m.reports().log().get().isPresent());
        assertThat(m.reports().shown().get()).isPresent();
        m.reports().readOn();
        screen.await(() -> m.reports().text().get().equals("INFO: begun\n"));
        Files.writeString(log, "INFO: done\n", StandardOpenOption.APPEND);
        m.reports().readOn();
        screen.await(() -> m.reports().text().get().endsWith("done\n"));
        m.results().select(knobscape.app.ui.designs.Results.NOTHING);
        assertThat(m.reports().log().get()).isEmpty();
        assertThat(m.reports().shown().get()).isEmpty();
    }
}
