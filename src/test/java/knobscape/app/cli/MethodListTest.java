package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import knobscape.project.Areas;
import knobscape.work.Area;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MethodListTest {
    private static final int MOST = 8;

    @TempDir
    private Path here;

    private Terminal terminal() {
        return new Terminal(() -> here);
    }

    static Stream<Area> areas() {
        return Areas.standard().areas().stream();
    }

    @ParameterizedTest
    @MethodSource("areas")
    void aVerbOffersFewMethodsEachWithASentence(Area area) {
        var methods = area.methods();
        assertThat(methods.offered()).hasSizeBetween(1, MOST);
        assertThat(methods.names()).doesNotHaveDuplicates();
        assertThat(methods.all()).allSatisfy(m -> assertThat(m.description()).matches("[A-Z][^.]+\\."));
        assertThat(methods.further())
                .allSatisfy(m -> assertThat(m.description()).startsWith("A baseline: "));
    }

    @ParameterizedTest
    @MethodSource("areas")
    void helpShowsWhatIsOfferedAndTheListShowsAll(Area area) {
        Terminal help = terminal();
        assertThat(help.run(area.verb(), "--help")).isZero();
        String methods = help.out().substring(help.out().indexOf("Methods:"));
        assertThat(methods.lines()
                        .filter(l -> l.matches("  [a-z].*"))
                        .map(l -> l.strip().split(" ")[0]))
                .containsExactlyElementsOf(
                        area.methods().offered().stream().map(m -> m.name()).toList());
        Terminal list = terminal();
        assertThat(list.run(area.verb(), "--method", "list")).isZero();
        assertThat(list.out().lines().skip(1).map(l -> l.split(" ")[0]))
                .containsExactlyElementsOf(area.methods().names());
    }

    /// What exists for comparisons of our own is the laboratory's.
    @ParameterizedTest
    @CsvSource({"hls, cgp-no-look", "hls, gp-ehvi", "gpu, gtuner-mlp", "gpu, transfer-dgp"})
    void ablationsAndRivalsAreNotThePrograms(String kind, String method) {
        assertThat(Areas.standard().find(kind).orElseThrow().methods().names()).doesNotContain(method);
    }
}
