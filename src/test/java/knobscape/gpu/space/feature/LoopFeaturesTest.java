package knobscape.gpu.space.feature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;
import knobscape.network.zoo.Zoo;
import knobscape.space.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoopFeaturesTest {
    private static final int CONFIGURATIONS = 60;

    static Stream<Template> templates() {
        var all = new ArrayList<Template>();
        for (Zoo network : List.of(Zoo.VGG16, Zoo.RESNET18_TVM, Zoo.MOBILENET_V1)) {
            List<TuningTask> tasks = TuningTasks.of(network.network(2)).tasks();
            for (int i = 0; i < tasks.size(); i += 4) {
                all.addAll(Templates.of(tasks.get(i).workload()));
            }
        }
        all.addAll(Templates.of(new Workload.Dense(ElementType.FLOAT32, 64, 96, 60)));
        all.addAll(Templates.of(new Workload.Dense(ElementType.FLOAT32, 2, 10, 48)));
        all.addAll(Templates.of(new Workload.BatchMatmul(ElementType.FLOAT32, 3, 64, 48, 40)));
        return all.stream();
    }

    private static List<Configuration> drawn(Template template) {
        var random = new SplittableRandom(7);
        var drawn = new ArrayList<Configuration>();
        for (int i = 0; i < CONFIGURATIONS; i++) {
            drawn.add(template.space().draw(random));
        }
        return drawn;
    }

    @ParameterizedTest
    @MethodSource("templates")
    void quickExtractionGivesExactlyTheNumbersOfTheDefinition(Template template) {
        var plain = new PlainLoopFeatures(template);
        var itervar = new LoopFeatures(template, LoopFeatures.Form.ITERVAR);
        var curve = new LoopFeatures(template, LoopFeatures.Form.CURVE);
        for (Configuration c : drawn(template)) {
            assertArrayEquals(plain.itervar(c), single(itervar.encode(c)), () -> template.id() + " " + c);
            assertArrayEquals(plain.curves(c), single(curve.encode(c)), () -> template.id() + " " + c);
        }
    }

    private static float[] single(double[] row) {
        float[] single = new float[row.length];
        for (int i = 0; i < single.length; i++) {
            single[i] = (float) row[i];
        }
        return single;
    }

    @ParameterizedTest
    @MethodSource("templates")
    void differentConfigurationsHaveDifferentRows(Template template) {
        var features = new LoopFeatures(template, LoopFeatures.Form.ITERVAR);
        long rows = drawn(template).stream()
                .distinct()
                .map(c -> Arrays.hashCode(features.encode(c)))
                .distinct()
                .count();
        assertEquals(drawn(template).stream().distinct().count(), rows);
    }
}
