package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePlanTest {
    @TempDir
    private Path folder;

    private FilePlan plan(Map<String, String> files, Map<String, String> origins) {
        return new FilePlan(FileGuard.standard(), folder, FileGuard.bytes(files), origins);
    }

    @Test
    void saysWhatHappensToEachFileAndChangesNothing() {
        FileGuard.standard().write(folder, FileGuard.bytes(Map.of("same", "1\n", "other", "a\nb\nc\n")));
        var files = new LinkedHashMap<String, String>();
        files.put("same", "1\n");
        files.put("other", "a\nB\nc\n");
        files.put("src/new", "x");
        FilePlan plan = plan(files, Map.of());
        assertThat(files.keySet().stream().map(plan::state))
                .containsExactly(FilePlan.State.UNCHANGED, FilePlan.State.REPLACED, FilePlan.State.NEW);
        assertThat(plan.summary())
                .contains(
                        folder.toString(),
                        "unchanged  same (2 bytes)",
                        "replaced   other",
                        "new        src/new (1 bytes)");
        assertThat(plan.differences()).isEqualTo("""
                --- other (there now)
                +++ other (to be written)
                @@ -1,3 +1,3 @@
                 a
                -b
                +B
                 c
                """);
        assertThat(FilePlan.text(List.of(plan))).isEqualTo(plan.summary() + "\n" + plan.differences());
        assertThat(folder.resolve("src")).doesNotExist();
        assertThat(folder.resolve("other")).hasContent("a\nb\nc\n");
        assertThat(plan.write()).hasSize(3);
        assertThat(folder.resolve("other")).hasContent("a\nB\nc\n");
        assertThat(plan.state("other")).isEqualTo(FilePlan.State.UNCHANGED);
    }

    @Test
    void aChangedCopyIsComparedWithItsSource() {
        FilePlan plan = plan(Map.of("k.cpp", "int a;\n#pragma p\n"), Map.of("k.cpp", "int a;\n"));
        assertThat(plan.differences()).startsWith("--- k.cpp (source)\n").contains("\n+#pragma p\n");
        assertThat(plan(Map.of("k.cpp", "int a;\n"), Map.of("k.cpp", "int a;\n"))
                        .differences())
                .isEmpty();
    }

    @Test
    void longDifferencesAreCounted() throws Exception {
        String before = IntStream.range(0, 3000).mapToObj(i -> "b" + i).collect(Collectors.joining("\n"));
        String now = IntStream.range(0, 3000).mapToObj(i -> "n" + i).collect(Collectors.joining("\n"));
        Files.writeString(folder.resolve("a"), before);
        assertThat(plan(Map.of("a", now), Map.of()).differences()).endsWith("(6,000 lines differ)\n");
    }

    @Test
    void aFileOfSomeoneElseIsRefused() throws Exception {
        Files.write(folder.resolve("a"), "mine".getBytes(StandardCharsets.UTF_8));
        FilePlan plan = plan(Map.of("a", "ours", "b", "new"), Map.of());
        assertThatThrownBy(plan::checked).isInstanceOf(UserError.class).hasMessageContaining("--force");
        assertThatThrownBy(plan::write).isInstanceOf(UserError.class);
        assertThat(folder.resolve("b")).doesNotExist();
    }

    @Test
    void whatCannotBeReadIsSaid() throws Exception {
        Files.createDirectory(folder.resolve("a"));
        assertThat(plan(Map.of("a", "x"), Map.of()).differences()).contains("cannot be compared");
    }
}
