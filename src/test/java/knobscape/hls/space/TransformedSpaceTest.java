package knobscape.hls.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import org.junit.jupiter.api.Test;

class TransformedSpaceTest {
    private final DirectiveSpace own = sized(
            "void k(int a[8], int b[6]) { one: for (int i = 0; i < 8; i++) a[i] = i; two: for (int i = 0; i < 6; i++) b[i] = i; }");
    /// A loop less, and another trip count.
    private final DirectiveSpace less =
            sized("void k(int a[8], int b[6]) { one: for (int i = 0; i < 4; i++) a[i] = i; }");
    private final TransformedSpace whole = new TransformedSpace(own, Map.of("less", less), "");
    private final DesignSpace space = whole.space();

    private static DirectiveSpace sized(String text) {
        return SpaceBuilder.build(
                Kernels.of(text), SpaceLimits.defaults(), EnumSet.of(KnobKind.UNROLL, KnobKind.PIPELINE));
    }

    @Test
    void itHasTheDesignsOfEverySource() {
        List<Configuration> all = space.enumerate().toList();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(BigInteger.valueOf(all.size()))
                .isEqualTo(space.size())
                .isEqualTo(own.space().size().add(less.space().size()));
        for (int i = 0; i < all.size(); i++) {
            assertThat(space.at(BigInteger.valueOf(i))).isEqualTo(all.get(i));
            assertThat(space.contains(all.get(i))).isTrue();
            DirectiveSpace.Placed built = whole.at(all.get(i));
            assertThat(built.space()).isSameAs(all.get(i).value("transform@k").equals("less") ? less : own);
            assertThat(built.space().space().contains(built.configuration())).isTrue();
        }
        assertThatThrownBy(() -> space.at(space.size())).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(whole.at(whole.baseline()).configuration()).isEqualTo(own.baseline());
    }

    @Test
    void whatASourceDoesNotHaveRests() {
        Configuration other = whole.baseline().with(0, 1);
        int unroll = space.knobs().indexOf("unroll@k/two").orElseThrow();
        assertThat(space.contains(other)).isTrue();
        assertThat(space.contains(other.with(unroll, 1))).isFalse();
        // Eight iterations are not among those of the shorter loop.
        int one = space.knobs().indexOf("unroll@k/one").orElseThrow();
        int eight = space.knobs().get(one).domain().levelOf("8");
        assertThat(space.contains(other.with(one, eight))).isFalse();
        assertThat(space.contains(whole.baseline().with(one, eight))).isTrue();
    }

    @Test
    void neighboursAreMembersAlsoOfTheOtherSource() {
        for (Configuration c : space.enumerate().toList()) {
            List<Configuration> near = space.neighbours(c);
            assertThat(near).doesNotHaveDuplicates().doesNotContain(c).allMatch(space::contains);
        }
        assertThat(space.neighbours(whole.baseline())).contains(whole.baseline().with(0, 1));
    }

    @Test
    void drawsKeepToAllowedLevels() {
        var random = new SplittableRandom(3);
        int knobs = space.knobs().size();
        List<BitSet> every =
                IntStream.range(0, knobs).mapToObj(space::possibleLevels).toList();
        var sources = new HashSet<Integer>();
        for (int trial = 0; trial < 200; trial++) {
            Configuration inside = space.draw(random);
            sources.add(inside.level(0));
            var allowed = new ArrayList<BitSet>();
            for (int k = 0; k < knobs; k++) {
                BitSet levels = (BitSet) every.get(k).clone();
                if (random.nextBoolean()) {
                    levels.clear();
                }
                levels.set(inside.level(k));
                allowed.add(levels);
            }
            Configuration c = space.drawWithin(allowed, random.doubles(knobs).toArray());
            assertThat(space.contains(c)).isTrue();
            assertThat(IntStream.range(0, knobs).allMatch(k -> allowed.get(k).get(c.level(k))))
                    .isTrue();
        }
        assertThat(sources).containsExactlyInAnyOrder(0, 1);
    }
}
