package knobscape.hls.rtl.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.space.Directive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The check of a design sees faults of 27 kinds, which are made on purpose, one at a time.
class DamagedHardwareTest {
    /// Places of a kind that are damaged in a design, spread over all.
    private static final int PLACES = 3;
    /// Inputs that the check itself does not take.
    private static final long OTHER = 100;

    private static final long SEEDS = 8;

    private static final String MIX = """
            static const short table[16] = {3, -7, 11, 2, -5, 8, 13, -1, 6, 9, -4, 10, 7, -2, 5, 12};
            int mix(const short a[16], const unsigned char b[16], int out[16], int bins[8], int k) {
              int last = 0;
            clear:
              for (int i = 0; i < 8; i++) bins[i] = 0;
            body:
              for (int i = 0; i < 16; i++) {
                int x = a[i] * table[b[i] & 15];
                int y = x > k ? x - a[i] : (x ^ 0x5A3) + b[i];
                y = (y << (b[i] & 3)) | (y >> 7);
                if (b[i] == 9 || y < last) y = ~y;
                last = y - (last >> 1);
                out[i] = y ^ last;
                bins[b[i] & 7] += y;
              }
              return last;
            }
            """;
    private static final String SMOOTH = """
            void smooth(const float in[18], float out[16], float k) {
              float sum = 0;
            point:
              for (int i = 0; i < 16; i++) {
                float s = in[i] + in[i + 1] * k - in[i + 2];
                sum += s;
                out[i] = s > 1.0f ? sum : -s;
              }
            }
            """;

    @TempDir
    Path folder;

    private static final class Tally {
        private int caught;
        private final List<String> missed = new ArrayList<>();
        private int same;
    }

    @Tag("slow")
    @Test
    void everyKindOfDamageIsSeen() {
        HardwareFixture mix = HardwareFixture.of(folder, "mix", MIX);
        HardwareFixture smooth = HardwareFixture.of(folder, "smooth", SMOOTH);
        var all = new TreeMap<HardwareDamage, Tally>();
        damage(mix, List.of(), all);
        damage(
                mix,
                List.of(
                        new Directive.Pipeline("mix/body", true, 0),
                        new Directive.Partition("mix/out", 1, Directive.PartitionType.CYCLIC, 2),
                        new Directive.Partition("mix/bins", 1, Directive.PartitionType.CYCLIC, 2)),
                all);
        // Three banks take a product.
        damage(mix, List.of(new Directive.Partition("mix/bins", 1, Directive.PartitionType.CYCLIC, 3)), all);
        damage(smooth, List.of(new Directive.Pipeline("smooth/point", true, 0)), all);
        var kinds = new TreeSet<>(List.of(HardwareDamage.values()));
        assertThat(kinds).hasSizeGreaterThanOrEqualTo(27);
        assertThat(all.keySet()).isEqualTo(kinds);
        var text = new StringBuilder();
        all.forEach((kind, t) -> text.append(kind)
                .append(": caught ")
                .append(t.caught)
                .append(", without effect ")
                .append(t.same)
                .append(", missed ")
                .append(t.missed)
                .append('\n'));
        assertThat(all.values()).as(text.toString()).allMatch(t -> t.caught > 0);
        int caught = all.values().stream().mapToInt(t -> t.caught).sum();
        int missed = all.values().stream().mapToInt(t -> t.missed.size()).sum();
        assertThat(missed).as(text.toString()).isLessThanOrEqualTo(caught / 50);
    }

    private static void damage(HardwareFixture f, List<Directive> directives, TreeMap<HardwareDamage, Tally> all) {
        HardwareDesign design = f.build(directives, 10);
        assertThat(seen(f, design)).isFalse();
        for (HardwareDamage kind : HardwareDamage.values()) {
            int places = kind.places(design.module());
            for (int k = 0; k < Math.min(PLACES, places); k++) {
                RtlModule damaged = kind.at(design.module(), k * places / Math.min(PLACES, places));
                Tally t = all.computeIfAbsent(kind, _ -> new Tally());
                HardwareDesign d = design.with(damaged);
                if (seen(f, d)) {
                    t.caught++;
                } else {
                    // What other inputs show, the check should have shown; what none shows has no effect.
                    LongStream.range(OTHER, OTHER + SEEDS)
                            .boxed()
                            .filter(s -> seen(f, d, s))
                            .findFirst()
                            .ifPresentOrElse(
                                    _ -> t.missed.add(f.kernel.top() + " " + directives.size()), () -> t.same++);
                }
            }
        }
    }

    private static boolean seen(HardwareFixture f, HardwareDesign d) {
        try {
            return f.check.check(d, new CancellationSignal()).difference().isPresent();
        } catch (IllegalArgumentException e) {
            // Wires in a circle.
            return true;
        }
    }

    private static boolean seen(HardwareFixture f, HardwareDesign d, long seed) {
        long cycles = f.check.scheduled(d, seed);
        HardwareCheck.Result r = f.check.check(d, seed, 2 * cycles + 1000, new CancellationSignal());
        return r.difference().isPresent() || r.cycles() != cycles;
    }
}
