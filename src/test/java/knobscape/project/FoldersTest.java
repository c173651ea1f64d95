package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldersTest {
    @TempDir
    private Path folder;

    /// Asks with other system properties; an empty value takes one away.
    static <T> T with(Map<String, String> properties, Supplier<T> question) {
        var before = new java.util.HashMap<String, Optional<String>>();
        properties.keySet().forEach(k -> before.put(k, Optional.ofNullable(System.getProperty(k))));
        try {
            properties.forEach(FoldersTest::set);
            return question.get();
        } finally {
            before.forEach((k, v) -> set(k, v.orElse("")));
        }
    }

    private static void set(String name, String value) {
        if (value.isEmpty()) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, value);
        }
    }

    @Test
    void theFolderOfAUserIsTheOneNamed() {
        Map<String, String> named =
                Map.of("knobscape.config", folder.resolve("mine").toString());
        assertThat(with(named, Folders::user)).isEqualTo(folder.resolve("mine"));
        assertThat(with(named, Folders::userRuns))
                .isEqualTo(folder.resolve("mine").resolve("runs"));
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, Knobscape", "Mac OS X, Library/Application Support/Knobscape", "Linux, .config/knobscape"})
    void elseItIsTheSystems(String system, String inside) {
        Path user =
                with(Map.of("knobscape.config", "", "os.name", system, "user.home", folder.toString()), Folders::user);
        String elsewhere = system.startsWith("Windows")
                ? System.getenv("APPDATA")
                : system.equals("Linux") ? System.getenv("XDG_CONFIG_HOME") : null;
        assertThat(user)
                .isEqualTo(
                        elsewhere == null || elsewhere.isBlank()
                                ? folder.resolve(inside)
                                : Path.of(elsewhere).resolve(Path.of(inside).getFileName()));
    }

    @Test
    void aFolderIsMadeAndLeftClean() throws Exception {
        Path deep = folder.resolve("a/b/c");
        assertThat(Folders.writable(deep)).isEqualTo(deep).isEmptyDirectory();
        assertThat(Folders.isWritable(deep)).isTrue();
        assertThat(deep).isEmptyDirectory();
    }

    /// What a process left that was killed while it wrote.
    @Test
    void whatAKilledProcessLeftIsSweptAway() throws Exception {
        Files.writeString(folder.resolve(".knobscape.probe"), "");
        Files.writeString(folder.resolve(".run.json.99999999-1.tmp"), "half");
        Path text = Files.writeString(folder.resolve("mine.txt"), "kept");
        Folders.writable(folder);
        assertThat(folder).isDirectoryNotContaining("glob:**.{probe,tmp}");
        assertThat(text).hasContent("kept");
    }

    @Test
    void aFileIsNoFolder() throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "");
        assertThatThrownBy(() -> Folders.writable(file))
                .isInstanceOf(UserError.class)
                .hasMessage(file + " is a file, not a folder; name another output folder.");
        assertThatThrownBy(() -> Folders.writable(file.resolve("inside")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("inside");
        assertThat(Folders.isWritable(file)).isFalse();
        assertThat(Folders.isWritable(folder.resolve("missing"))).isFalse();
        assertThat(file).isEmptyFile();
    }
}
