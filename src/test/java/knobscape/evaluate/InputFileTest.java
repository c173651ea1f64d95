package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "61006200, UTF-16LE",
        "fffe6162, UTF-16LE",
        "00610062, UTF-16BE",
        "feff6162, UTF-16BE",
        "61626364, UTF-8",
        "610062, UTF-8",
        "61006263, UTF-8",
        "61000000, UTF-8",
        "61620063, UTF-8",
        "00616263, UTF-8",
        "00610000, UTF-8",
        "00000061, UTF-8",
        "00006100, UTF-8",
        "ff616263, UTF-8",
        "61fe6263, UTF-8",
        "fe616263, UTF-8",
        "61ff6263, UTF-8",
        "00000000, UTF-8",
    })
    void charactersAreToldByTheFirstBytes(String bytes, String charset) {
        assertThat(InputFile.charset(HexFormat.of().parseHex(bytes)).name()).isEqualTo(charset);
    }

    @Test
    void theMarkIsNoText() throws Exception {
        Path file = Files.write(folder.resolve("a"), "\ufeffn\u00e9".getBytes(StandardCharsets.UTF_16LE));
        assertThat(InputFile.text(file, 10)).isEqualTo("n\u00e9");
        assertThat(InputFile.text(Files.writeString(file, "\ufeffx"), 10)).isEqualTo("x");
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
