package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ColumnRoles.Column;
import knobscape.evaluate.replay.ColumnRoles.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that Optuna and Kernel Tuner wrote themselves (`toy_study.py`, `toy_kernel.py` beside them), and what becomes
/// of their columns.
class ResultFileTest {
    @TempDir
    private Path folder;

    private static InputStream resource(String name) {
        return Objects.requireNonNull(ResultFileTest.class.getResourceAsStream("/knobscape/evaluate/" + name), name);
    }

    private Path storage() throws IOException {
        Path file = folder.resolve("toy.db");
        try (var in = new GZIPInputStream(resource("toy-study.db.gz"))) {
            Files.copy(in, file);
        }
        return file;
    }

    private Path cache() throws IOException {
        Path file = folder.resolve("cache.json");
        try (var in = resource("toy-kernel.json")) {
            Files.copy(in, file);
        }
        return file;
    }

    @Test
    void aStorageOfOptunaOpensWithTheStudysOwnDirections() throws IOException {
        Path file = storage();
        assertThat(ReplaySet.recognises(file)).isTrue();
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.info().objectives()).containsExactly("delay", "rate");
        assertThat(set.info().metric("delay").direction()).isEqualTo(Metric.Direction.MINIMISE);
        assertThat(set.info().metric("rate").direction()).isEqualTo(Metric.Direction.MAXIMISE);
        assertThat(set.info().metric("area").direction()).isEqualTo(Metric.Direction.NEUTRAL);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("tile", "unroll", "partition");
        // 30 trials: one pruned, one with the knobs of an earlier one.
        assertThat(set.rows()).isEqualTo(42);
        assertThat(set.space().size()).isEqualTo(28);
        // 1000 / (min(tile, 32) sqrt(unroll) reuse) + tile / 8, as the script computes it.
        for (List<Evaluation> e : set.all().toList()) {
            var c = e.getLast().configuration();
            double tile = Double.parseDouble(c.value("tile"));
            double reuse = List.of("none", "block", "cyclic").indexOf(c.value("partition")) * 0.5 + 1;
            double delay =
                    1000 / (Math.min(tile, 32) * Math.sqrt(Double.parseDouble(c.value("unroll"))) * reuse) + tile / 8;
            assertThat(e.getLast().value("delay").orElseThrow())
                    .isCloseTo(delay, org.assertj.core.data.Offset.offset(1e-9));
        }
    }

    @Test
    void anotherStudyOfTheStorageIsChosenByItsName() throws IOException {
        Path file = storage();
        ColumnRoles roles = ReplaySet.open(file).roles();
        assertThat(roles.studies()).containsExactly("front", "single");
        assertThat(roles.study()).isEqualTo("front");
        Path mapping = Files.writeString(folder.resolve("columns.yaml"), roles.ofStudy("single"));
        ReplaySet single = ReplaySet.open(file, java.util.Optional.of(mapping));
        assertThat(single.roles().study()).isEqualTo("single");
        assertThat(single.info().objectives()).containsExactly("value");
        assertThat(single.space().knobs().list()).extracting(k -> k.name()).containsExactly("lr", "layers");
        assertThat(single.space().size()).isEqualTo(12);
        // Numbers stand in their order, whatever their texts are.
        assertThat(single.space().knobs().get(0).domain().labels().stream()
                        .map(Double::parseDouble)
                        .toList())
                .isSorted();
    }

    @Test
    void aCacheOfKernelTunerOpens() throws IOException {
        Path file = cache();
        assertThat(ReplaySet.recognises(file)).isTrue();
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.info().objectives()).containsExactly("time");
        assertThat(set.info().metric("time").unit()).isEqualTo("ms");
        assertThat(set.info().metric("GB/s").direction()).isEqualTo(Metric.Direction.NEUTRAL);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("STEP", "REPEAT");
        for (List<Evaluation> e : set.all().toList()) {
            var c = e.getLast().configuration();
            double time = Double.parseDouble(c.value("REPEAT")) * 0.1 + 1 / Double.parseDouble(c.value("STEP"));
            assertThat(e.getLast().value("time").orElseThrow())
                    .isCloseTo(time, org.assertj.core.data.Offset.offset(1e-6));
        }
    }

    @Test
    void aConfigurationThatDidNotCompileIsOneThatWasRefused() throws IOException {
        Path file = cache();
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("\"time\": [0-9.]+", "\"time\": \"CompilationFailedConfig\""));
        assertThat(ReplaySet.open(file).coverage().getFirst().refused()).isEqualTo(1);
    }

    private ReplaySet corrected(Path file, ReplaySet set, String column, Role role) throws IOException {
        Path mapping =
                Files.writeString(folder.resolve("corrected.yaml"), set.roles().with(column, role));
        return ReplaySet.open(file, java.util.Optional.of(mapping));
    }

    @Test
    void columnsWithoutANameAreToldByTheirPlaceAndNotUsed() throws IOException {
        // As pandas writes its index, and a spreadsheet separators behind the last column.
        Path file = Files.writeString(folder.resolve("t.csv"), """
                ,depth,loss,,
                0,1,9,,
                1,2,8,,
                2,3,7,,
                """);
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.roles().columns())
                .containsExactly(
                        new Column("loss", Role.MINIMISE, java.util.EnumSet.of(Role.MINIMISE, Role.MAXIMISE)),
                        new Column("depth", Role.KNOB, java.util.EnumSet.of(Role.KNOB)),
                        new Column("column 1 (no name)", Role.UNUSED, java.util.EnumSet.of(Role.UNUSED)));
    }

    @Test
    void whatAColumnIsForCanBeCorrected() throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), """
                depth,lr,kind,score,loss,size
                1,0.1,a,0.5,9,100
                2,0.01,b,0.6,8,200
                3,0.001,a,0.7,7,300
                """);
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.roles().columns())
                .extracting(Column::name, Column::role)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("score", Role.MAXIMISE),
                        org.assertj.core.groups.Tuple.tuple("loss", Role.MINIMISE),
                        org.assertj.core.groups.Tuple.tuple("depth", Role.KNOB),
                        org.assertj.core.groups.Tuple.tuple("lr", Role.KNOB),
                        org.assertj.core.groups.Tuple.tuple("kind", Role.KNOB),
                        org.assertj.core.groups.Tuple.tuple("size", Role.KNOB));
        // A text can decide something or nothing, and cannot be measured.
        assertThat(set.roles().columns().get(4).name()).isEqualTo("kind");
        assertThat(set.roles().columns().get(4).possible()).containsExactly(Role.KNOB, Role.UNUSED);

        ReplaySet sized = corrected(file, set, "size", Role.MINIMISE);
        assertThat(sized.info().objectives()).containsExactly("score", "loss", "size");
        assertThat(sized.space().knobs().list()).extracting(k -> k.name()).containsExactly("depth", "lr", "kind");

        ReplaySet noted = corrected(file, sized, "loss", Role.NOTE);
        assertThat(noted.info().objectives()).containsExactly("score", "size");
        assertThat(noted.info().metric("loss").direction()).isEqualTo(Metric.Direction.NEUTRAL);

        ReplaySet turned = corrected(file, noted, "score", Role.MINIMISE);
        assertThat(turned.info().objectives()).containsExactly("score", "size");
        assertThat(turned.info().metric("score").direction()).isEqualTo(Metric.Direction.MINIMISE);

        ReplaySet without = corrected(file, turned, "lr", Role.UNUSED);
        assertThat(without.space().knobs().list()).extracting(k -> k.name()).containsExactly("depth", "kind");
        assertThat(without.roles().columns())
                .contains(new Column(
                        "lr", Role.UNUSED, java.util.EnumSet.complementOf(java.util.EnumSet.of(Role.STATUS))));
        ReplaySet back = corrected(file, without, "lr", Role.KNOB);
        assertThat(back.space().knobs().list()).extracting(k -> k.name()).containsExactly("depth", "lr", "kind");

        ReplaySet knob = corrected(file, back, "loss", Role.KNOB);
        assertThat(knob.space().knobs().list()).extracting(k -> k.name()).contains("loss");
        ReplaySet one = corrected(file, knob, "size", Role.UNUSED);
        // The last objective stays one.
        assertThat(one.roles().columns().getFirst().possible()).containsExactly(Role.MINIMISE, Role.MAXIMISE);
    }

    @Test
    void aTableWhoseNamesSayNothingIsReadByItsLastNumbers() throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "id,a,b,y,word\n1,1,x,3.5,p\n2,2,y,2.5,q\n");
        assertThat(ReplaySet.recognises(file)).isFalse();
        ReplaySet set = ReplaySet.open(file);
        assertThat(set.info().objectives()).containsExactly("y");
        assertThat(set.description()).contains("the last one with numbers, y,");
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("a", "b", "word");
    }

    @Test
    void filesThatHoldSomethingElseAreRefusedInASentence() throws Exception {
        Path other = folder.resolve("other.db");
        try (var c = java.sql.DriverManager.getConnection("jdbc:sqlite:" + other);
                var s = c.createStatement()) {
            s.execute("CREATE TABLE things (a)");
        }
        assertThat(ReplaySet.recognises(other)).isFalse();
        assertThatThrownBy(() -> ReplaySet.open(other))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("other.db is a SQLite file, but no storage of Optuna");
        Path json = Files.writeString(folder.resolve("other.json"), "{\"nodes\": [], \"inputs\": []}");
        assertThat(ReplaySet.recognises(json)).isFalse();
        assertThatThrownBy(() -> ReplaySet.open(json))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("it is a network");
        Path words = Files.writeString(folder.resolve("words.csv"), "a,b\nx,y\n");
        assertThatThrownBy(() -> ReplaySet.open(words))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no mapping");
    }

    /// Whatever is in the file, it is read or refused in a sentence that names it.
    @Test
    void aDamagedStorageIsReadOrRefusedInWords() throws IOException {
        byte[] whole = Files.readAllBytes(storage());
        var random = new SplittableRandom(3);
        Path file = folder.resolve("damaged.db");
        for (int i = 0; i < 60; i++) {
            byte[] damaged = i % 4 == 0 ? java.util.Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            for (int k = 0; k < 40 && damaged.length > 0; k++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, damaged);
            try {
                assertThat(ReplaySet.open(file).rows()).isPositive();
            } catch (UserError e) {
                assertThat(e.getMessage()).contains("damaged");
            }
        }
    }
}
