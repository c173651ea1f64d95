package knobscape.fusion.search.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.explore.StepRandom;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.FusionNetwork;

/// The lessons of a model: on given networks and on random ones, under buffers drawn log-uniformly. The
/// same curriculum always gives the same lessons, so a replay buffer need not be kept with a training that is
/// to be resumed.
///
/// @param networks given networks; may be empty where random ones are wanted
/// @param accelerator what they run on; that of a random network may vary
/// @param batches batches of the given networks, the first drawn three times in four
/// @param randomShare share of lessons on random networks
public record Curriculum(
        List<FusionNetwork> networks,
        Accelerator accelerator,
        List<Integer> batches,
        double randomShare,
        int lessons,
        long seed) {
    /// Share of lessons on random networks in the training of the models that ship.
    public static final double RANDOM_SHARE = 0.5;
    /// Lessons in the training of the models that ship.
    public static final int LESSONS = 2000;
    /// Lessons in a fine-tuning.
    public static final int LESSONS_OF_FINE_TUNING = 500;
    /// Most lessons; each takes some tens of kilobytes.
    public static final int MOST_LESSONS = 20_000;
    private static final int LESSONS_PER_RANDOM = 6;
    private static final double MEGA = 1e6;
    /// Buffers (MB) that models are tested with; none within half a megabyte is taught.
    private static final double[] TESTED = {20, 25, 30, 35, 40, 45, 55};
    private static final double GAP = 0.5;

    public Curriculum {
        networks = List.copyOf(networks);
        batches = List.copyOf(batches);
        if (lessons < 1
                || lessons > MOST_LESSONS
                || !(randomShare >= 0 && randomShare <= 1)
                || batches.isEmpty()
                || (networks.isEmpty() && randomShare < 1)) {
            throw new IllegalArgumentException("a curriculum has 1 to " + MOST_LESSONS
                    + " lessons, a share of random networks from 0 to 1, and a network or only random ones");
        }
    }

    /// Writes the lessons.
    List<Lesson> write(IntConsumer progress, CancellationSignal cancel) {
        List<Lesson> all = new ArrayList<>();
        var teachers = new ArrayList<List<Teacher>>();
        for (FusionNetwork network : networks) {
            teachers.add(batches.stream()
                    .map(batch -> new Teacher(new FusionCostModel(network, accelerator, batch)))
                    .toList());
        }
        for (int task = 0; all.size() < lessons; task++) {
            cancel.throwIfCancelled();
            SplittableRandom random = StepRandom.of(seed, task);
            if (random.nextDouble()
                    < randomShare / LESSONS_PER_RANDOM / (randomShare / LESSONS_PER_RANDOM + 1 - randomShare)) {
                randomNetwork(random, all);
            } else {
                List<Teacher> of = teachers.get(random.nextInt(teachers.size()));
                Teacher teacher = of.get(random.nextInt(4) > 0 ? 0 : random.nextInt(of.size()));
                all.add(teacher.lesson(
                        random.nextInt(5) == 0 ? budget(2, 200, random) : budget(10, 80, random), random));
            }
            progress.accept(Math.min(lessons, all.size()));
        }
        return List.copyOf(all.subList(0, lessons));
    }

    private void randomNetwork(SplittableRandom random, List<Lesson> all) {
        Accelerator a = accelerator;
        if (random.nextInt(3) == 0) {
            double slower = Math.pow(2, 2 * random.nextDouble() - 1);
            a = a.scaled(slower, Math.pow(2, 2 * random.nextDouble() - 1));
        }
        int batch = new int[] {64, 64, 64, 64, 32, 128, 16, 100}[random.nextInt(8)];
        var teacher = new Teacher(new FusionCostModel(SyntheticNetworks.draw(random), a, batch));
        for (int i = 0; i < LESSONS_PER_RANDOM; i++) {
            all.add(teacher.lesson(budget(4, 160, random), random));
        }
    }

    private static long budget(double least, double most, SplittableRandom random) {
        while (true) {
            double mb = least * Math.pow(most / least, random.nextDouble());
            boolean free = true;
            for (double tested : TESTED) {
                free &= Math.abs(mb - tested) > GAP;
            }
            if (free) {
                return Math.round(mb * MEGA);
            }
        }
    }
}
