package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import knobscape.gpu.template.Epilogue;
import knobscape.gpu.template.Schedule;
import knobscape.gpu.template.Template;
import knobscape.network.task.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loop nests of random valid configurations, run by an interpreter that knows nothing of C, compute what the work is defined as, without races.
class NestSemanticsTest {
    @ParameterizedTest
    @ValueSource(strings = {"direct", "depthwise", "winograd", "dense-small", "dense-large", "batch-matmul"})
    void nestsComputeTheWork(String name) {
        var random = new Random(name.hashCode());
        for (Workload work : Samples.work().get(name)) {
            Template template = Template.of(work, name);
            List<Epilogue> epilogues = Samples.epilogues();
            for (int i = 0; i < 8; i++) {
                Schedule s = Samples.valid(template, epilogues.get(i % epilogues.size()), random);
                Operands operands = Operands.random(s, i);
                ResultCheck check = ResultCheck.of(s, operands, NestInterpreter.run(s, operands), i);

                assertThat(check.passed()).as(() -> template.id() + " " + s.configuration() + ": " + check + "\n" + s.main()).isTrue();
            }
        }
    }
}
