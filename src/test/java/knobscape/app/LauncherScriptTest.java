package knobscape.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The script that starts the packaged program, with a Java that only says what it was given.
class LauncherScriptTest {
    @TempDir
    private Path folder;

    /// Java takes names of files apart by the locale: one that is not installed (ssh from abroad brings its name) or
    /// that knows ASCII alone would refuse every other name.
    @ParameterizedTest
    @EnabledOnOs(OS.LINUX)
    @CsvSource({"xx_YY.UTF-8,C.UTF-8", "C,C.UTF-8", "POSIX,C.UTF-8", "C.UTF-8,C.UTF-8"})
    void javaReadsEveryNameUnderAnyLocale(String locale, String given) throws Exception {
        Path script = executable("bin/knobscape", Files.readString(Path.of("src/main/launcher/knobscape")));
        Files.createFile(Files.createDirectories(folder.resolve("lib")).resolve("knobscape-1.jar"));
        executable("java/bin/java", "#!/bin/sh\necho \"$LC_ALL $*\"\n");
        Files.writeString(folder.resolve("java/release"), "JAVA_VERSION=\"25\"\n");
        var builder = new ProcessBuilder(script.toString(), "space", "k.cpp").redirectErrorStream(true);
        builder.environment().put("LC_ALL", locale);
        builder.environment().put("KNOBSCAPE_CACHE", "off");
        builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
        Process p = builder.start();
        String answer = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(answer).isZero();
        assertThat(answer.strip()).startsWith(given + " ").endsWith(" space k.cpp");
    }

    /// What a start would make in the user's cache lies beside the program then, and the next start uses it.
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void thePackageBringsItsStartUpCache() throws IOException, InterruptedException {
        Path script = executable("bin/knobscape", Files.readString(Path.of("src/main/launcher/knobscape")));
        Files.createDirectories(folder.resolve("lib"));
        Files.writeString(folder.resolve("lib/knobscape-1.jar"), "");
        Files.writeString(
                Files.createDirectories(folder.resolve("java")).resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        executable("java/bin/java", """
                #!/bin/sh
                echo "$@"
                case $1 in -XX:AOTCacheOutput=*) echo cache > "${1#-XX:AOTCacheOutput=}" ;; esac
                """);
        assertThat(said(script, "package")).isEmpty();
        try (Stream<Path> lib = Files.list(folder.resolve("lib"))) {
            Path cache =
                    lib.filter(f -> f.toString().endsWith(".aot")).findFirst().orElseThrow();
            assertThat(said(script, "off")).contains("-XX:AOTCache=" + cache.toRealPath());
        }
    }

    private String said(Path script, String cache) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(script.toString(), "space", "k.cpp").redirectErrorStream(true);
        builder.environment().put("KNOBSCAPE_CACHE", cache);
        builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
        Process p = builder.start();
        String answer = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(answer).isZero();
        return answer.strip();
    }

    private Path executable(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                text.replace("${maven.compiler.release}", "25")
                        .replace("${project.version}", "1")
                        .replace("${project.build.outputTimestamp}", "2026-01-01T00:00:00Z"));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
