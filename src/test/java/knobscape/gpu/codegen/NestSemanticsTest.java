package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
            case NestStatement.Store _, NestStatement.Barrier _ -> s;
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
