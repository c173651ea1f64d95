package knobscape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.House.Figure;
import knobscape.House.Kind;
import knobscape.app.Launcher;
import org.junit.jupiter.api.Test;

/// The house stays small: no figure of `house.csv` may rise, and nothing that is not in it may break a bound.
///
/// `-Dknobscape.house=write` writes the table anew where figures fell or packages came; it refuses to let one rise.
/// `-Dknobscape.house=raise` lets them.
class HouseTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path TABLE = Path.of("src/test/resources/knobscape/house.csv");
    private static final String HEADER = "kind,name,figure";

    @Test
    void noFigureRises() throws Exception {
        Path classes = Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var house = new House(SOURCES, classes, "knobscape");
        List<Figure> now = Stream.concat(house.figures().stream(), ShippedSettings.unreached().stream())
                .toList();
        List<Figure> before = Files.exists(TABLE) ? read(Files.readAllLines(TABLE)) : List.of();
        List<String> rises = rises(before, now, house.circles());
        String mode = System.getProperty("knobscape.house", "");
        if (mode.equals("raise") || (mode.equals("write") && (rises.isEmpty() || before.isEmpty()))) {
            Files.write(TABLE, write(now));
        } else if (!rises.isEmpty()) {
            fail("The house grew: make it smaller, or say that it should be with -Dknobscape.house=raise.\n"
                    + String.join("\n", rises));
        }
    }

    /// Every figure that is above the one before, in words. A package that came has its first figure as it is; all else
    /// that came breaks a bound.
    private static List<String> rises(List<Figure> before, List<Figure> now, List<List<String>> circles) {
        var allowed = before.stream().collect(Collectors.toMap(f -> key(f.kind(), f.name()), Figure::value));
        var rises = new ArrayList<String>();
        for (Figure f : now) {
            int most = f.kind() == Kind.CYCLE
                    ? circles.stream()
                            .filter(c -> c.contains(f.name()))
                            .flatMap(List::stream)
                            .mapToInt(member -> allowed.getOrDefault(key(Kind.CYCLE, member), 0))
                            .max()
                            .orElse(0)
                    : allowed.getOrDefault(key(f.kind(), f.name()), f.kind() == Kind.CODE ? Integer.MAX_VALUE : 0);
            if (f.value() > most) {
                rises.add(f.kind().word() + " of " + f.name() + ": " + f.value() + ", was " + most);
            }
        }
        return rises;
    }

    private static String key(Kind kind, String name) {
        return kind.word() + "," + name;
    }

    private static List<Figure> read(List<String> lines) {
        assertThat(lines.getFirst()).isEqualTo(HEADER);
        Map<String, Kind> kinds = Stream.of(Kind.values()).collect(Collectors.toMap(Kind::word, k -> k));
        return lines.stream()
                .skip(1)
                .map(l -> l.split(","))
                .map(w -> new Figure(kinds.get(w[0]), w[1], Integer.parseInt(w[2])))
                .toList();
    }

    private static List<String> write(List<Figure> figures) {
        return Stream.concat(
                        Stream.of(HEADER),
                        figures.stream()
                                .sorted(Comparator.comparing(Figure::kind).thenComparing(Figure::name))
                                .map(f -> key(f.kind(), f.name()) + "," + f.value()))
                .toList();
    }

    @Test
    void whatRisesOrComesAboveABoundIsNamedAndWhatFallsIsNot() {
        var before = List.of(
                new Figure(Kind.CODE, "a", 10), new Figure(Kind.CYCLE, "a.B", 7), new Figure(Kind.RECORD, "a.R", 11));
        var cycle = List.of(List.of("a.A", "a.B", "a.C", "a.D", "a.E", "a.F"));
        assertThat(rises(
                        before,
                        List.of(
                                new Figure(Kind.CODE, "a", 9),
                                new Figure(Kind.CODE, "new", 99),
                                new Figure(Kind.CYCLE, "a.A", 6)),
                        cycle))
                .isEmpty();
        assertThat(rises(
                        before,
                        List.of(
                                new Figure(Kind.CODE, "a", 11),
                                new Figure(Kind.CYCLE, "a.A", 8),
                                new Figure(Kind.RECORD, "a.S", 10),
                                new Figure(Kind.FAN_OUT, "a.R", 41)),
                        cycle))
                .hasSize(4);
        assertThat(read(write(before))).isEqualTo(before);
    }

    @Test
    void codeIsCountedWithoutCommentsImportsAndBlanks() {
        assertThat(House.code("""
                package a;

                import java.util.List;

                /// Says /* nothing.
                class A { // "not a text
                    String s = "a // \\" b" + '"' + '\\'' /* * */;
                    String t = \"""
                            // text "
                            \""";
                }
                """))
                .isEqualTo("packagea;classA{Strings=\"a//\\\"b\"+'\"'+'\\'';Stringt=\"\"\"//text\"\"\"\";}");
    }

    /// Classes made to break the bounds break them.
    @Test
    void whatBreaksABoundIsFound() throws IOException {
        Path classes = Path.of("target/test-classes");
        Path sources = Path.of("src/test/java");
        Map<Kind, List<Figure>> found = new House(sources, classes, "housefixture")
                .figures().stream().collect(Collectors.groupingBy(Figure::kind, TreeMap::new, Collectors.toList()));
        assertThat(found.get(Kind.RECORD)).containsExactly(new Figure(Kind.RECORD, "housefixture.Ring$Wide", 10));
        assertThat(found.get(Kind.CYCLE)).containsExactly(new Figure(Kind.CYCLE, "housefixture.A", 6));
        assertThat(found.get(Kind.MAKER)).containsExactly(new Figure(Kind.MAKER, "housefixture.B", 1));
        assertThat(found.get(Kind.NAME)).containsExactly(new Figure(Kind.NAME, "A", 2));
        assertThat(found.get(Kind.CODE)).hasSize(2);
    }
}
