package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
    @TempDir
    private Path folder;

    @Test
    void aFileIsReadUpToItsBound() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "é234"); // 5 bytes
        assertThat(InputFile.text(file, 5)).isEqualTo("é234");
        assertThat(InputFile.bytes(file, Long.MAX_VALUE - 1)).hasSize(5);
        assertThatThrownBy(() -> InputFile.bytes(file, 4))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("larger than 0 KiB");
        Path large = Files.write(folder.resolve("b"), new byte[5000]);
        assertThatThrownBy(() -> InputFile.bytes(large, 4096)).hasMessageContaining("larger than 4 KiB");
    }

    @Test
    void whatIsNoTextIsNotRead() throws Exception {
        Path file = Files.write(folder.resolve("a"), new byte[] {(byte) 0xc3, 0x28});
        assertThatThrownBy(() -> InputFile.text(file, 10)).isInstanceOf(CharacterCodingException.class);
        assertThatThrownBy(() -> InputFile.text(folder.resolve("absent"), 10)).isInstanceOf(NoSuchFileException.class);
    }

    /// It would give bytes for ever.
    @Test
    void aDeviceIsRefused() {
        Path zero = Path.of("/dev/zero");
        assumeThat(zero)
                .as("this system has no /dev/zero to be read without end")
                .exists();
        assertThatThrownBy(() -> InputFile.bytes(zero, 1 << 20))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'/dev/zero' is a pipe, a device or another special file");
        assertThatCode(() -> InputFile.requireRegular(folder)).doesNotThrowAnyException();
        assertThatCode(() -> InputFile.requireRegular(folder.resolve("absent"))).doesNotThrowAnyException();
    }
}
