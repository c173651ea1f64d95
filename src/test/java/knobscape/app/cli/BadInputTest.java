package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever a person gets wrong is answered by one clear sentence on standard error, nothing on standard output
/// and the right exit status; with the real parts.
class BadInputTest {
    private static final String KERNEL = """
            void scale(int in[64], int out[64]) {
            loop:
              for (int i = 0; i < 64; i++) {
                out[i] = in[i] * 3;
              }
            }
            """;

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void makeFiles() throws Exception {
        Files.writeString(folder.resolve("good.cpp"), KERNEL);
        Files.write(
                folder.resolve("binary.cpp"),
                new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, (byte) 0xff, (byte) 0xfe, 0, 0, 7});
        Files.writeString(folder.resolve("empty.cpp"), "");
        Files.writeString(
                folder.resolve("broken.cpp"),
                "void f(int a[8]) {\n  for (int i = 0; i < 8; i++ {\n    a[i] = 1;\n  }\n}\n");
        Files.writeString(folder.resolve("noloops.cpp"), "int f(int x) {\n  return x + 1;\n}\n");
        Files.writeString(folder.resolve("prose.txt"), "This is a letter, and no program.\n");
        Files.writeString(folder.resolve("syntax.yaml"), "version: 1\nknobs:\n  - {kind: unroll, at: scale/loop\n");
        Files.writeString(folder.resolve("unknown.yaml"), "version: 1\nknobs:\n  - {kind: unroll, at: scale/lop}\n");
        Files.writeString(folder.resolve("kind.yaml"), "version: 1\nknobs:\n  - {kind: unrol, at: scale/loop}\n");
        Files.createDirectory(folder.resolve("folder"));
    }

    private void saysOneSentence(int status, String... arguments) {
        assertThat(terminal.run(arguments))
                .as(String.join(" ", arguments) + " said: " + terminal.err())
                .isEqualTo(status);
        assertThat(terminal.out()).isEmpty();
        // What the compiler says is followed by the line of the source.
        String said =
                terminal.err().replaceAll("(?m)\\R\\s*(?:\\d+ )?\\|.*$", "").strip();
        assertThat(said)
                .isNotEmpty()
                .doesNotContain("\n")
                .doesNotContain("Exception")
                .doesNotContain("\tat ")
                .matches(".*[.?]");
    }

    @Test
    void goodInputIsFine() {
        assertThat(terminal.run("space", "good.cpp", "--json"))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.out()).startsWith("{").contains("\"scale/loop\"").contains("\"pruned\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            missing.cpp                          | missing.cpp
            folder                               | folder
            binary.cpp                           | binary.cpp
            empty.cpp                            | empty.cpp
            broken.cpp                           | broken.cpp:2
            noloops.cpp                          | noloops.cpp
            prose.txt                            | prose.txt
            good.cpp --top scal                  | scale
            good.cpp --directives missing.yaml   | missing.yaml
            good.cpp --directives folder         | folder
            good.cpp --directives syntax.yaml    | syntax.yaml:
            good.cpp --directives unknown.yaml   | unknown.yaml:3
            good.cpp --directives kind.yaml      | kind.yaml:3
            """)
    void whatCannotBeOpenedIsNamed(String arguments, String named) {
        for (String verb : new String[] {"space", "explore"}) {
            saysOneSentence(1, (verb + " " + arguments).split(" +"));
            assertThat(terminal.err()).contains(named);
        }
    }

    /// A wrong value of an option, so the command was called wrongly.
    @Test
    void anUnknownPartIsNamed() {
        for (String verb : new String[] {"space", "explore"}) {
            saysOneSentence(2, verb, "good.cpp", "--part", "xc7nothing");
            assertThat(terminal.err()).contains("No part is named 'xc7nothing'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\nvoid k(int a[8]) {\nl:\n  for (int i = 0; i < 8; i++) { a[i] = f(i); }\n}\n",
                "static int g(int n);\nstatic int f(int n) { return n < 2 ? 1 : n * g(n - 1); }\nstatic int g(int n) { return f(n); }\nvoid k(int a[8]) {\nl:\n  for (int i = 0; i < 8; i++) { a[i] = f(i); }\n}\n",
                "void k(int a[8]) {\nl:\n  for (int i = 0; i < 8; i++) { a[i] = 1; }\n  k(a);\n}\n"
            })
    void aFunctionThatCallsItselfIsSaidAndTheRestIsRead(String source) throws Exception {
        Files.writeString(folder.resolve("r.cpp"), source);
        assertThat(terminal.run("space", "r.cpp", "--top", "k"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out() + terminal.err())
                .contains("calls itself, which cannot be synthesised")
                .contains("taken for a small operation");
        assertThat(terminal.run(
                        "explore",
                        "r.cpp",
                        "--top",
                        "k",
                        "--method",
                        "random",
                        "--init",
                        "2",
                        "--steps",
                        "1",
                        "--out",
                        "o"))
                .as(terminal::err)
                .isZero();
    }

    @Test
    void whatIsTooMuchForTheMachineIsOneSentence() {
        for (VirtualMachineError e : new VirtualMachineError[] {new OutOfMemoryError(), new StackOverflowError()}) {
            var small = new Terminal(() -> folder, () -> {
                throw e;
            });
            assertThat(small.run("space", "good.cpp")).isEqualTo(1);
            assertThat(small.err().strip())
                    .doesNotContain("\n")
                    .doesNotContain("Error")
                    .matches(".*(allow Java more|use fewer levels).*[.]");
        }
    }

    @Test
    void theNearestNameIsOffered() {
        saysOneSentence(1, "space", "good.cpp", "--directives", "unknown.yaml");
        assertThat(terminal.err()).contains("scale/loop");
        saysOneSentence(1, "space", "good.cpp", "--directives", "kind.yaml");
        assertThat(terminal.err()).contains("unroll");
    }

    @ParameterizedTest
    @ValueSource(strings = {"good.cpp/out", "good.cpp"})
    void anOutputFolderThatCannotBeWrittenIsNamed(String place) {
        saysOneSentence(1, "explore", "good.cpp", "--out", place);
        assertThat(terminal.err()).contains(place);
        saysOneSentence(1, "space", "good.cpp", "--out", place);
        saysOneSentence(1, "space", "good.cpp", "--write-directives", "folder");
        assertThat(terminal.err()).contains("folder");
    }

    @Test
    void aLockedProjectNamesItsHolder() throws Exception {
        Files.writeString(folder.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"good.cpp\"}");
        try (Project holder = Project.open(folder)) {
            holder.lock();
            saysOneSentence(1, "explore", ".");
            assertThat(terminal.err())
                    .contains("in use by process " + ProcessHandle.current().pid());
            assertThat(terminal.run("space", ".")).as("looking is free").isZero();
        }
    }

    @Test
    void aProjectOfANewerProgramIsRefused() throws Exception {
        Files.writeString(folder.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 2, \"source\": \"good.cpp\"}");
        saysOneSentence(1, "explore", ".");
        assertThat(terminal.err()).contains("newer Knobscape");
    }

    @Test
    void aProjectWhoseSourceIsGoneNamesIt() throws Exception {
        Files.writeString(folder.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"gone.cpp\"}");
        saysOneSentence(1, "explore", ".");
        assertThat(terminal.err()).contains("gone.cpp");
    }

    @Test
    void textThatIsNotUtf8IsReadOrRefusedInWords() throws Exception {
        Files.write(
                folder.resolve("latin.cpp"), ("// gr\u00fc\u00df\n" + KERNEL).getBytes(StandardCharsets.ISO_8859_1));
        int status = terminal.run("space", "latin.cpp", "--json");
        if (status != 0) {
            saysOneSentence(1, "space", "latin.cpp");
        }
        assertThat(status).isBetween(0, 1);
    }
}
