package knobscape.project.bench;

import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.project.Names;

/// The benches this program has.
public final class Benches {
    private Benches() {
    }

    /// All of them, in the order shown.
    public static List<Bench> all() {
        return List.of(new SamplesBench(), new HlsTablesBench(List.of("random", "ann", "bt", "dac19", "cgp", "dcgp")));
    }

    /// The bench called `name`; throws [UserError] naming the nearest where there is none.
    public static Bench named(String name) {
        var names = all().stream().map(Bench::name).toList();
        return all().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no bench '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }
}
