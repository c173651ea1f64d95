package knobscape.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import knobscape.app.doctor.Diagnosis.Check;
import knobscape.app.doctor.Diagnosis.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DiagnosisTest {
    @TempDir
    private Path folder;

    private Diagnosis of(Map<String, String> environment) {
        var properties = new Properties();
        properties.putAll(System.getProperties());
        return Diagnosis.of(
                new Machine(environment, properties), folder, Optional.of("No window can be opened."), 512L << 20, 2);
    }

    private static Check check(Diagnosis d, String name) {
        return d.checks().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void program(String name, String script) throws Exception {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void aBareMachineIsUsable() {
        Diagnosis d = of(Map.of());
        assertThat(d.isUsable()).isTrue();
        assertThat(check(d, "Java").found()).contains(System.getProperty("java.version"));
        assertThat(check(d, "Store (SQLite)").state()).isEqualTo(State.FOUND);
        assertThat(check(d, "Vitis HLS").state()).isEqualTo(State.ABSENT);
        assertThat(check(d, "Vitis HLS").advice()).contains("settings64.sh");
        assertThat(check(d, "Slurm").state()).isEqualTo(State.ABSENT);
        assertThat(check(d, "GPU").state()).isEqualTo(State.ABSENT);
        assertThat(check(d, "Display").found()).isEqualTo("No window can be opened.");
        assertThat(d.checks())
                .filteredOn(c -> c.state() != State.FOUND)
                .extracting(Check::name)
                .contains("GPU", "CUDA", "Slurm", "Part installed");
        assertThat(d.checks())
                .filteredOn(c -> c.state() != State.FOUND)
                .allSatisfy(c -> assertThat(c.advice()).as(c.name()).isNotBlank());
        assertThat(d.text())
                .contains("Slurm (absent): no sbatch on the PATH\n    Not needed: tools run on this machine");
    }

    @Test
    void littleMemoryIsTrouble() {
        Check c = check(of(Map.of()), "Memory");
        assertThat(c.state()).isEqualTo(State.TROUBLE);
        assertThat(c.advice()).contains("-Xmx");
        assertThat(of(Map.of()).text()).contains("Memory (trouble): 512 MiB").contains("To fix it: give Java more");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void vivadoIsAskedForTheProjectsPart() throws Exception {
        program(
                "vivado",
                "[ \"$1\" = -mode ] || { echo 'vivado v2022.1'; exit 0; }\nfor f; do :; done\ngrep -q xczu7ev \"$f\" && echo PARTS 0 || echo PARTS 1");
        assertThat(check(of(Map.of("PATH", folder + ":/bin:/usr/bin")), "Part installed")
                        .state())
                .isEqualTo(State.FOUND);
        Files.writeString(
                folder.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"source\": \"k.cpp\", \"part\": \"zcu104\"}");
        Check c = check(of(Map.of("PATH", folder + ":/bin:/usr/bin")), "Part installed");
        assertThat(c.state()).isEqualTo(State.TROUBLE);
        assertThat(c.found()).contains("does not have xczu7ev");
        assertThat(c.advice()).contains("device family");
        program("vivado", "exit 1");
        assertThat(check(of(Map.of("PATH", folder.toString())), "Part installed")
                        .advice())
                .contains("by hand");
    }

    @Test
    void aLicenceFileThatIsNotThereIsTrouble() {
        Check c = check(
                of(Map.of("XILINXD_LICENSE_FILE", folder.resolve("gone.lic").toString())), "FPGA licence");
        assertThat(c.state()).isEqualTo(State.TROUBLE);
        assertThat(c.found()).contains("gone.lic");
        assertThat(check(of(Map.of("LM_LICENSE_FILE", "2100@server")), "FPGA licence")
                        .state())
                .isEqualTo(State.FOUND);
    }

    @Test
    void memoryIsToldPerJob() {
        assertThat(Diagnosis.jobs(64, 16).found()).contains("16 jobs");
        assertThat(Diagnosis.jobs(16, 16).found()).contains("4 jobs");
        assertThat(Diagnosis.jobs(2, 16).advice()).contains("Slurm");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void programsOnThePathAreFound() throws Exception {
        program("vivado", "echo; echo 'vivado v2022.1 (64-bit)'");
        program("vivado_hls", "exit 1");
        program("sbatch", "");
        program("sinfo", "echo 'main (up, 2 nodes)'");
        program("nvidia-smi", "echo 'NVIDIA T4, 550.54'");
        Diagnosis d = of(Map.of("PATH", folder.toString()));
        assertThat(check(d, "Vivado").found()).isEqualTo(folder.resolve("vivado") + ", vivado v2022.1 (64-bit)");
        assertThat(check(d, "Vitis HLS").state()).isEqualTo(State.TROUBLE);
        assertThat(check(d, "Vitis HLS").advice()).contains("settings64.sh");
        assertThat(check(d, "Slurm").found()).contains("main (up, 2 nodes)");
        assertThat(check(d, "FPGA licence").advice()).contains("PORT@SERVER");
        assertThat(check(d, "GPU").found()).isEqualTo("NVIDIA T4, 550.54");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theFirstToolsAreKnownToo() throws Exception {
        program("vivado_hls", "echo 'Vivado(TM) HLS - High-Level Synthesis from C, C++ and SystemC v2018.2 (64-bit)'");
        Check c = check(of(Map.of("PATH", folder.toString())), "Vitis HLS");
        assertThat(c.state()).isEqualTo(State.FOUND);
        assertThat(c.found()).contains("vivado_hls").contains("v2018.2");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void everyFailureSaysHowToFixIt() throws Exception {
        for (String name : java.util.List.of("vitis-run", "vivado", "sinfo", "nvidia-smi")) {
            program(name, "exit 1");
        }
        program("sbatch", "");
        var d = new java.util.ArrayList<>(of(Map.of(
                        "PATH",
                        folder.toString(),
                        "XILINXD_LICENSE_FILE",
                        folder.resolve("gone.lic").toString()))
                .checks());
        folder = folder.resolve("gone");
        d.add(check(of(Map.of()), "Disk"));
        d.add(Diagnosis.jobs(2, 16));
        var failed = d.stream().filter(c -> c.state() == State.TROUBLE).toList();
        assertThat(failed)
                .extracting(Check::name)
                .contains(
                        "Memory",
                        "Disk",
                        "Vitis HLS",
                        "Vivado",
                        "Part installed",
                        "FPGA licence",
                        "Memory per job",
                        "Slurm",
                        "GPU");
        assertThat(failed)
                .allSatisfy(c -> assertThat(new Diagnosis(java.util.List.of(c)).text())
                        .contains("(trouble)")
                        .containsPattern("To fix it: \\w{3}"));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aDriverThatFailsIsTroubleNotACrash() throws Exception {
        program("nvidia-smi", "exit 9");
        assertThat(check(of(Map.of("PATH", folder.toString())), "GPU").state()).isEqualTo(State.TROUBLE);
    }

    @Test
    void aToolThatIsInstalledButNotOnThePathIsTrouble() {
        Check c = check(of(Map.of("XILINX_VIVADO", "/tools/Vivado/2020.1")), "Vivado");
        assertThat(c.state()).isEqualTo(State.TROUBLE);
        assertThat(c.found()).contains("/tools/Vivado/2020.1");
    }
}
