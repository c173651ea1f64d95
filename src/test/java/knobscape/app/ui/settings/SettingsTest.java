package knobscape.app.ui.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsPutIsThereAtTheNextStart() {
        Path file = folder.resolve("deep/settings.json");
        Settings first = Settings.load(file);
        first.put("theme", "dark");
        first.put("window.width", "1280.0");
        first.remember("recent", "/a", 3);
        first.remember("recent", "/b", 3);
        first.remember("recent", "/a", 3);
        first.save();

        Settings next = Settings.load(file);
        assertThat(next.get("theme")).contains("dark");
        assertThat(next.number("window.width")).hasValue(1280);
        assertThat(next.number("theme")).isEmpty();
        assertThat(next.lines("recent")).containsExactly("/a", "/b");
        assertThat(next.problem()).isEmpty();
    }

    @Test
    void recentListIsBounded() {
        Settings s = Settings.inMemory();
        for (int i = 0; i < 20; i++) {
            s.remember("recent", "/" + i, 10);
        }
        assertThat(s.lines("recent")).hasSize(10).startsWith("/19", "/18");
    }

    @Test
    void damagedFileIsKeptAsideAndSaid() throws IOException {
        Path file = folder.resolve("settings.json");
        Files.writeString(file, "{\"theme\": ");
        Settings s = Settings.load(file);
        assertThat(s.problem()).hasValueSatisfying(p -> assertThat(p).contains("settings.json.unreadable"));
        assertThat(folder.resolve("settings.json.unreadable")).hasContent("{\"theme\": ");
        s.put("theme", "light");
        s.save();
        assertThat(Settings.load(file).get("theme")).contains("light");
    }

    @Test
    void fileOfAnotherShapeOrSizeIsNotBelieved() throws IOException {
        Path file = folder.resolve("settings.json");
        Files.writeString(file, "[1, 2]");
        assertThat(Settings.load(file).problem()).isPresent();
        Files.write(file, new byte[2 << 20]);
        assertThat(Settings.load(file).problem()).isPresent();
    }
}
