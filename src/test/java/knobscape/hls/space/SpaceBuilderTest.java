package knobscape.hls.space;

import static knobscape.hls.space.HandKernels.HERE;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import knobscape.space.Configuration;
import knobscape.space.Knob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SpaceBuilderTest {
    private static final SpaceLimits LIMITS = SpaceLimits.defaults();

    private static DirectiveSpace build(Kernel kernel, String knobs) {
        return SpaceBuilder.build(kernel, LIMITS, DirectiveFile.parse("d.yaml", "version: 1\nknobs:\n" + knobs));
    }

    /// The baseline with some knobs changed: `name=value` each.
    private static Configuration with(DirectiveSpace space, String... changes) {
        Configuration c = space.baseline();
        for (String change : changes) {
            int eq = change.indexOf('=');
            int i = c.knobs()
                    .indexOf(change.substring(0, eq))
                    .orElseThrow(() -> new AssertionError("no knob " + change));
            int level = c.knobs().get(i).domain().levelOf(change.substring(eq + 1));
            assertThat(level).as(change).isNotNegative();
            c = c.with(i, level);
        }
        return c;
    }

    private static void keeps(DirectiveSpace space, String... changes) {
        Configuration c = with(space, changes);
        assertThat(space.space().contains(c))
                .as(() -> c + " " + Compatibility.check(space.kernel(), LIMITS, c))
                .isTrue();
    }

    private static void prunes(DirectiveSpace space, String... changes) {
        assertThat(space.space().contains(with(space, changes)))
                .as(String.join(" ", changes))
                .isFalse();
    }

    private static String[] partition(String at, String type, int factor) {
        return new String[] {"partition_type@" + at + "=" + type, "partition_factor@" + at + "=" + factor};
    }

    private static String[] all(String[]... parts) {
        return List.of(parts).stream().flatMap(java.util.Arrays::stream).toArray(String[]::new);
    }

    /// Each nest of its own array is a group of its own, so that the spaces multiply, however many there are.
    @Test
    void manyIndependentNestsMultiply() {
        BigInteger one = SpaceBuilder.build(kernel(nests(1)), LIMITS).space().size();
        Kernel many = kernel(nests(40));
        DirectiveSpace space = SpaceBuilder.build(many, LIMITS);
        assertThat(space.space().size()).isEqualTo(one.pow(40));
        assertThat(space.pruning())
                .hasSize(40)
                .isEqualTo(SpaceBuilder.build(many, LIMITS).pruning());
        assertThat(space.pruning().getFirst().subject()).contains("top/a0");
        assertThat(space.pruning().getLast().subject()).contains("top/a39");
    }

    private static Function nests(int count) {
        var arrays = new ArrayList<ArrayVariable>();
        var loops = new ArrayList<HandKernels.Piece>();
        for (int i = 0; i < count; i++) {
            arrays.add(array("top/a" + i, ArrayVariable.Scope.LOCAL, 64));
            loops.add(loop("L" + i, 64, touch("top/a" + i + "[L" + i + "]")));
        }
        return function("top", arrays, loops.toArray(HandKernels.Piece[]::new));
    }

    @Test
    void theUnoptimisedDesignIsAMember() {
        for (var kernel : List.of(figure35(8, 8), flatGemm(64), gemm(64))) {
            for (var kinds : List.of(KnobKind.defaults(), EnumSet.allOf(KnobKind.class))) {
                DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS, kinds);
                assertThat(space.space().contains(space.baseline())).isTrue();
                assertThat(space.baseline().toMap().values())
                        .allMatch(v -> List.of("off", "1", "none", "auto").contains(v));
                assertThat(space.space().size()).isLessThan(space.space().fullSize());
            }
        }
    }

    /// Fig. 3.5 of the thesis, written out: cyclic partitions unroll L2 and L3, a block partition unrolls L1, B
    /// follows A.
    @Test
    void theExampleOfTheThesis() {
        DirectiveSpace space = build(figure35(8, 8), """
                  - {kind: unroll, at: [f/L1, f/L2, f/L3], factors: [1, 2, 4, 8]}
                  - {kind: partition, at: [f/A, f/B], types: [none, cyclic, block], factors: [2, 4, 8]}
                """);
        var expected = new HashSet<String>();
        for (int banks : List.of(1, 2, 4, 8)) {
            for (int l1 : List.of(1, 2, 4, 8)) {
                for (int l2 : List.of(1, 2, 4, 8)) {
                    for (int l3 : List.of(1, 2, 4, 8)) {
                        boolean outer = l1 > 1 && (l1 == banks || l1 == 2 * banks) && l2 == 1 && l3 == 1;
                        boolean inner = l1 == 1
                                && l2 > 1
                                && (l2 == banks || l2 == 2 * banks)
                                && l3 > 1
                                && (l3 == banks || l3 == 2 * banks);
                        String type = outer ? "block" : "cyclic";
                        if (banks > 1 && (outer || inner)) {
                            expected.add(
                                    String.join(",", type, "" + banks, type, "" + banks, "" + l1, "" + l2, "" + l3));
                        }
                    }
                }
            }
        }
        // Up to two copies on a path are served by one memory with two ports, and by two of either type.
        for (String a : List.of("none,1", "cyclic,2", "block,2")) {
            for (String b : List.of("none,1", "cyclic,2", "block,2")) {
                for (String l : List.of("1,1,1", "2,1,1", "1,2,1", "1,1,2", "1,2,2")) {
                    expected.add(String.join(",", a, b, l));
                }
                if (a.equals("cyclic,2")) {
                    expected.add(String.join(",", a, b, "1,4,2"));
                }
            }
        }
        var kept = new HashSet<String>();
        space.space()
                .enumerate()
                .forEach(c -> kept.add(String.join(
                        ",",
                        c.value("partition_type@f/A#1"),
                        c.value("partition_factor@f/A#1"),
                        c.value("partition_type@f/B#1"),
                        c.value("partition_factor@f/B#1"),
                        c.value("unroll@f/L1"),
                        c.value("unroll@f/L2"),
                        c.value("unroll@f/L3"))));
        assertThat(kept).isEqualTo(expected);
        var step = space.pruning().getFirst();
        assertThat(step.subject()).isEqualTo("arrays f/A, f/B with loops f/L1, f/L2, f/L3");
        assertThat(step.before()).isEqualTo(64 * 12 * 12);
        assertThat(step.after()).isEqualTo(space.space().size());
    }

    /// In `m1[64*i+k]` k walks neighbours and needs cyclic, in `m2[64*k+j]` it jumps by rows and needs block.
    @Test
    void flattenedIndicesAreToldByTheirCoefficients() {
        DirectiveSpace space = SpaceBuilder.build(flatGemm(64), LIMITS);
        keeps(space, all(partition("gemm/m1#1", "cyclic", 4), partition("gemm/m2#1", "block", 4), new String[] {
            "unroll@gemm/k=4"
        }));
        keeps(space, all(partition("gemm/m1#1", "cyclic", 4), partition("gemm/m2#1", "block", 4), new String[] {
            "unroll@gemm/k=8"
        }));
        prunes(space, all(partition("gemm/m1#1", "cyclic", 4), partition("gemm/m2#1", "cyclic", 4), new String[] {
            "unroll@gemm/k=4"
        }));
        prunes(space, all(partition("gemm/m1#1", "cyclic", 4), partition("gemm/m2#1", "block", 2), new String[] {
            "unroll@gemm/k=4"
        }));
        prunes(space, all(partition("gemm/m1#1", "cyclic", 4), new String[] {"unroll@gemm/k=4"}));
        prunes(space, partition("gemm/m1#1", "cyclic", 4));
        prunes(space, "unroll@gemm/k=4");
        keeps(space, "unroll@gemm/k=2");
        keeps(space, all(partition("gemm/prod#1", "block", 2), partition("gemm/m1#1", "block", 2), new String[] {
            "unroll@gemm/i=2"
        }));
        keeps(space, all(partition("gemm/prod#1", "cyclic", 2), partition("gemm/m1#1", "cyclic", 2), new String[] {
            "unroll@gemm/i=2"
        }));
        prunes(space, all(partition("gemm/prod#1", "cyclic", 4), partition("gemm/m1#1", "cyclic", 4), new String[] {
            "unroll@gemm/i=4"
        }));
    }

    /// Measured on a real tool (MachSuite gemm, j pipelined, k unrolled by the tool): m1 cyclic 2 with m2 block
    /// 2 halves the interval.
    @Test
    void knownGoodDesignsAreKept() {
        DirectiveSpace flat = SpaceBuilder.build(flatGemm(64), LIMITS);
        for (int banks : List.of(2, 4, 8, 16)) {
            keeps(
                    flat,
                    all(partition("gemm/m1#1", "cyclic", banks), partition("gemm/m2#1", "block", banks), new String[] {
                        "pipeline@gemm/j=on"
                    }));
        }
        keeps(flat, "pipeline@gemm/k=on");
        keeps(flat, "pipeline@gemm/j=on");
        DirectiveSpace square = SpaceBuilder.build(gemm(64), LIMITS);
        keeps(square, all(partition("gemm/a#2", "cyclic", 8), partition("gemm/b#1", "cyclic", 8), new String[] {
            "unroll@gemm/k=8", "pipeline@gemm/k=on"
        }));
        keeps(square, all(partition("gemm/a#2", "complete", 64), partition("gemm/b#1", "complete", 64), new String[] {
            "pipeline@gemm/j=on"
        }));
        keeps(
                square,
                all(
                        partition("gemm/a#2", "cyclic", 8),
                        partition("gemm/b#1", "cyclic", 8),
                        partition("gemm/b#2", "cyclic", 2),
                        partition("gemm/c#2", "cyclic", 2),
                        new String[] {"unroll@gemm/k=8", "unroll@gemm/j=2"}));
    }

    @Test
    void coveredLoopsRest() {
        DirectiveSpace space = SpaceBuilder.build(flatGemm(64), LIMITS);
        prunes(space, "pipeline@gemm/j=on", "pipeline@gemm/k=on");
        prunes(space, "pipeline@gemm/j=on", "unroll@gemm/k=2");
        assertThat(names(space)).as("pipelining i would make 4096 copies").doesNotContain("pipeline@gemm/i");
        DirectiveSpace small = SpaceBuilder.build(flatGemm(8), LIMITS);
        prunes(small, all(partition("gemm/m1#1", "cyclic", 8), partition("gemm/m2#1", "block", 8), new String[] {
            "unroll@gemm/k=8", "pipeline@gemm/k=on"
        }));
    }

    @Test
    void aLoopWithoutKnobMayBeUnrolledByAnyFactor() {
        DirectiveSpace space = build(gemm(16), """
                  - {kind: pipeline, at: gemm/j}
                  - {kind: partition, at: gemm/a, dim: 2, types: [none, cyclic], factors: [2, 4]}
                """);
        assertThat(space.space().enumerate().map(Configuration::text))
                .containsExactlyInAnyOrder(
                        "pipeline@gemm/j=off;partition_type@gemm/a#2=none;partition_factor@gemm/a#2=1",
                        "pipeline@gemm/j=off;partition_type@gemm/a#2=cyclic;partition_factor@gemm/a#2=2",
                        "pipeline@gemm/j=off;partition_type@gemm/a#2=cyclic;partition_factor@gemm/a#2=4",
                        "pipeline@gemm/j=on;partition_type@gemm/a#2=none;partition_factor@gemm/a#2=1",
                        "pipeline@gemm/j=on;partition_type@gemm/a#2=cyclic;partition_factor@gemm/a#2=2",
                        "pipeline@gemm/j=on;partition_type@gemm/a#2=cyclic;partition_factor@gemm/a#2=4");
    }

    @Test
    void withoutAlgorithm1OnlyContradictionsGo() {
        Kernel kernel = figure35(4, 4);
        var limits = new SpaceLimits(4, 4, 64, false);
        var file = DirectiveFile.parse("d.yaml", "version: 1\nprune: false");
        DirectiveSpace space = SpaceBuilder.build(kernel, limits, file);
        BigInteger[] kept = {BigInteger.ZERO};
        new knobscape.space.CartesianSpace(space.space().knobs()).enumerate().forEach(c -> {
            boolean fine = Compatibility.checkContradictions(kernel, limits, c).isEmpty();
            assertThat(space.space().contains(c)).isEqualTo(fine);
            kept[0] = fine ? kept[0].add(BigInteger.ONE) : kept[0];
        });
        assertThat(space.space().size())
                .isEqualTo(kept[0])
                .isGreaterThan(SpaceBuilder.build(kernel, limits).space().size());
    }

    /// The formal `x` is `a` at one call and `b` at the other: both get a knob of their own, tied to the loop
    /// inside.
    @Test
    void knobsBelongToTheArraysBehindParameters() {
        Kernel kernel = kernel(
                function("inner", List.of(parameter("inner/x", 16)), loop("go", 16, touch("inner/x[go]"))),
                function("middle", List.of(parameter("middle/y", 16)), call("inner", Map.of("x", "middle/y"))),
                function(
                        "top",
                        List.of(parameter("top/a", 16), array("top/b", ArrayVariable.Scope.LOCAL, 16)),
                        call("middle", Map.of("y", "top/a")),
                        call("inner", Map.of("x", "top/b"))));
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS);
        assertThat(names(space))
                .contains("partition_type@top/a#1", "partition_type@top/b#1")
                .doesNotContain("partition_type@inner/x#1", "partition_type@middle/y#1");
        keeps(space, all(partition("top/a#1", "cyclic", 4), partition("top/b#1", "cyclic", 4), new String[] {
            "unroll@inner/go=4"
        }));
        prunes(space, all(partition("top/a#1", "cyclic", 4), new String[] {"unroll@inner/go=4"}));
    }

    @Test
    void directivesSayWhatTheKnobsMean() {
        Kernel kernel = kernel(
                function("task", List.of(), loop("t", 4, touch())),
                function(
                        "top",
                        List.of(parameter("top/a", 8), array("top/b", ArrayVariable.Scope.LOCAL, 4, 8)),
                        call("task", Map.of()),
                        loop("row", 4, loop("column", 8, touch("top/b[row][column]"))),
                        loop("walk", 8, touch("top/a[walk]"))));
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS, EnumSet.allOf(KnobKind.class));
        assertThat(space.directives(space.baseline()))
                .containsExactlyInAnyOrder(
                        new Directive.Inline("task", false),
                        new Directive.Pipeline("task/t", false, 0),
                        new Directive.Pipeline("top/row", false, 0),
                        new Directive.Pipeline("top/column", false, 0),
                        new Directive.Pipeline("top/walk", false, 0),
                        new Directive.Flatten("top/column", false));
        Configuration c =
                with(space, all(partition("top/b#2", "cyclic", 2), partition("top/b#1", "block", 2), new String[] {
                    "unroll@top/column=4",
                    "unroll@top/row=4",
                    "pipeline@top/column=on",
                    "unroll@task/t=4",
                    "reshape@top/a#1=4",
                    "unroll@top/walk=4",
                    "multiplier@top=fabric",
                    "storage@top/b=lutram",
                    "dataflow@top=on"
                }));
        assertThat(Compatibility.check(kernel, LIMITS, c)).isEmpty();
        assertThat(space.space().contains(c)).isTrue();
        assertThat(space.directives(c))
                .containsExactlyInAnyOrder(
                        new Directive.Inline("task", false),
                        new Directive.Unroll("task/t", 0),
                        new Directive.Unroll("top/row", 0),
                        new Directive.Pipeline("top/column", true, 0),
                        new Directive.Unroll("top/column", 4),
                        new Directive.Flatten("top/column", false),
                        new Directive.Pipeline("top/walk", false, 0),
                        new Directive.Unroll("top/walk", 4),
                        new Directive.Partition("top/b", 1, PartitionType.BLOCK, 2),
                        new Directive.Partition("top/b", 2, PartitionType.CYCLIC, 2),
                        new Directive.Reshape("top/a", 1, PartitionType.CYCLIC, 4),
                        new Directive.BindMultiplier("top", Core.FABRIC),
                        new Directive.BindStorage("top/b", Storage.LUTRAM),
                        new Directive.Dataflow("top"));
        Configuration covered = with(space, "pipeline@top/row=on");
        assertThat(space.directives(covered))
                .contains(new Directive.Pipeline("top/row", true, 0))
                .noneMatch(d -> d.toString().contains("top/column"));
    }

    @Test
    void pragmasAreTheStartingValues() {
        var pragmas = List.of(
                pragma("PIPELINE", Map.of("ii", "3"), Optional.of("gemm/k")),
                pragma("UNROLL", Map.of("factor", "6"), Optional.of("gemm/k")),
                pragma(
                        "ARRAY_PARTITION",
                        Map.of("variable", "a", "type", "cyclic", "factor", "6", "dim", "2"),
                        Optional.empty()),
                pragma(
                        "ARRAY_PARTITION",
                        Map.of("variable", "b", "type", "cyclic", "factor", "6", "dim", "1"),
                        Optional.empty()),
                pragma(
                        "ARRAY_PARTITION",
                        Map.of("variable", "nothing", "type", "cyclic", "factor", "2"),
                        Optional.empty()),
                pragma("INTERFACE", Map.of(), Optional.empty()));
        Kernel plain = gemm(64);
        Kernel kernel = new Kernel(
                plain.file(),
                "",
                "gemm",
                false,
                plain.functions(),
                List.of(),
                List.of(),
                pragmas,
                List.of(),
                plain.sources());
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS);
        Configuration base = space.baseline();
        assertThat(base.value("pipeline@gemm/k")).isEqualTo("ii=3");
        assertThat(base.value("unroll@gemm/k")).isEqualTo("6");
        assertThat(base.value("partition_factor@gemm/a#2")).isEqualTo("6");
        assertThat(base.value("partition_type@gemm/b#1")).isEqualTo("cyclic");
        assertThat(space.space().contains(base)).isTrue();
        assertThat(space.directives(base))
                .contains(new Directive.Pipeline("gemm/k", true, 3), new Directive.Unroll("gemm/k", 6));
    }

    @Test
    void theSourceAsItStandsIsAMemberWhereverPragmasDoNotFitEachOther() {
        Kernel plain = gemm(64);
        var pragmas = List.of(
                pragma("UNROLL", Map.of("factor", "8"), Optional.of("gemm/k")),
                pragma(
                        "ARRAY_PARTITION",
                        Map.of("variable", "a", "type", "cyclic", "factor", "8", "dim", "2"),
                        Optional.empty()));
        Kernel kernel = new Kernel(
                plain.file(),
                "",
                "gemm",
                false,
                plain.functions(),
                List.of(),
                List.of(),
                pragmas,
                List.of(),
                plain.sources());
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS);
        Configuration base = space.baseline();
        assertThat(space.space().contains(base)).isTrue();
        assertThat(base.value("unroll@gemm/k")).isEqualTo("8");
        assertThat(base.value("partition_factor@gemm/a#2")).isEqualTo("8");
        assertThat(base.value("partition_factor@gemm/b#1"))
                .as("b stays as it is")
                .isEqualTo("1");
    }

    private static Pragma pragma(String directive, Map<String, String> options, Optional<String> loop) {
        return new Pragma(directive, options, loop, "gemm", HERE, true, directive);
    }

    private static List<String> names(DirectiveSpace space) {
        return space.space().knobs().list().stream().map(Knob::name).toList();
    }

    @Test
    void candidatesAreDivisorsAndPowersOfTwo() {
        Kernel kernel = kernel(function(
                "f",
                List.of(parameter("f/a", 20), parameter("f/big", 1000), parameter("f/two", 2)),
                loop("ten", 10, touch("f/a[ten]")),
                loop("bound", -10, touch("f/big[bound]")),
                loop("unknown", 0, touch("f/big[unknown]")),
                loop("once", 1, touch("f/two[once]")),
                loop("pair", 2, touch("f/two[pair]"))));
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS);
        assertThat(labels(space, "unroll@f/ten")).containsExactly("1", "2", "4", "5", "8", "10");
        assertThat(labels(space, "unroll@f/bound"))
                .as("a bounded loop is never unrolled completely")
                .containsExactly("1", "2", "4", "8");
        assertThat(labels(space, "partition_factor@f/a#1")).containsExactly("1", "2", "4", "5", "8", "10", "16", "20");
        assertThat(labels(space, "partition_factor@f/big#1")).containsExactly("1", "2", "4", "5", "8", "10", "16");
        assertThat(labels(space, "partition_type@f/big#1"))
                .as("too large for registers")
                .containsExactly("none", "cyclic", "block");
        assertThat(labels(space, "partition_type@f/two#1")).containsExactly("none", "complete");
        assertThat(names(space))
                .doesNotContain("unroll@f/unknown", "unroll@f/once", "pipeline@f/once")
                .contains("pipeline@f/unknown", "pipeline@f/pair");
    }

    private static List<String> labels(DirectiveSpace space, String knob) {
        return space.space()
                .knobs()
                .get(space.space().knobs().indexOf(knob).orElseThrow())
                .domain()
                .labels();
    }

    @Test
    void limitsFollowThePart() {
        assertThat(SpaceLimits.defaults()).isEqualTo(new SpaceLimits(16, 64, 512, false));
        assertThat(SpaceLimits.forPart(220, 280, 0)).isEqualTo(new SpaceLimits(4, 16, 32, false));
        assertThat(SpaceLimits.forPart(1_728, 624, 96)).isEqualTo(new SpaceLimits(16, 64, 256, true));
    }

    @Test
    void arraysWithoutKnobAreExplained() {
        Kernel kernel = kernel(function(
                "f", List.of(parameter("f/x", 500), parameter("f/a", 8)), loop("go", 8, touch("f/x[?]", "f/a[go]"))));
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS);
        assertThat(names(space)).noneMatch(n -> n.contains("f/x"));
        assertThat(space.pruning())
                .anyMatch(s -> s.subject().startsWith("array f/x has no partition knob")
                        && s.knobs().isEmpty());
        assertThat(space.pruning()).anyMatch(s -> s.subject().equals("array f/a with loop f/go"));
    }

    @Test
    void nothingToChooseIsASpaceOfOne() {
        DirectiveSpace space = SpaceBuilder.build(kernel(function("f", List.of(parameter("f/p", 0)))), LIMITS);
        assertThat(space.space().size()).isEqualTo(BigInteger.ONE);
        assertThat(space.directives(space.baseline())).isEmpty();
        String text = DirectiveFile.write(space, Optional.empty(), java.util.OptionalDouble.empty());
        assertThat(SpaceBuilder.build(space.kernel(), LIMITS, DirectiveFile.parse("d.yaml", text))
                        .space()
                        .size())
                .isEqualTo(BigInteger.ONE);
    }

    @Test
    void recursionDoesNotHang() {
        Function f = function(
                "f", List.of(parameter("f/a", 8)), loop("go", 8, touch("f/a[go]"), call("f", Map.of("a", "f/a"))));
        DirectiveSpace space = SpaceBuilder.build(kernel(f), LIMITS);
        assertThat(space.space().contains(space.baseline())).isTrue();
    }

    @Test
    void theSameKernelGivesTheSameSpace() {
        DirectiveSpace a = SpaceBuilder.build(gemm(32), LIMITS);
        DirectiveSpace b = SpaceBuilder.build(gemm(32), LIMITS);
        var random = new Random(4);
        var again = new Random(4);
        for (int i = 0; i < 100; i++) {
            assertThat(a.space().draw(random)).isEqualTo(b.space().draw(again));
        }
        assertThat(a.pruning()).isEqualTo(b.pruning());
    }

    /// A chain of many convolutional layers: with every loop unrollable and pipelinable the knobs cannot be
    /// counted in reasonable time, so less is offered: first no copies of loops around others, which run one
    /// after the other anyway.
    @Test
    @Tag("slow")
    void veryLargeKernelsGetASmallerDefault() {
        DirectiveSpace space = SpaceBuilder.build(layers(8), LIMITS);
        assertThat(space.pruning().getFirst().subject()).startsWith("unrolling is offered for innermost loops only");
        assertThat(space.space().size()).isGreaterThan(BigInteger.TEN.pow(30));
        var random = new Random(2);
        var seen = new TreeSet<String>();
        for (int i = 0; i < 200; i++) {
            Configuration c = space.space().draw(random);
            assertThat(space.space().contains(c)).isTrue();
            seen.add(c.id());
        }
        assertThat(seen).hasSize(200);
        assertThat(space.space().neighbours(space.baseline())).isNotEmpty().allMatch(space.space()::contains);
    }

    private static Kernel layers(int n) {
        var functions = new ArrayList<Function>();
        var arrays = new ArrayList<ArrayVariable>();
        var calls = new ArrayList<HandKernels.Piece>();
        arrays.add(parameter("net/m0", 16, 18, 18));
        for (int i = 0; i < n; i++) {
            String f = "layer" + i;
            functions.add(function(
                    f,
                    List.of(
                            parameter(f + "/in", 16, 18, 18),
                            parameter(f + "/w", 16, 16, 3, 3),
                            parameter(f + "/out", 16, 18, 18)),
                    loop(
                            "o",
                            16,
                            loop(
                                    "y",
                                    16,
                                    loop(
                                            "x",
                                            16,
                                            loop(
                                                    "c",
                                                    16,
                                                    loop(
                                                            "dy",
                                                            3,
                                                            loop(
                                                                    "dx",
                                                                    3,
                                                                    touch(
                                                                            f + "/w[o][c][dy][dx]",
                                                                            f + "/in[c][y+dy][x+dx]")))),
                                            touch(f + "/out[o][y+1][x+1]"))))));
            arrays.add(array("net/m" + (i + 1), ArrayVariable.Scope.LOCAL, 16, 18, 18));
            arrays.add(array("net/w" + i, ArrayVariable.Scope.LOCAL, 16, 16, 3, 3));
            calls.add(call(f, Map.of("in", "net/m" + i, "w", "net/w" + i, "out", "net/m" + (i + 1))));
        }
        functions.add(function("net", arrays, calls.toArray(HandKernels.Piece[]::new)));
        return kernel(functions.toArray(Function[]::new));
    }

    @Test
    void aSetOfKindsIsAllThatIsOffered() {
        DirectiveSpace space = SpaceBuilder.build(gemm(16), LIMITS, Set.of(KnobKind.UNROLL));
        assertThat(names(space)).containsExactly("unroll@gemm/i", "unroll@gemm/j", "unroll@gemm/k");
        assertThat(space.space().size()).as("no array to be in step with").isEqualTo(125);
    }
}
