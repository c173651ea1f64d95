package knobscape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds the page on published systems to the classes that there are.
class FaithfulnessTest {
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");

    @Test
    void everyElementNamesAClassThatThereIs() throws IOException {
        Set<String> classes;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            classes = files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".java"))
                    .map(f -> f.substring(0, f.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        List<String> lines = Files.readAllLines(Path.of("src/docs/faithfulness.md"));
        assertThat(lines).filteredOn(l -> l.startsWith("## ")).hasSize(5);
        var named = new ArrayList<String>();
        for (String line : lines) {
            if (line.startsWith("| ") && !line.startsWith("| Element ")) {
                String[] cells = line.split("\\|", -1);
                assertThat(cells).as(line).hasSize(5);
                List<String> here =
                        CLASS.matcher(cells[2]).results().map(m -> m.group(1)).toList();
                assertThat(here).as(line).isNotEmpty();
                named.addAll(here);
            }
        }
        assertThat(classes).containsAll(named);
    }
}
