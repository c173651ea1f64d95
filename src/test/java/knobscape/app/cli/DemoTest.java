package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.imageio.ImageIO;
import knobscape.hls.HlsTools;
import knobscape.project.ProjectFile;
import knobscape.project.Runner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Without a display the program does its work in the terminal.
class DemoTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int demo(Optional<Path> project) {
        var context = new CommandContext(HlsTools::standard, Runner::withSystemClocks, folder, false);
        return Demo.run(
                "No window can be opened: there is no display.",
                project,
                new CommandLine(new GuiCommand(context))
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err)),
                context);
    }

    @Test
    @Tag("slow")
    void exploresInTheTerminalAndDrawsThePictureOfTheWindow() throws Exception {
        Path project = Files.createDirectory(folder.resolve("p"));
        Files.writeString(
                project.resolve("k.cpp"),
                "void k(int a[32], int b[32]) {\nloop:\n  for (int i = 0; i < 32; i++) {\n    b[i] = a[i] * 3;\n  }\n}\n");
        Files.writeString(
                project.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"source\": \"k.cpp\", \"run\": {\"method\": \"random\", \"steps\": 5}}");
        assertThat(demo(Optional.of(project))).isZero();
        assertThat(out.toString())
                .startsWith("No window can be opened: there is no display.")
                .contains("in the terminal instead; results go to out/")
                .contains("Front of ")
                .contains("unroll loop=")
                .contains("Picture of the window: ");
        assertThat(err.toString()).contains("hypervolume");
        Path results = folder.resolve("out");
        assertThat(results)
                .isDirectoryContaining("glob:**/front.csv")
                .isDirectoryContaining("glob:**/report.md")
                .isDirectoryContaining("glob:**/run.json");
        var picture = ImageIO.read(results.resolve("window.png").toFile());
        assertThat(picture.getWidth()).isEqualTo(1440);
        long colours = java.util.stream.IntStream.range(0, 1440 * 900)
                .map(i -> picture.getRGB(i % 1440, i / 1440))
                .distinct()
                .limit(50)
                .count();
        assertThat(colours).as("something is drawn").isEqualTo(50);
    }

    @Test
    void withoutSamplesItSaysWhatToName() {
        assertThat(demo(Optional.empty())).isEqualTo(1);
        assertThat(err.toString()).contains("knobscape gui PROJECT");
    }
}
