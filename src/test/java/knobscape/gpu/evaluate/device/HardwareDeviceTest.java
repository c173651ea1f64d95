package knobscape.gpu.evaluate.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.Measurement.Failure;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A device in a process of its own, whatever happens to that process.
class HardwareDeviceTest {
    private static final Template TEMPLATE = Templates.of(new Workload.Conv2d(
                    ElementType.FLOAT32,
                    1,
                    4,
                    8,
                    8,
                    8,
                    new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                    new Workload.Conv2d.Padding(1, 1, 1, 1),
                    1))
            .getFirst();
    private static final MeasureSettings SETTINGS =
            new MeasureSettings(new MeasureSettings.Repetitions(1, 5, 20, 0.02, 1), 6, 6, true, 4, 7);

    @TempDir
    Path folder;

    private HardwareDevice fake() {
        return new HardwareDevice(
                () -> Link.process(
                        FakeWorker.class, List.of(folder.resolve("gone").toString())),
                SETTINGS);
    }

    /// A valid schedule whose index modulo 8 is `what`.
    private static Schedule schedule(int what) {
        for (long i = what; i < TEMPLATE.space().count(); i += 8) {
            Schedule s = TEMPLATE.schedule(TEMPLATE.space().at(i));
            if (s.check(DeviceLimits.NVIDIA).isEmpty()) {
                return s;
            }
        }
        throw new AssertionError();
    }

    private static Failure failure(Measurement m) {
        return ((Measurement.Failed) m).failure();
    }

    @Tag("slow")
    @Test
    void everythingThatGoesWrongIsAnOutcomeAndTheNextScheduleRuns() {
        try (HardwareDevice device = fake()) {
            var cancel = new CancellationSignal();
            assertThat(device.info().hardware()).isEqualTo("a made-up GPU");
            assertThat(device.measure(schedule(1), cancel))
                    .isInstanceOfSatisfying(
                            Measurement.Failed.class,
                            m -> assertThat(m.reason()).isEqualTo("line 3: no"));
            assertThat(device.measure(schedule(2), cancel))
                    .extracting(HardwareDeviceTest::failure)
                    .isEqualTo(Failure.BUILD_TIMEOUT);
            assertThat(device.measure(schedule(3), cancel))
                    .extracting(HardwareDeviceTest::failure)
                    .isEqualTo(Failure.RUN_TIMEOUT);
            assertThat(device.measure(schedule(4), cancel))
                    .isInstanceOfSatisfying(
                            Measurement.Failed.class,
                            m -> assertThat(m.reason()).contains("status 139"));
            assertThat(device.measure(schedule(5), cancel))
                    .isInstanceOfSatisfying(
                            Measurement.Failed.class,
                            m -> assertThat(m.reason()).contains("ILLEGAL_ADDRESS"));
            assertThat(device.measure(schedule(6), cancel))
                    .isInstanceOfSatisfying(
                            Measurement.Failed.class,
                            m -> assertThat(m.sentence()).startsWith("Its result is wrong: error "));
            assertThat(device.measure(schedule(7), cancel)).isInstanceOfSatisfying(Measurement.Timed.class, m -> {
                assertThat(m.mean()).isBetween(0.98e-3, 1.02e-3);
                assertThat(m.halfWidth()).isLessThan(0.02 * m.mean());
                assertThat(m.repeats()).hasSizeBetween(5, 20);
                assertThat(m.checked()).isTrue();
            });
        }
    }

    @Tag("slow")
    @Test
    void aDeviceThatDisappearsIsOneSentence() throws Exception {
        try (HardwareDevice device = fake()) {
            assertThat(device.measure(schedule(7), new CancellationSignal())).isInstanceOf(Measurement.Timed.class);
            Files.createFile(folder.resolve("gone"));
            assertThat(device.measure(schedule(4), new CancellationSignal()))
                    .extracting(HardwareDeviceTest::failure)
                    .isEqualTo(Failure.RUN);
            assertThatThrownBy(() -> device.measure(schedule(7), new CancellationSignal()))
                    .isInstanceOf(UserError.class)
                    .hasMessage("The device is gone.");
        }
    }

    /// Once something has run, what is clearly slow is run once, and what does not come back is given up long before
    /// the
    /// time that a first kernel has.
    @Test
    void theSlowAreGivenUpEarly() {
        try (HardwareDevice device = fake()) {
            var cancel = new CancellationSignal();
            assertThat(device.measure(schedule(0), cancel))
                    .isInstanceOfSatisfying(
                            Measurement.Timed.class,
                            m -> assertThat(m.repeats()).hasSizeGreaterThan(4));
            assertThat(device.measure(schedule(7), cancel)).isInstanceOf(Measurement.Timed.class);
            assertThat(device.measure(schedule(0), cancel)).isInstanceOfSatisfying(Measurement.Timed.class, m -> {
                assertThat(m.repeats()).hasSize(1);
                assertThat(m.mean()).isBetween(40e-3, 60e-3);
            });
            assertThat(device.measure(schedule(3), cancel)).isInstanceOfSatisfying(Measurement.Failed.class, m -> {
                assertThat(m.failure()).isEqualTo(Failure.RUN_TIMEOUT);
                assertThat(m.sentence()).startsWith("It was given up after a run of 2.0 s; the fastest so far takes ");
                assertThat(m.costSeconds()).isLessThan(5);
            });
        }
    }

    @Test
    void stoppingActsWhileAKernelHangs() {
        try (HardwareDevice device = fake()) {
            var cancel = new CancellationSignal();
            Thread.ofVirtual().start(() -> {
                try {
                    Thread.sleep(300);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                cancel.cancel();
            });
            assertThatThrownBy(() -> device.measure(schedule(3), cancel)).isInstanceOf(CancellationException.class);
        }
    }

    /// What a search sees; a thread stands for the process here.
    @Test
    void asAnEvaluator() {
        try (var device = new HardwareDevice(
                () -> Link.thread(FakeWorker.FakeBackend::new),
                new MeasureSettings(new MeasureSettings.Repetitions(1, 5, 20, 0.02, 1), 6, 6, true, 1, 7))) {
            var evaluator = new ScheduleEvaluator(TEMPLATE, Epilogue.NONE, device);

            assertThat(evaluate(evaluator, schedule(7))
                            .value(ScheduleEvaluator.TIME)
                            .orElseThrow())
                    .isBetween(0.98, 1.02);
            assertThat(evaluate(evaluator, schedule(7))
                            .value(ScheduleEvaluator.GFLOPS)
                            .orElseThrow())
                    .isBetween(
                            TEMPLATE.workload().flops() / 1.02e6,
                            TEMPLATE.workload().flops() / 0.98e6);
            assertThat(evaluate(evaluator, schedule(1)).outcome())
                    .isEqualTo(new Outcome.Failure(FailureKind.REJECTED, "The compiler refused it: line 3: no"));
            assertThat(evaluate(evaluator, schedule(6)).outcome()).isInstanceOf(Outcome.Failure.class);
            assertThat(evaluate(evaluator, schedule(5)).outcome())
                    .isEqualTo(new Outcome.Failure(
                            FailureKind.CRASHED, "It failed on the device: CUDA_ERROR_ILLEGAL_ADDRESS"));
        }
    }

    private static Evaluation evaluate(ScheduleEvaluator evaluator, Schedule s) {
        return evaluator
                .evaluate(s.configuration(), evaluator.info().top(), new CancellationSignal())
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"vulkan", "opencl:x", "cuda:-1", "", "opencl:99999"})
    void unknownDevicesAreRefusedInWords(String name) {
        assertThatThrownBy(() -> HardwareDevice.open(name, SETTINGS))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("opencl");
    }

    @Tag("slow")
    @Test
    void anOpenClDeviceMeasures() {
        OpenClTest.assumeOpenCl();
        try (HardwareDevice device = HardwareDevice.open("opencl", MeasureSettings.DEFAULT)) {
            Measurement m = device.measure(schedule(7), new CancellationSignal());

            assertThat(m)
                    .isInstanceOfSatisfying(
                            Measurement.Timed.class,
                            t -> assertThat(t.checked()).isTrue());
            assertThat(device.info().caution())
                    .satisfiesAnyOf(
                            c -> assertThat(c).isEmpty(), c -> assertThat(c).contains("say nothing about GPUs"));
        }
    }
}
