package knobscape.app.ui.area;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javafx.beans.property.SimpleStringProperty;
import knobscape.app.ui.hls.HlsFiles;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.keyboard.KeyBindings;
import knobscape.app.ui.settings.Settings;
import knobscape.hls.HlsArea;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which area opens what, and which area's command is meant.
class WorkKindTest {
    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Path zipped(String name, String text) throws IOException {
        try (var out = new java.util.zip.GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
            out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return folder.resolve(name);
    }

    @Test
    void networksAreToldFromMeasuredDesignsAndKernels() throws IOException {
        assertThat(WorkKind.isNetwork(file("net.onnx", ""))).isTrue();
        assertThat(WorkKind.isNetwork(file("net.json", "{\"format\": \"knobscape-network\", \"formatVersion\": 1}")))
                .isTrue();
        assertThat(WorkKind.isNetwork(file("layers.json", "{ \"format\":\"knobscape-layers\"}")))
                .isTrue();
        assertThat(WorkKind.isNetwork(file("other.json", "{\"format\": \"knobscape-fusion\"}")))
                .isFalse();
        assertThat(WorkKind.isNetwork(file("layers.csv", "layer,name,type,K,C,Y,X\n1,a,CONV,1,1,1,1\n")))
                .isTrue();
        assertThat(WorkKind.isNetwork(zipped("layers.csv.gz", "layer,name,type,K,C,Y,X\n1,a,CONV,1,1,1,1\n")))
                .isTrue();
        assertThat(WorkKind.isNetwork(zipped("designs.csv.gz", "unroll,delay\n1,2\n")))
                .isFalse();
        assertThat(WorkKind.isNetwork(file("cut.csv.gz", "not compressed"))).isFalse();
        assertThat(WorkKind.isNetwork(file("designs.csv", "unroll,delay\n1,2\n")))
                .isFalse();
        assertThat(WorkKind.isNetwork(file("kernel.cpp", "void f() { }"))).isFalse();
        assertThat(WorkKind.isNetwork(file("gemm.yaml", "- id: 0\n  equation: O[b][k]+=W[k][c]*I[b][c]\n")))
                .isTrue();
        assertThat(WorkKind.isNetwork(file("timeloop.yml", "problem:\n  shape: {}\n")))
                .isTrue();
        assertThat(WorkKind.isNetwork(file("own.yaml", "study: gcc\nparameters:\n  x: [1, 2]\n")))
                .isFalse();
        assertThat(WorkKind.isNetwork(folder.resolve("missing.json"))).isFalse();
        assertThat(WorkKind.isNetwork(folder)).isFalse();
    }

    @Test
    void aProjectGoesToTheAreaOfItsKind() throws IOException {
        assertThat(HlsFiles.accepts(folder)).isFalse();
        Path project =
                file("knobscape.json", "{\"formatVersion\": 1, \"kind\": \"fusion\", \"source\": \"zoo:vgg16\"}");
        assertThat(WorkKind.ofProject(folder)).contains(WorkKind.FUSION);
        assertThat(HlsFiles.accepts(folder)).isFalse();
        assertThat(HlsFiles.accepts(project)).isFalse();
        file("knobscape.json", "{\"formatVersion\": 1, \"source\": \"a.cpp\"}");
        assertThat(WorkKind.ofProject(project)).contains(WorkKind.HLS);
        file("knobscape.json", "{\"formatVersion\": 1, \"kind\": \"hls\", \"source\": \"a.csv\"}");
        assertThat(WorkKind.ofProject(project)).contains(WorkKind.STUDY);
        file("knobscape.json", "{\"formatVersion\": 1, \"source\": \"a.cpp\"}");
        assertThat(HlsFiles.accepts(folder)).isTrue();
    }

    @Test
    void aCommandMeansTheAreaShown() {
        var shown = new SimpleStringProperty("one");
        var commands = new Commands(new KeyBindings(Settings.inMemory()));
        var run = new Command("run", "Run", "Run", "Shortcut+R");
        var done = new StringBuilder();
        commands.in(shown.isEqualTo("one")).add(run, () -> done.append('1'));
        commands.in(shown.isEqualTo("two")).add(run, () -> done.append('2'));
        assertThat(commands.perform(run)).isTrue();
        shown.set("two");
        assertThat(commands.perform(run)).isTrue();
        shown.set("three");
        assertThat(commands.perform(run)).isFalse();
        assertThat(done).hasToString("12");
        assertThat(commands.bindings().commands()).containsExactly(run);
    }

    @Test
    void sourcesAndHeadersAreKernelsHoweverTheyEnd() {
        for (String name : List.of("k.c", "k.C", "k.cc", "k.cpp", "k.CPP", "k.cxx", "k.c++", "k.hpp", "k.h")) {
            assertThat(HlsFiles.accepts(folder.resolve(name))).as(name).isTrue();
            assertThat(new HlsArea().accepts(folder.resolve(name))).as(name).isTrue();
        }
        assertThat(HlsFiles.accepts(folder.resolve("c"))).isFalse();
        assertThat(HlsFiles.accepts(folder.resolve("k.cu"))).isFalse();
    }
}
