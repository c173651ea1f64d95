package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loop nests of random valid configurations, run by an interpreter that knows nothing of C, compute what
/// the work is defined as, without races.
class NestSemanticsTest {
    private static final int EACH = Integer.getInteger("knobscape.nests.each", 3);

    @ParameterizedTest
    @ValueSource(strings = {"direct", "depthwise", "winograd", "dense-small", "dense-large", "batch-matmul"})
    void nestsComputeTheWork(String name) {
        var random = new Random(name.hashCode());
        for (Workload work : WorkSamples.work().get(name)) {
            Template template = Templates.of(work, name);
            List<Epilogue> epilogues = WorkSamples.epilogues();
            for (int i = 0; i < EACH; i++) {
                Schedule s = WorkSamples.valid(template, epilogues.get(random.nextInt(epilogues.size())), random);
                Operands operands = Operands.random(s, i);
                ResultCheck check = ResultCheck.of(s, operands, NestInterpreter.run(s, operands), i);

                assertThat(check.passed())
                        .as(() -> template.id() + " " + s.configuration() + ": " + check + "\n" + s.main())
                        .isTrue();
            }
        }
    }

    @Test
    void nestsOfIntegersComputeTheWork() {
        var random = new Random(4);
        for (Workload work : WorkSamples.integers()) {
            for (Template template : Templates.of(work)) {
                for (Epilogue epilogue : WorkSamples.integerEpilogues(work)) {
                    Schedule s = WorkSamples.valid(template, epilogue, random);
                    Operands operands = Operands.random(s, 6);
                    ResultCheck check = ResultCheck.of(s, operands, NestInterpreter.run(s, operands), 6);

                    assertThat(check.passed())
                            .as(() -> template.id() + " " + s.configuration() + ": " + check + "\n" + s.main())
                            .isTrue();
                }
            }
        }
    }

    /// A QLinearConv of ONNX Runtime 1.32 with zero points 117 and 131, a scale for each channel and a bias: the
    /// reference
    /// that kernels are compared with makes the same integers.
    @Test
    void theReferenceOfIntegersAgreesWithOnnxRuntime() {
        float[] scales = {0.004f, 0.007f, 0.005f, 0.011f};
        int[] biases = {300, -2000, 0, 4000};
        int[] weights = {-123, 542, -39, -473};
        float[] scale = new float[4];
        float[] bias = new float[4];
        for (int c = 0; c < 4; c++) {
            scale[c] = 0.02f * scales[c];
            bias[c] = scale[c] * (biases[c] + (128 - 117) * weights[c]);
        }
        var work = new Workload.Conv2d(
                ElementType.UINT8,
                1,
                4,
                5,
                5,
                4,
                new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                new Workload.Conv2d.Padding(1, 1, 1, 1, 117),
                1);
        Template template = Templates.of(work).getFirst();
        Schedule s = template.schedule(
                template.space().at(0),
                new Epilogue(List.of(
                        new Epilogue.Rescale(),
                        new Epilogue.Bias(),
                        new Epilogue.Linear(1 / 0.11, 131),
                        new Epilogue.Quantize(true))));
        var operands = new Operands(Map.of(
                "data",
                words(
                        "cf6ea9bd15aa954a2d963eb83c2c78a72ebc3037cdc1c563def479d495c907d70a4841a81851b40155a685ae6ea65f399fb2"
                                + "40d17ade17e9434a9b6d28f0a9f4b10085c2bc13ee5308f9ede01df13562734c9b1a6423a197e3503fd9840b4ca86be47c64"),
                "weight",
                words(
                        "665f6e11faa5b270e2c64c6ba506aef9b60f8bb432e53fc04ce6ae59caa14016201cd4ab6249c4cb76d6b1e9784a37fe1f79"
                                + "b6ce798d20591b095b1100defe77788da06f1a959135872e90a0b622056c3fdecdfb0ba80e7771162e093496b23a512b8946"
                                + "8d4dfeffcb2b1ee42ae3396b8574d95a1ee1fe1007cefb3ba6688f3eb495978288e4cc723d860b8c2fd99257"),
                "scale",
                scale,
                "bias",
                bias));
        float[] right = words(
                "6f887a8c6868807b84a38d8c9b819e889d398bff7d7d9100636b7fda7876a1e48a8f9399975299cc6f987f7296b576b6a086"
                        + "77cc934d9b865e618f72756a96e782ce71966af18149906d8ffc93528dbe9066a4c195958c597f87787e75617ec88c3f96f9");

        assertThat(NestInterpreter.run(s, operands)).isEqualTo(right);
        assertThat(ResultCheck.of(s, operands, right, 1)).matches(ResultCheck::passed);
    }

    private static float[] words(String bytes) {
        ByteBuffer b = ByteBuffer.wrap(HexFormat.of().parseHex(bytes)).order(ByteOrder.LITTLE_ENDIAN);
        float[] words = new float[b.remaining() / 4];
        for (int i = 0; i < words.length; i++) {
            words[i] = Float.intBitsToFloat(b.getInt());
        }
        return words;
    }

    /// The interpreter is no evaluate that always agrees: without its barriers a nest has races, and a shifted
    /// read is found.
    @Test
    void nestsWithoutBarriersAreFoundOut() {
        var random = new Random(3);
        Template template =
                Templates.of(WorkSamples.work().get("direct").getFirst()).getFirst();
        Schedule s = Stream.generate(() -> WorkSamples.valid(template, Epilogue.NONE, random))
                .filter(c -> c.main().threads() > 4)
                .findFirst()
                .orElseThrow();
        LoopNest k = s.main();
        var bare = new LoopNest(k.name(), k.parameters(), k.allocations(), without(k.body()));
        var broken = new Schedule(template, s.configuration(), Epilogue.NONE, s.arguments(), List.of(), List.of(bare));

        assertThatThrownBy(() -> NestInterpreter.run(broken, Operands.random(broken, 1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching(".*(without a barrier between|holds nothing).*");
    }

    private static NestStatement without(NestStatement s) {
        return switch (s) {
            case NestStatement.Loop l -> new NestStatement.Loop(l.axis(), without(l.body()));
            case NestStatement.Guard g -> new NestStatement.Guard(g.conditions(), without(g.body()));
            case NestStatement.Pragma p -> new NestStatement.Pragma(p.policy(), without(p.body()));
            case NestStatement.Store _, NestStatement.Barrier _, NestStatement.Fragment _ -> s;
        };
    }

    private static List<NestStatement> without(List<NestStatement> body) {
        return body.stream()
                .filter(s -> !(s instanceof NestStatement.Barrier))
                .map(NestSemanticsTest::without)
                .toList();
    }

    /// One product left out, counted twice, or one element not written: the check finds it, also in work with
    /// many terms.
    @Test
    void theCheckFindsASingleWrongProduct() {
        Schedule s = Templates.of(new Workload.Dense(ElementType.FLOAT32, 2, 3, 8192))
                .getFirst()
                .schedule(Templates.of(new Workload.Dense(ElementType.FLOAT32, 2, 3, 8192))
                        .getFirst()
                        .space()
                        .at(0));
        Operands o = Operands.random(s, 5);
        var reference = new Reference(s, o);
        float[] right = new float[6];
        for (int i = 0; i < right.length; i++) {
            right[i] = (float) reference.at(i).value();
        }
        assertThat(ResultCheck.of(s, o, right, 1).passed()).isTrue();
        for (float factor : new float[] {-1, 1}) {
            float[] wrong = right.clone();
            wrong[4] += factor * o.of("data")[8192 + 17] * o.of("weight")[8192 + 17];
            assertThat(ResultCheck.of(s, o, wrong, 1))
                    .satisfies(c -> assertThat(c.passed()).isFalse())
                    .satisfies(c -> assertThat(c.where()).isEqualTo(4));
        }
        float[] hole = right.clone();
        hole[5] = ResultCheck.POISON;
        assertThat(ResultCheck.of(s, o, hole, 1).error()).isInfinite();
    }
}
