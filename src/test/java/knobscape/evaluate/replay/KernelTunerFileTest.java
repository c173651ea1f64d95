package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// Files as Kernel Tuner 1.0 writes its caches, and T4 files of the FAIR auto-tuning schema.
class KernelTunerFileTest {
    private static final String CACHE = """
            {"device_name": "A100", "kernel_name": "axpy", "tune_params_keys": ["bx", "unroll"],
             "tune_params": {"bx": [32, 64], "unroll": [1, 2]},
             "cache": {
              "32,1": {"bx": 32, "unroll": 1, "time": 2.5, "times": [2.4, 2.6], "compile_time": 100.0,
                       "benchmark_time": 7, "verification_time": 1, "GFLOP/s": 12.5, "note": "x"},
              "32,2": {"bx": 32, "unroll": 2, "time": "RuntimeFailedConfig"},
              "64,1": {"bx": 64, "unroll": 1, "time": "CompilationFailedConfig", "compile_time": 3},
              "64,2": {"bx": 64, "unroll": 2, "time": 1e20}""";

    @TempDir
    private Path folder;

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("kernel.json"), text);
    }

    private static List<String> row(CsvTable table, int row) {
        return IntStream.range(0, table.header().size())
                .mapToObj(c -> table.cell(row, c))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"}}", "''", "','"}) // closed, and as a killed run leaves it
    void aCacheIsRead(String end) throws Exception {
        var read = KernelTunerFile.read(file(CACHE + end));
        assertThat(read.device()).isEqualTo("A100");
        assertThat(read.kernel()).isEqualTo("axpy");
        assertThat(read.table().header())
                .containsExactly("bx", "unroll", "status", "time_ms", "compile_ms", "bench_ms", "GFLOP/s");
        assertThat(read.table().rowCount()).isEqualTo(4);
        assertThat(row(read.table(), 0)).containsExactly("32", "1", "ok", "2.5", "100.000", "7.00000", "12.5");
        assertThat(row(read.table(), 1)).containsExactly("32", "2", "run_failed", "", "", "", "");
        assertThat(row(read.table(), 2)).containsExactly("64", "1", "compile_failed", "", "3.00000", "", "");
        assertThat(row(read.table(), 3)).containsExactly("64", "2", "run_failed", "", "", "", "");
    }

    @ParameterizedTest
    @CsvSource({"s, 2000.0", "ms, 2.0", "us, 0.002", "ns, 2.0E-6"})
    void timesOfAResultFileAreInMilliseconds(String unit, String milliseconds) throws Exception {
        var read = KernelTunerFile.read(file("""
                {"schema_version": "1.0.0", "results": [
                  {"configuration": {"bx": 32}, "invalidity": "correct",
                   "times": {"compilation": 5, "benchmark": 6, "runtimes": [9, 9]},
                   "measurements": [{"name": "power", "value": 3, "unit": "W"},
                                    {"name": "time", "value": 2, "unit": "%s"}]}]}""".formatted(unit)));
        assertThat(read.device() + read.kernel()).isEmpty();
        assertThat(read.table().header()).containsExactly("bx", "status", "time_ms", "compile_ms", "bench_ms");
        assertThat(row(read.table(), 0)).containsExactly("32", "ok", milliseconds, "5.00000", "6.00000");
    }

    @Test
    void withoutAMeasurementTheRunsAreAveragedAndFailuresKeepTheirKind() throws Exception {
        var table = KernelTunerFile.read(file("""
                {"results": [
                  {"configuration": {"bx": 1}, "invalidity": "correct", "times": {"runtimes": [1, 2], "compilation_time": 4}},
                  {"configuration": {"bx": 2}, "invalidity": "compile"},
                  {"configuration": {"bx": 3}, "invalidity": "constraints"},
                  {"configuration": {"bx": 4}, "invalidity": "timeout"},
                  {"configuration": {"bx": 5}, "invalidity": "correctness",
                   "measurements": [{"name": "time", "value": 2, "unit": "ms"}]},
                  {"configuration": {"bx": 6}},
                  {"configuration": {"bx": 7}, "invalidity": "correct"}]}""")).table();
        assertThat(row(table, 0)).containsExactly("1", "ok", "1.5", "4.00000", "");
        assertThat(IntStream.range(1, 7).mapToObj(r -> table.cell(r, 1) + table.cell(r, 2)))
                .containsExactly(
                        "compile_failed", "invalid", "run_timeout", "wrong_answer", "run_failed", "run_failed");
    }

    /// As Triton 3.4 writes them beside a kernel's cache.
    @Test
    void autotuningOfTritonIsRead() throws Exception {
        var read = KernelTunerFile.read(Files.writeString(folder.resolve("matmul.autotune.json"), """
                {"key": ["512", "fp16"], "configs_timings": [
                 [{"kwargs": {"BLOCK": 64}, "num_warps": 4, "num_stages": 2, "maxnreg": null}, [0.25, 0.2, 0.3]],
                 [{"kwargs": {"BLOCK": 128}, "num_warps": 8, "num_stages": 3, "maxnreg": null}, 1.5],
                 [{"kwargs": {"BLOCK": 32}, "num_warps": 8, "num_stages": 3, "maxnreg": null}, [0, 0, 0]],
                 [{"kwargs": {"BLOCK": 256}, "num_warps": 8, "num_stages": 3, "maxnreg": null}, ["inf"]]]}
                """));
        assertThat(read.kernel()).isEqualTo("matmul (512, fp16)");
        assertThat(read.device()).isEqualTo("unknown");
        assertThat(read.table().header()).startsWith("BLOCK", "num_warps", "num_stages", "status", "time_ms");
        assertThat(row(read.table(), 0)).startsWith("64", "4", "2", "ok", "0.25");
        assertThat(row(read.table(), 1)).startsWith("128", "8", "3", "ok", "1.5");
        assertThat(row(read.table(), 2)).startsWith("32", "8", "3", "run_failed", "");
        assertThat(row(read.table(), 3)).startsWith("256", "8", "3", "run_failed", "");
        assertThat(KernelTunerFile.read(file("""
                                {"configs_timings": [[{"kwargs": {"B": 1}}, [1]], [{"kwargs": {"B": 2}}, [2]]]}
                                """)).kernel()).isEqualTo("kernel");
    }

    @Test
    void aDocumentOnEveryLineIsNamedForWhatTheFirstIs() {
        assertThatThrownBy(() -> KernelTunerFile.read(file("{'i': 1, 'r': 1, 'v': 1}\n{'i': 2}\n".replace('\'', '"'))))
                .hasMessageContaining("an AutoTVM or Ansor log (one record per line)");
        assertThatThrownBy(() -> KernelTunerFile.read(file("{'i': 1, 'r': 1, 'v': 1".replace('\'', '"'))))
                .hasMessageContaining("is no valid JSON");
    }

    @Test
    void whatIsDamagedOrEmptyIsSaid() throws Exception {
        assertThatThrownBy(() -> KernelTunerFile.read(file("{\"cache\": {\"a\": {\"x\": } , }")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("damaged in the middle");
        assertThatThrownBy(() -> KernelTunerFile.read(file("{\"a\": "))).hasMessageContaining("is no valid JSON");
        assertThatThrownBy(() -> KernelTunerFile.read(file("{\"tune_params_keys\": [\"bx\"], \"cache\": {}}")))
                .hasMessageEndingWith("holds no measurement.");
        assertThatThrownBy(() -> KernelTunerFile.read(
                        file("{\"tune_params_keys\": [\"bx\"], \"cache\": {\"1\": {\"time\": 1}}}")))
                .hasMessageEndingWith("a configuration has no value of 'bx'.");
        assertThatThrownBy(() -> KernelTunerFile.read(file("{\"Metadata\": {}, \"Results\": []}")))
                .hasMessageEndingWith("is no file of measured kernels: it is output of KTT.");
        assertThatThrownBy(() -> KernelTunerFile.read(folder.resolve("absent"))).isInstanceOf(UserError.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'tune_params_keys': [], 'cache': {}} | a cache of Kernel Tuner",
                "{'results': [], 'schema_version': 1} | a T4 file of tuning results",
                "{'metadata': {}, 'schema_version': 1} | the metadata of a T4 file, without results",
                "{'ConfigurationSpace': {}} | a T1 file, which describes a tuning problem and measures nothing",
                "{'input': [], 'config': {}, 'result': []} | an AutoTVM log (one record per line)",
                "{'i': 1, 'r': 1, 'v': 1} | an AutoTVM or Ansor log (one record per line)",
                "{'i': [['k']], 'r': 1, 'v': 1} | an Ansor log, whose schedules are of no template",
                "[{'i': [[1]]}] | an Ansor log",
                "[1] | a JSON list",
                "7 | a JSON value, no object",
                "{'sections': [], 'device_core_clock': 1} | a tuning database of CLBlast",
                "{'formatVersion': 1, 'kind': 'hls'} | a project of Knobscape",
                "{'layers': []} | a network",
                "{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6} | JSON of another program, with the fields a, b, c, d, e",
            })
    void aForeignDocumentIsNamedForWhatItIs(String json, String words) {
        assertThat(ForeignJson.words(new JsonMapper().readTree(json.replace('\'', '"'))))
                .isEqualTo(words);
    }

    @Test
    void resultsOfKttAreRead() throws Exception {
        var read = KernelTunerFile.read(file("""
                {"Metadata": {"Device": "RTX 3090", "KttVersion": "2.1", "TimeUnit": "Microseconds"},
                 "Results": [
                  {"KernelName": "conv", "Status": "Ok", "TotalDuration": 250.0, "TotalOverhead": 9,
                   "Configuration": [{"Name": "TBX", "Value": 16, "ValueType": "UnsignedInt"},
                                     {"Name": "CACHE", "Value": true, "ValueType": "Bool"}],
                   "ComputationResults": [{"Duration": 250.0}]},
                  {"KernelName": "conv", "Status": "ValidationFailed", "TotalDuration": 90.0,
                   "Configuration": [{"Name": "TBX", "Value": 32}, {"Name": "CACHE", "Value": true}]},
                  {"KernelName": "conv", "Status": "DeviceLimitsExceeded", "TotalDuration": 0,
                   "Configuration": [{"Name": "TBX", "Value": 64}, {"Name": "CACHE", "Value": false}]}]}"""));
        assertThat(read.program()).isEqualTo("KTT");
        assertThat(read.device()).isEqualTo("RTX 3090");
        assertThat(read.kernel()).isEqualTo("conv");
        assertThat(row(read.table(), 0)).containsExactly("16", "true", "ok", "0.25", "", "");
        assertThat(row(read.table(), 1)).containsExactly("32", "true", "wrong_answer", "", "", "");
        assertThat(row(read.table(), 2)).containsExactly("64", "false", "invalid", "", "", "");
    }

    @Test
    void aTunerOfClBlastIsRead() throws Exception {
        var read = KernelTunerFile.read(file("""
                {"kernel_family": "xgemm_1", "precision": "32", "arg_m": "1024", "clblast_device_name": "Mali-G76",
                 "device_core_clock": "800", "results": [
                  {"kernel": "Xgemm", "time": 3.125, "parameters": {"MWG": 32, "NWG": 64, "PRECISION": 32}},
                  {"kernel": "Xgemm", "time": 2.5, "parameters": {"MWG": 64, "NWG": 64, "PRECISION": 32}}]}"""));
        assertThat(read.device()).isEqualTo("Mali-G76");
        assertThat(read.table().header()).startsWith("MWG", "NWG", "status");
        assertThat(row(read.table(), 1)).containsExactly("64", "64", "ok", "2.5", "", "");
    }

    @Test
    void whatIsPackedIsReadTheSame() throws Exception {
        Path packed = folder.resolve("cache.json.gz");
        try (var out = new java.util.zip.GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write((CACHE + "}}").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        assertThat(ReplaySet.recognises(packed)).isTrue();
        assertThat(ReplaySet.open(packed).space().size()).isEqualTo(4);
        assertThat(KernelTunerFile.read(packed).table().rowCount()).isEqualTo(4);
    }

    /// As `helion/autotuner/logger.py` writes it.
    @Test
    void aLogOfHelionIsReadParameterByParameter() throws Exception {
        Path log = Files.writeString(folder.resolve("run.csv"), """
                timestamp_s,config_index,generation,status,perf_ms,compile_time_s,config
                0.50,1,0,started,,0.30,"helion.Config(block_sizes=[64, 32], num_warps=4, pid_type='flat')"
                1.25,2,0,ok,0.125000,0.30,"helion.Config(block_sizes=[64, 32], num_warps=4, pid_type='flat')"
                1.50,3,0,error,,,"helion.Config(block_sizes=[128, 32], num_warps=8, pid_type='flat')"
                2.00,4,1,ok,0.250000,0.50,"helion.Config(block_sizes=[16, 16], num_warps=8, pid_type='persistent')"
                """);
        ReplaySet set = ReplaySet.open(log);
        assertThat(set.space().knobs().list())
                .extracting(k -> k.name())
                .containsExactly("block_sizes[0]", "block_sizes[1]", "num_warps", "pid_type");
        assertThat(set.space().size()).isEqualTo(3);
        var first = set.all().toList().getFirst().getLast();
        assertThat(first.value("time")).hasValue(0.125);
        assertThat(first.costSeconds()).isEqualTo(0.3);
        Path bad = Files.writeString(folder.resolve("bad.csv"), """
                status,perf_ms,compile_time_s,config
                ok,1,1,helion.Config()
                """);
        assertThatThrownBy(() -> ReplaySet.open(bad))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("bad.csv:2: 'helion.Config()' is no configuration of Helion");
    }
}
