package knobscape.fusion.search.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.source.Accelerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainingJobTest {
    private static final CancellationSignal NEVER = new CancellationSignal();

    @TempDir
    private Path folder;

    private static TrainingJob job(Architecture.Kind kind, int steps) {
        var curriculum =
                new Curriculum(List.of(FusionSamples.zoo("alexnet")), Accelerator.calibrated(), List.of(16), 0, 12, 3);
        return new TrainingJob(
                SequenceModelTest.small(kind),
                new SequenceTraining.Settings(steps, 2, 0.01, 4),
                curriculum,
                Optional.empty(),
                "knobscape fusion-train alexnet");
    }

    @ParameterizedTest
    @EnumSource
    void aStoppedTrainingContinuesAsIfNothingHadHappened(Architecture.Kind kind) {
        SequenceModelTest.needsTorch();
        Path file = folder.resolve("stopped.seq");
        var curve = new ArrayList<Double>();
        var cancel = new CancellationSignal();
        assertThatThrownBy(() -> job(kind, 12)
                        .run(
                                file,
                                e -> {
                                    if (e instanceof TrainingJob.Event.Step s) {
                                        curve.add(s.loss());
                                        if (s.step() == 5) {
                                            cancel.cancel();
                                        }
                                    }
                                },
                                cancel))
                .isInstanceOf(CancellationException.class);
        assertThat(ModelFile.isUnfinished(file)).isTrue();
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not finished");
        assertThatThrownBy(() -> job(kind, 13).run(file, e -> {}, NEVER))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("other settings");
        SequenceModel resumed = job(kind, 12)
                .run(
                        file,
                        e -> {
                            if (e instanceof TrainingJob.Event.Step s) {
                                curve.add(s.loss());
                            }
                        },
                        NEVER);
        var undisturbedCurve = new ArrayList<Double>();
        SequenceModel undisturbed = job(kind, 12)
                .run(
                        folder.resolve("whole.seq"),
                        e -> {
                            if (e instanceof TrainingJob.Event.Step s) {
                                undisturbedCurve.add(s.loss());
                            }
                        },
                        NEVER);
        assertThat(resumed.weights()).containsExactly(undisturbed.weights());
        assertThat(curve).isEqualTo(undisturbedCurve);
        assertThat(ModelFile.read(file).weights()).containsExactly(resumed.weights());
        assertThat(ModelFile.read(file).provenance())
                .isEqualTo(new SequenceModel.Provenance("knobscape fusion-train alexnet", List.of("alexnet"), 12, 4));
        assertThatThrownBy(() -> job(kind, 12).run(file, e -> {}, NEVER))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("already holds a finished model");
    }

    @Test
    void fineTuningTakesATenthOfTheStepsAndBeginsWithTheModel() {
        SequenceModelTest.needsTorch();
        SequenceModel base = job(Architecture.Kind.SEQ2SEQ, 3).run(e -> {}, NEVER);
        var curriculum =
                new Curriculum(List.of(FusionSamples.zoo("vgg11")), Accelerator.calibrated(), List.of(8), 0, 4, 1);
        TrainingJob fine = TrainingJob.fineTuning(base, curriculum, 30, 2, "x");
        assertThat(fine.settings().steps()).isEqualTo(3);
        SequenceModel tuned = fine.run(e -> {}, NEVER);
        assertThat(tuned.weights()).isNotEqualTo(base.weights());
        double moved = 0;
        double size = 0;
        for (int i = 0; i < tuned.weights().length; i++) {
            moved += Math.pow(tuned.weights()[i] - base.weights()[i], 2);
            size += Math.pow(base.weights()[i], 2);
        }
        assertThat(moved).isLessThan(0.05 * size);
        assertThat(tuned.provenance().steps()).isEqualTo(6);
        assertThat(tuned.provenance().networks()).containsExactly("alexnet", "vgg11");
    }

    @Test
    void testedBuffersAreNotTaught() {
        var curriculum =
                new Curriculum(List.of(FusionSamples.zoo("alexnet")), Accelerator.calibrated(), List.of(64), 0, 300, 1);
        for (Lesson l : curriculum.write(n -> {}, NEVER)) {
            // The buffer a sample, in MB.
            double megabytes = 64.0 * l.states()[0][6];
            for (double tested : new double[] {20, 25, 30, 35, 40, 45, 55}) {
                assertThat(Math.abs(megabytes - tested)).isGreaterThan(0.49);
            }
        }
        List<Lesson> again = curriculum.write(n -> {}, NEVER);
        assertThat(again.get(17).states())
                .isDeepEqualTo(curriculum.write(n -> {}, NEVER).get(17).states());
    }

    @ParameterizedTest
    @EnumSource
    void aModelComesBackFromItsFile(Architecture.Kind kind) {
        Architecture a = SequenceModelTest.small(kind);
        var model = new SequenceModel(
                a,
                a.initial(11),
                new SequenceModel.Provenance("knobscape fusion-train é \"x\"", List.of("one", "two"), 7, -5));
        Path file = folder.resolve("m.seq");
        ModelFile.write(file, model);
        SequenceModel back = ModelFile.read(file);
        assertThat(back.architecture()).isEqualTo(a);
        assertThat(back.weights()).containsExactly(model.weights());
        assertThat(back.provenance()).isEqualTo(model.provenance());
    }

    @Test
    void hostileFilesAreRefusedWithASentence() throws IOException {
        Architecture a = SequenceModelTest.small(Architecture.Kind.DNNFUSER);
        Path good = folder.resolve("good.seq");
        ModelFile.write(good, new SequenceModel(a, a.initial(1), new SequenceModel.Provenance("", List.of(), 0, 0)));
        byte[] bytes = Files.readAllBytes(good);
        String header =
                new String(bytes, StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
        refused(new byte[0], "is no sequence model");
        refused(new byte[200_000], "is no sequence model");
        refused("{}\n".getBytes(StandardCharsets.UTF_8), "format");
        refused("hello\n".getBytes(StandardCharsets.UTF_8), "not valid JSON");
        refused(java.util.Arrays.copyOf(bytes, bytes.length - 4), "damaged");
        refused(java.util.Arrays.copyOf(bytes, bytes.length + 400), "damaged");
        refused(changed(bytes, header, "\"width\":16", "\"width\":2000000000"), "width");
        refused(changed(bytes, header, "\"width\":16", "\"width\":32"), "numbers where");
        refused(changed(bytes, header, "\"heads\":2", "\"heads\":3"), "heads");
        refused(changed(bytes, header, "\"heads\":2", "\"heads\":0"), "heads");
        refused(changed(bytes, header, "\"blocks\":2", "\"blocks\":1e9"), "blocks");
        refused(changed(bytes, header, "\"encoding\":1", "\"encoding\":2"), "another encoding");
        refused(changed(bytes, header, "\"dnnfuser\"", "\"gpt\""), "dnnfuser, seq2seq or dnnfuser-published");
        refused(changed(bytes, header, "\"numbers\":", "\"numbers\":-"), "numbers");
        refused(changed(bytes, header, "\"networks\":[]", "\"networks\":3"), "networks");
        var random = new SplittableRandom(1);
        for (int k = 0; k < 300; k++) {
            byte[] broken = bytes.clone();
            broken[random.nextInt(header.length() + 400)] ^= (byte) (1 << random.nextInt(8));
            Path file = folder.resolve("broken.seq");
            Files.write(file, broken);
            try {
                ModelFile.read(file);
            } catch (UserError e) {
                assertThat(e.getMessage()).contains("broken.seq").endsWith(".");
            }
        }
        assertThatThrownBy(() -> ModelFile.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("folder");
        assertThatThrownBy(() -> ModelFile.read(folder.resolve("none.seq")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no file");
    }

    private static byte[] changed(byte[] bytes, String header, String from, String to) {
        assertThat(header).contains(from);
        byte[] line = header.replace(from, to).getBytes(StandardCharsets.UTF_8);
        int rest = bytes.length - header.getBytes(StandardCharsets.UTF_8).length;
        byte[] all = java.util.Arrays.copyOf(line, line.length + rest);
        System.arraycopy(bytes, bytes.length - rest, all, line.length, rest);
        return all;
    }

    private void refused(byte[] content, String why) throws IOException {
        Path file = folder.resolve("hostile.seq");
        Files.write(file, content);
        assertThatThrownBy(() -> ModelFile.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(why)
                .hasMessageEndingWith(".");
    }
}
