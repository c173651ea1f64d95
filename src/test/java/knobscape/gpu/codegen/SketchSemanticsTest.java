package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.task.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Loop nests of random annotations of every sketch, run as they are defined.
class SketchSemanticsTest {
    private static final int EACH = Integer.getInteger("knobscape.nests.each", 1);

    static List<Workload> work() {
        return WorkSamples.sketched();
    }

    @ParameterizedTest
    @MethodSource("work")
    void nestsComputeTheWork(Workload work) {
        SketchSource source = SketchSource.of(work).orElseThrow();
        var random = new Random(work.id().hashCode());
        List<Epilogue> tails = WorkSamples.epilogues(work);
        for (int a = 0; a < source.sketches().size(); a++) {
            int done = 0;
            for (int tries = 0; done < EACH && tries < 20_000; tries++) {
                var c = source.space().draw(a, random);
                if (source.obstacle(c).isPresent()) {
                    continue;
                }
                Schedule s = source.schedule(c, tails.get(random.nextInt(tails.size())));
                if (s.check(DeviceLimits.NVIDIA).isPresent()) {
                    continue;
                }
                done++;
                Operands operands = Operands.random(s, tries);
                ResultCheck check = ResultCheck.of(s, operands, NestInterpreter.run(s, operands), tries);
                assertThat(check.passed())
                        .as(() -> source.id() + " " + c + ": " + check + "\n" + s.main())
                        .isTrue();
            }
            assertThat(done).as(source.id() + " sketch " + a).isEqualTo(EACH);
        }
    }
}
