package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.network.source.NetworkNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkNamesTest {
    @TempDir
    private Path here;

    @Test
    void builtInNetworksAreFoundWithAndWithoutZooInAnySpelling() {
        assertThat(NetworkNames.source("resnet18", here)).isEqualTo("zoo:resnet18");
        assertThat(NetworkNames.source("zoo:MobileNet-v2", here)).isEqualTo("zoo:mobilenet_v2");
        assertThat(NetworkNames.source("SqueezeNet-v1.1", here)).isEqualTo("zoo:squeezenet_v1.1");
    }

    @Test
    void aFileGoesBeforeABuiltInNetworkOfItsName() throws IOException {
        Path file = Files.createFile(here.resolve("resnet18"));
        assertThat(NetworkNames.source("resnet18", here)).isEqualTo(file.toString());
        assertThat(NetworkNames.source("zoo:resnet18", here)).isEqualTo("zoo:resnet18");
    }

    @Test
    void whatIsNeitherIsSaidWithWhatWasMeant() {
        assertThatThrownBy(() -> NetworkNames.source("resnet19", here))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There is no file 'resnet19'")
                .hasMessageContaining("did you mean");
        assertThatThrownBy(() -> NetworkNames.source("zoo:lenet", here))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("built in are alexnet");
        assertThatThrownBy(() -> NetworkNames.source("a\0b", here))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not the name of a file");
    }
}
