package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.Metric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables that open without a mapping written for them.
class GuessedMappingTest {
    @TempDir
    private Path folder;

    private ReplaySet open(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("table.csv"), text);
        assertThat(ReplaySet.recognises(file)).isTrue();
        return ReplaySet.open(file);
    }

    @Test
    void aTableOfDesignsThatThisProgramExportedOpensAsItIs() throws IOException {
        ReplaySet set = open("""
                number,design,front,unroll@gemm/dot,partition_type@gemm/a#1,hls outcome,hls power [W],hls delay [ns],hls lut,hls clock [ns],hls tool time [s],hls source,impl outcome,impl power [W],impl delay [ns],impl lut,impl clock [ns],impl tool time [s],impl source,note
                1,aa,yes,1,none,ok,0.25,1.5E7,735,6.5,25.1,"built-in estimate: estimator 1, seed 1",ok,0.26,1.4E7,366,5.9,256,x,"#ship, small"
                2,bb,no,2,none,ok,0.3,9E6,900,6.5,25.1,x,does not fit: too many LUTs,,,,,90,x,
                3,cc,no,4,cyclic,ok,0.4,8E6,990,6.5,25.1,x,,,,,,,,
                4,dd,yes,4,none,ok,0.5,7E6,1990,6.5,20,x,ok,0.55,6.5E6,2100,6,300,x,
                """);
        assertThat(set.info().fidelities()).extracting(f -> f.name()).containsExactly("hls", "impl");
        assertThat(set.info().objectives()).containsExactly("power", "delay", "lut");
        assertThat(set.info().metrics()).extracting(Metric::name).doesNotContain("note");
        assertThat(set.info().metric("delay").unit()).isEqualTo("ns");
        assertThat(set.info().metric("clock").direction()).isEqualTo(Metric.Direction.NEUTRAL);
        assertThat(set.space().knobs().list())
                .extracting(k -> k.name())
                .containsExactly("unroll@gemm/dot", "partition_type@gemm/a#1");
        // The one that never reached impl is not offered; the one refused there is.
        assertThat(set.space().size()).isEqualTo(3);
        assertThat(set.notes()).anyMatch(n -> n.startsWith("1 design was not measured up to impl"));
        var stages = set.all().toList();
        assertThat(stages.getFirst().getLast().value("delay").orElseThrow()).isEqualTo(1.4e7);
        assertThat(stages.getFirst().getLast().costSeconds()).isEqualTo(256);
        assertThat(stages.get(1).getLast().isMeasured()).isFalse();
        assertThat(stages.get(1).getLast().fidelity().name()).isEqualTo("impl");
    }

    @Test
    void aTableOfTrialsOfOptunaOpensAsItIs() throws IOException {
        ReplaySet set = open("""
                number,values_0,values_1,datetime_start,duration,params_tile,params_kind,user_attrs_note,state
                0,3.5,10,2026-01-01,1,8,a,,COMPLETE
                1,2.5,20,2026-01-01,1,16,b,,COMPLETE
                2,,,2026-01-01,1,32,b,,PRUNED
                """);
        assertThat(set.info().objectives()).containsExactly("values_0", "values_1");
        assertThat(set.space().size()).isEqualTo(2);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("params_tile", "params_kind");
    }

    @Test
    void columnsThatSayNothingAreNotGuessed() throws IOException {
        assertThat(ReplaySet.recognises(Files.writeString(folder.resolve("other.csv"), "a,b,c\n1,2,3\n")))
                .isFalse();
    }

    @Test
    void aTableOfWeightsAndBiasesOpensByTheNamesOfItsColumns() throws IOException {
        Path file = folder.resolve("wandb.csv");
        Files.writeString(file, """
                Name,State,Notes,User,Tags,Created,Runtime,Sweep,depth,lr,val_accuracy,loss
                calm-sea-1,finished,-,me,,2026-01-01,12,abc,2,0.1,0.91,0.3
                wild-sun-2,crashed,-,me,,2026-01-01,3,abc,3,0.1,,
                blue-sky-3,finished,-,me,,2026-01-02,14,abc,3,0.01,0.94,0.2
                """);
        assertThat(ReplaySet.recognises(file)).isTrue();
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("depth", "lr");
        assertThat(set.space().size().intValue()).isEqualTo(2);
        assertThat(set.info().objectives()).containsExactly("val_accuracy", "loss");
        assertThat(set.info().metric("val_accuracy").direction())
                .isEqualTo(knobscape.evaluate.Metric.Direction.MAXIMISE);
        assertThat(set.info().metric("loss").direction()).isEqualTo(knobscape.evaluate.Metric.Direction.MINIMISE);
    }

    @Test
    void aTableOfHiPlotOpensByTheNamesOfItsColumns() throws IOException {
        Path file = folder.resolve("hiplot.csv");
        Files.writeString(file, """
                uid,from_uid,dropout,lr,optimizer,loss
                0,,0.1,0.001,SGD,10
                1,0,0.15,0.01,Adam,3.5
                """);
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("dropout", "lr", "optimizer");
        assertThat(set.info().objectives()).containsExactly("loss");
    }

    @Test
    void aTableOfASpreadsheetWithSemicolonsAndDecimalCommasOpensAsItIs() throws IOException {
        ReplaySet set = open("""
                tile;kind;time_ms;area
                8;a;2,5;100
                16;b;1,25E1;90
                """);
        assertThat(set.info().objectives()).containsExactly("time_ms", "area");
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("tile", "kind");
        assertThat(set.all().map(s -> s.getLast().value("time_ms").orElseThrow()))
                .containsExactly(2.5, 12.5);
    }

    @Test
    void namesWithUnitsAreObjectivesAsThoseWithout() throws IOException {
        ReplaySet set = open("""
                unroll,latency_ns,dsp_count,lut,power_w
                1,100,1,10,1.5
                2,60,2,20,1.7
                """);
        assertThat(set.info().objectives()).containsExactly("lut", "power_w", "latency_ns");
    }

    @Test
    void wordsAreNoMetricAndOneNamedMetricIsJoinedByAnother() throws IOException {
        ReplaySet set = open("""
                unroll,loss,error,memory,cost
                1,hinge,,12,4.5
                2,square,timeout,,
                4,hinge,,6,3.5
                8,hinge,,NaN,5
                """);
        // Words in every row name a choice; words in some rows say what went wrong.
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("unroll", "loss");
        assertThat(set.info().objectives()).containsExactly("memory", "cost");
        assertThat(set.space().size()).isEqualTo(3);
    }

    @Test
    void aMetricWithWordsInSomeRowsStaysOneAndTheseRowsAreNamed() throws IOException {
        ReplaySet set = open("""
                unroll,delay,lut
                1,5,7
                2,ERROR,4
                4,"1,234",8
                8,7,9
                16,inf,3
                """);
        assertThat(set.info().objectives()).containsExactly("delay", "lut");
        assertThat(set.notes())
                .containsExactly(
                        "2 rows are no results and are left out: line 3 (delay is 'ERROR', which is no number),"
                                + " line 4 (delay is '1,234', which is no number).");
    }

    @Test
    void aUnitInTheNameOfAColumnIsTheUnitOfTheMetric() throws IOException {
        ReplaySet set = open("""
                tile,time_ms,power [W],Latency (cycles),energy_mj,lut (k),error_rate
                8,2.5,3,100,7,4,0.1
                16,1.5,4,90,8,5,0.2
                """);
        assertThat(set.info().metrics())
                .extracting(Metric::name, Metric::label, Metric::unit)
                .containsExactlyInAnyOrder(
                        tuple("time_ms", "Time", "ms"),
                        tuple("power [W]", "Power", "W"),
                        tuple("Latency (cycles)", "Latency", "cycles"),
                        tuple("energy_mj", "Energy", "mJ"),
                        tuple("lut (k)", "Lut", "k"),
                        tuple("error_rate", "Error_rate", ""));
    }

    @Test
    void whatTheProfilerOfCutlassPrintsHasNoRateForAKnob() throws IOException {
        ReplaySet set = open("""
                Problem,Provider,OperationKind,Operation,Disposition,Status,gemm_kind,m,n,k,cta_m,cta_n,stages,Bytes,Flops,Flops/Byte,Runtime,GB/s,GFLOPs
                1,CUTLASS,gemm,tile_128x128,passed,success,universal,512,512,512,128,128,3,1572864,268959744,171,0.021,74.9,12807
                1,CUTLASS,gemm,tile_64x64,passed,success,universal,512,512,512,64,64,3,1572864,268959744,171,0.019,82.8,14155
                1,CUTLASS,gemm,tile_256x64,incorrect,success,universal,512,512,512,256,64,4,1572864,268959744,171,0.011,90,20000
                """);
        assertThat(set.info().objectives()).containsExactly("runtime");
        assertThat(set.space().knobs().list())
                .extracting(k -> k.name())
                .contains("cta_m", "stages")
                .doesNotContain("GB/s", "GFLOPs", "Bytes", "Flops/Byte", "Runtime", "Status");
        assertThat(set.all().flatMap(java.util.List::stream).filter(e -> e.isMeasured()))
                .hasSize(2);
    }

    @Test
    void timesAndRatesAreKnownByTheirUnitsAndWhatIsSpentIsTheCost() throws IOException {
        ReplaySet set = open("""
                tile,flags,status,time_ms,std_ms,runs,compile_ms,bench_ms,GB/s
                8,-O1,ok,9,0.1,32,900,100,100
                16,-O2,ok,6,0.2,32,1900,100,150
                """);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("tile", "flags");
        assertThat(set.info().objectives()).contains("time_ms").doesNotContain("std_ms");
        assertThat(set.info().metric("GB/s").direction()).isEqualTo(Metric.Direction.MAXIMISE);
        assertThat(set.all().toList().get(1).getLast().costSeconds()).isEqualTo(2.0);
        // Without such a column no time is made up.
        assertThat(open("tile,time_ms\n8,9\n16,6\n")
                        .all()
                        .toList()
                        .getFirst()
                        .getLast()
                        .costSeconds())
                .isZero();
    }
}
