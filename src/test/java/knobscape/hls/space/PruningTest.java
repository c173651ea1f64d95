package knobscape.hls.space;

import static knobscape.hls.space.HandKernels.array;
import static knobscape.hls.space.HandKernels.call;
import static knobscape.hls.space.HandKernels.figure35;
import static knobscape.hls.space.HandKernels.flatGemm;
import static knobscape.hls.space.HandKernels.function;
import static knobscape.hls.space.HandKernels.gemm;
import static knobscape.hls.space.HandKernels.kernel;
import static knobscape.hls.space.HandKernels.loop;
import static knobscape.hls.space.HandKernels.parameter;
import static knobscape.hls.space.HandKernels.touch;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.HandKernels.Piece;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The pruned space against an independent evaluate: equal to the filtered full space where that can be listed,
/// agreeing on samples elsewhere.
class PruningTest {

    private static void equalsBruteForce(Kernel kernel, SpaceLimits limits, DirectiveSpace space) {
        var all = new CartesianSpace(space.space().knobs());
        BigInteger[] kept = {BigInteger.ZERO};
        all.enumerate().forEach(c -> {
            var why = Compatibility.check(kernel, limits, c);
            assertThat(space.space().contains(c)).as(() -> c + " " + why).isEqualTo(why.isEmpty());
            kept[0] = why.isEmpty() ? kept[0].add(BigInteger.ONE) : kept[0];
        });
        assertThat(space.space().size()).isEqualTo(kept[0]);
    }

    private static void agreesOnSamples(
            Kernel kernel, SpaceLimits limits, DirectiveSpace space, long seed, int samples) {
        var random = new Random(seed);
        for (int i = 0; i < samples; i++) {
            Configuration member = space.space().draw(random);
            assertThat(Compatibility.check(kernel, limits, member))
                    .as(member.text())
                    .isEmpty();
            int knob = random.nextInt(member.knobs().size());
            Configuration moved = member.with(
                    knob, random.nextInt(member.knobs().get(knob).domain().size()));
            var why = Compatibility.check(kernel, limits, moved);
            assertThat(space.space().contains(moved))
                    .as(() -> moved + " " + why)
                    .isEqualTo(why.isEmpty());
        }
    }

    static Stream<Kernel> small() {
        return Stream.of(
                figure35(4, 4),
                flatGemm(4),
                // two tasks of one function, called inside and outside a loop
                kernel(
                        function("fill", List.of(parameter("fill/x", 8)), loop("go", 8, touch("fill/x[go]"))),
                        function(
                                "top",
                                List.of(parameter("top/a", 8)),
                                call("fill", Map.of("x", "top/a")),
                                loop("again", 2, call("fill", Map.of("x", "top/a"))))),
                // covered through the call only
                kernel(
                        function("fill", List.of(parameter("fill/x", 8)), loop("go", 8, touch("fill/x[go]"))),
                        function(
                                "top",
                                List.of(parameter("top/a", 8)),
                                loop("again", 2, call("fill", Map.of("x", "top/a"))))),
                // sliding window: two walkers of one dimension, one inside the other
                kernel(function("f", List.of(parameter("f/in", 8)), loop("y", 6, loop("dy", 3, touch("f/in[y+dy]"))))),
                // stride of two, and a bound only
                kernel(function(
                        "f",
                        List.of(parameter("f/in", 8), parameter("f/out", 4)),
                        loop("x", 4, touch("f/in[2*x]", "f/out[x]")),
                        loop("open", -6, touch("f/in[open]")))),
                // both ways through one array
                kernel(function(
                        "f",
                        List.of(parameter("f/a", 16)),
                        loop("i", 4, loop("j", 4, touch("f/a[4*i+j]", "f/a[4*j+i]"))))));
    }

    @ParameterizedTest
    @MethodSource("small")
    void keptIsWhatTheReferenceKeeps(Kernel kernel) {
        var limits = new SpaceLimits(4, 4, 8, false);
        equalsBruteForce(kernel, limits, SpaceBuilder.build(kernel, limits));
    }

    @ParameterizedTest
    @MethodSource("small")
    void allKindsAgreeWithTheReference(Kernel kernel) {
        var limits = new SpaceLimits(8, 8, 16, true);
        agreesOnSamples(kernel, limits, SpaceBuilder.build(kernel, limits, EnumSet.allOf(KnobKind.class)), 7, 300);
    }

    static Stream<Long> seeds() {
        return Stream.iterate(1L, s -> s + 1).limit(60);
    }

    /// Random programs: one or two functions, nests up to three deep, arrays of one or two dimensions, any
    /// affine index.
    @ParameterizedTest
    @MethodSource("seeds")
    void randomProgramsAgreeWithTheReference(long seed) {
        var random = new Random(seed);
        Kernel kernel = randomKernel(random);
        var limits = new SpaceLimits(4, 4, 1 + random.nextInt(16), false);
        Set<KnobKind> kinds = random.nextBoolean() ? KnobKind.defaults() : EnumSet.allOf(KnobKind.class);
        DirectiveSpace space = SpaceBuilder.build(kernel, limits, kinds);
        if (space.space().fullSize().compareTo(BigInteger.valueOf(20_000)) <= 0) {
            equalsBruteForce(kernel, limits, space);
        } else {
            agreesOnSamples(kernel, limits, space, seed, 200);
        }
    }

    private static Kernel randomKernel(Random random) {
        var arrays = new ArrayList<ArrayVariable>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            String id = "f/a" + i;
            arrays.add(
                    random.nextBoolean()
                            ? parameter(id, 4 + 4 * random.nextInt(2))
                            : parameter(id, 2 + random.nextInt(3), 4));
        }
        var counter = new int[1];
        var body = new ArrayList<Piece>();
        for (int i = 0; i < 1 + random.nextInt(2); i++) {
            body.add(randomLoop(random, arrays, List.of(), counter));
        }
        Function f = function("f", arrays, body.toArray(Piece[]::new));
        if (random.nextBoolean()) {
            return kernel(f);
        }
        var own = arrays.stream()
                .map(a -> array(
                        a.id().replace("f/", "top/"),
                        ArrayVariable.Scope.LOCAL,
                        a.dims().stream().mapToLong(Long::longValue).toArray()))
                .toList();
        var bound = new HashMap<String, String>();
        arrays.forEach(a -> bound.put(a.name(), "top/" + a.name()));
        Piece call = call("f", bound);
        return kernel(
                f,
                random.nextBoolean()
                        ? function("top", own, call, loop("again", 2, call))
                        : function("top", own, loop("again", 2, call)));
    }

    private static Piece randomLoop(Random random, List<ArrayVariable> arrays, List<String> around, int[] counter) {
        String label = "l" + counter[0]++;
        var loops = new ArrayList<>(around);
        loops.add(label);
        var body = new ArrayList<Piece>();
        if (loops.size() < 3 && random.nextInt(3) > 0) {
            body.add(randomLoop(random, arrays, loops, counter));
            if (counter[0] < 5 && random.nextInt(3) == 0) {
                body.add(randomLoop(random, arrays, loops, counter));
            }
        }
        if (body.isEmpty() || random.nextInt(3) == 0) {
            var accesses = new ArrayList<String>();
            for (int i = 0; i < 1 + random.nextInt(2); i++) {
                ArrayVariable a = arrays.get(random.nextInt(arrays.size()));
                var text = new StringBuilder(a.id());
                for (int d = 0; d < a.dims().size(); d++) {
                    text.append('[').append(randomIndex(random, loops)).append(']');
                }
                accesses.add(text.toString());
            }
            body.add(touch(accesses.toArray(String[]::new)));
        }
        long trip = switch (random.nextInt(6)) {
            case 0 -> -4;
            case 1 -> 3;
            case 2 -> 2;
            default -> 4;
        };
        return loop(label, trip, body.toArray(Piece[]::new));
    }

    private static String randomIndex(Random random, List<String> loops) {
        String a = loops.get(random.nextInt(loops.size()));
        String b = loops.get(random.nextInt(loops.size()));
        return switch (random.nextInt(8)) {
            case 0 -> "4*" + a + "+" + b;
            case 1 -> a + "+" + b;
            case 2 -> "2*" + a;
            case 3 -> "?";
            case 4 -> "0";
            default -> a;
        };
    }

    @Test
    void largerKernelsAgreeOnSamples() {
        var limits = new SpaceLimits(16, 16, 256, true);
        for (Kernel kernel : List.of(gemm(16), flatGemm(16))) {
            agreesOnSamples(kernel, limits, SpaceBuilder.build(kernel, limits), 3, 300);
            agreesOnSamples(kernel, limits, SpaceBuilder.build(kernel, limits, EnumSet.allOf(KnobKind.class)), 4, 300);
        }
    }
}
