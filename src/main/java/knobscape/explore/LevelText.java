package knobscape.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// Lists of configurations as short texts, for the state that explorers keep between steps.
public final class LevelText {
    private LevelText() {}

    /// Levels in base 36, commas between knobs, spaces between configurations.
    public static String write(List<Configuration> configurations) {
        return configurations.stream()
                .map(c -> Arrays.stream(c.levels())
                        .mapToObj(l -> Integer.toString(l, Character.MAX_RADIX))
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining(" "));
    }

    /// Reads what [#write] wrote.
    public static List<Configuration> read(KnobSet knobs, String text) {
        var all = new ArrayList<Configuration>();
        for (String part : text.isBlank() ? new String[0] : text.strip().split(" ")) {
            String[] levels = part.split(",", -1);
            all.add(Configuration.of(
                    knobs,
                    IntStream.range(0, levels.length)
                            .map(i -> Integer.parseInt(levels[i], Character.MAX_RADIX))
                            .toArray()));
        }
        return all;
    }
}
