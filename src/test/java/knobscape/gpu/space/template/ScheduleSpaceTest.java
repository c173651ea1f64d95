package knobscape.gpu.space.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.gpu.space.operator.Templates;
import knobscape.network.ElementType;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;
import knobscape.network.zoo.Zoo;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleSpaceTest {
    /// Sizes of the direct and depthwise spaces of whole networks, in the order in which tasks first occur in
    /// the published tables.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alexnet | 1032192 22579200 2580480 1013760 570240",
                "vgg16 | 202309632 708083712 395136000 451584000 202752000 228096000 76032000 84480000 13516800",
                "resnet18-tvm | 79027200 22579200 90316800 8064000 32256000 36864000 2027520 8110080 9123840 190080 760320 844800",
                "mobilenet_v1 | 52684800 6585600 59270400 3225600 32256000 4608000 36864000 1152000 12672000 1584000 14256000 253440 3041280 337920 3379200 21120 274560 27456 302016",
                "squeezenet_v1.1 | 79027200 376320 645120 2580480 430080 1075200 1728000 6912000 1209600 120960 322560 1290240 215040 129024 110880 443520 80640 384000"
            })
    void sizesAreThoseOfThePapersNetworks(String network, String sizes) {
        List<Long> found = TuningTasks.of(Zoo.named(network).network(1)).convolutions().stream()
                .map(t -> Templates.of(t.workload()).getFirst().space().count())
                .toList();

        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(sizes.split(" ")).map(Long::valueOf).toList());
    }

    @Test
    void the58NodesOfThePaperHaveMoreThanFiftyMillionConfigurationsOnAverage() {
        List<TuningTask> nodes = List.of("resnet18-tvm", "vgg16", "mobilenet_v1", "squeezenet_v1.1").stream()
                .flatMap(n -> TuningTasks.of(Zoo.named(n).network(1)).convolutions().stream())
                .toList();

        assertThat(nodes).hasSize(58);
        assertThat(nodes.stream()
                        .mapToLong(t ->
                                Templates.of(t.workload()).getFirst().space().count())
                        .average()
                        .orElseThrow())
                .isBetween(51_414_313.0, 51_414_315.0);
    }

    @Test
    void everyIndexIsItsOwnConfiguration() {
        ScheduleSpace space = Templates.of(conv(2, 4, 2, 3, 1, 1)).getFirst().space();
        var seen = new HashSet<Configuration>();

        space.enumerate().forEach(c -> {
            assertThat(space.indexOf(c)).isEqualTo(seen.size());
            assertThat(space.at(BigInteger.valueOf(seen.size()))).isEqualTo(c);
            assertThat(Configuration.parse(space.knobs(), c.text())).isEqualTo(c);
            seen.add(c);
        });

        assertThat(seen).hasSize((int) space.count());
        assertThat(space.size()).isEqualTo(space.fullSize());
    }

    @Test
    void indicesOfLargeSpacesComeBack() {
        var random = new Random(5);
        for (TuningTask t : TuningTasks.of(Zoo.named("inception_v3").network(1)).convolutions()) {
            for (Template template : Templates.of(t.workload())) {
                ScheduleSpace space = template.space();
                for (int i = 0; i < 20; i++) {
                    Configuration c = space.draw(random);
                    assertThat(space.at(space.indexOf(c))).isEqualTo(c);
                    assertThat(space.neighbours(c))
                            .doesNotContain(c)
                            .allMatch(space::contains)
                            .hasSize(space.knobs().list().stream()
                                    .mapToInt(k -> k.domain().size() - 1)
                                    .sum());
                }
            }
        }
    }

    /// Against a plain enumeration of all tuples.
    @Test
    void splitsAreAllFactorisationsInOrder() {
        for (long n = 1; n <= 60; n++) {
            for (int parts = 1; parts <= 4; parts++) {
                var split = ScheduleKnob.Split.all("tile", n, parts);
                var expected = new ArrayList<long[]>();
                tuples(n, parts, new long[parts], parts - 1, expected);

                assertThat(split.size()).isEqualTo(expected.size()).isEqualTo((int) ScheduleKnob.Split.count(n, parts));
                for (int level = 0; level < split.size(); level++) {
                    assertThat(split.factors(level)).isEqualTo(expected.get(level));
                    assertThat(split.levelOf(expected.get(level))).isEqualTo(level);
                    long[] open = expected.get(level).clone();
                    open[0] = -1;
                    assertThat(split.levelOf(open)).isEqualTo(level);
                }
            }
        }
    }

    private static void tuples(long n, int parts, long[] row, int part, List<long[]> all) {
        if (part == 0) {
            long product = 1;
            for (int i = 1; i < parts; i++) {
                product *= row[i];
            }
            if (n % product == 0) {
                long[] whole = row.clone();
                whole[0] = n / product;
                all.add(whole);
            }
            return;
        }
        for (long d = 1; d <= n; d++) {
            row[part] = d;
            tuples(n, parts, row, part - 1, all);
        }
    }

    @Test
    void templatesThatApply() {
        assertThat(names(conv(16, 8, 16, 3, 1, 1))).containsExactly("direct", "winograd");
        assertThat(names(conv(16, 8, 16, 3, 2, 1))).containsExactly("direct");
        assertThat(names(conv(16, 8, 16, 1, 1, 0))).containsExactly("direct");
        assertThat(names(depthwise(16, 8, 16))).containsExactly("depthwise");
        assertThat(names(new Workload.Dense(ElementType.FLOAT32, 1, 10, 20))).containsExactly("dense-small");
        assertThat(names(new Workload.Dense(ElementType.FLOAT32, 32, 10, 20)))
                .containsExactly("dense-large", "dense-small");
        assertThat(names(new Workload.BatchMatmul(ElementType.FLOAT32, 12, 8, 8, 8)))
                .containsExactly("batch-matmul");
        assertThat(names(new Workload.Dense(ElementType.FLOAT16, 32, 10, 20))).containsExactly("tensor-cores");
        assertThat(names(new Workload.Dense(ElementType.FLOAT64, 32, 10, 20))).isEmpty();
        assertThat(Templates.obstacle(new Workload.Dense(ElementType.FLOAT64, 32, 10, 20)))
                .hasValueSatisfying(s -> assertThat(s).contains("floats of 32 and 16 bits"));
        assertThat(Templates.obstacle(new Workload.Dense(ElementType.FLOAT32, 1L << 33, 10, 20)))
                .hasValueSatisfying(s -> assertThat(s).contains("32-bit index"));
    }

    @Test
    void anAxisWithTooManyDivisorsIsRefusedInWords() {
        assertThatThrownBy(() -> ScheduleKnob.Split.all("tile", 735_134_400L, 4))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("735134400")
                .hasMessageContaining("fewer divisors");
    }

    private static List<String> names(Workload w) {
        return Templates.of(w).stream().map(Template::name).toList();
    }

    static Workload.Conv2d conv(int channels, int size, int filters, int kernel, int stride, int pad) {
        return new Workload.Conv2d(
                ElementType.FLOAT32,
                1,
                channels,
                size,
                size,
                filters,
                new Workload.Conv2d.Taps(kernel, kernel, stride, stride, 1, 1),
                new Workload.Conv2d.Padding(pad, pad, pad, pad),
                1);
    }

    static Workload.Conv2d depthwise(int channels, int size, int filters) {
        return new Workload.Conv2d(
                ElementType.FLOAT32,
                1,
                channels,
                size,
                size,
                filters,
                new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                new Workload.Conv2d.Padding(1, 1, 1, 1),
                channels);
    }

    private static String fingerprint(List<Integer> values, List<Integer> first, List<Integer> second) {
        return new ScheduleSpace(
                        List.of(
                                new ScheduleKnob.Option("sketch", List.of(0, 1)),
                                new ScheduleKnob.Option("unroll", values),
                                ScheduleKnob.Split.all("tile_x", 6, 2)),
                        Stream.of(first, second)
                                .map(own -> {
                                    var bits = new BitSet();
                                    own.forEach(bits::set);
                                    return bits;
                                })
                                .toList())
                .fingerprint();
    }

    @Test
    void spacesWithOtherKnobsHaveOtherFingerprints() {
        assertThat(List.of(
                        fingerprint(List.of(0, 16), List.of(1, 2), List.of(2)),
                        fingerprint(List.of(0, 64), List.of(1, 2), List.of(2)),
                        fingerprint(List.of(0, 16, 64), List.of(1, 2), List.of(2)),
                        fingerprint(List.of(0, 16), List.of(2), List.of(1, 2)),
                        fingerprint(List.of(0, 16), List.of(1, 2), List.of(1, 2))))
                .doesNotHaveDuplicates();
        assertThat(fingerprint(List.of(0, 16), List.of(1, 2), List.of(2)))
                .isEqualTo(fingerprint(List.of(0, 16), List.of(1, 2), List.of(2)));
    }
}
