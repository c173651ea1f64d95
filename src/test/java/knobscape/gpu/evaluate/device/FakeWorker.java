package knobscape.gpu.evaluate.device;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import jcuda.CudaException;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.Reference;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.template.Schedule;
import knobscape.work.device.CompileException;

/// A worker whose device is made up: what a schedule does depends on the index of its configuration. The device
/// is gone once a file says so.
final class FakeWorker {
    private FakeWorker() {}

    /// @param arguments the file that says that the device is gone
    public static void main(String[] arguments) throws IOException {
        try (var out = new FileOutputStream(FileDescriptor.out);
                var in = new FileInputStream(FileDescriptor.in)) {
            out.write("a driver greets\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            Worker.serve(
                    () -> {
                        if (Files.exists(Path.of(arguments[0]))) {
                            throw new UserError("The device is gone.");
                        }
                        return new FakeBackend();
                    },
                    in,
                    out);
        }
    }

    /// Behaviour by index modulo 8: 1 refused by the compiler, 2 compiler hangs, 3 kernel hangs, 4 kernel kills
    /// the process, 5 device fails, 6 wrong, 0 right and fifty times as slow, else right.
    static final class FakeBackend implements Backend {
        @Override
        public DeviceInfo info() {
            return new DeviceInfo("fake", "a made-up GPU", "1", Provenance.Source.MEASURED, DeviceLimits.NVIDIA, "");
        }

        @Override
        public CompiledKernelHandle compile(Schedule schedule) {
            int what = (int) (schedule.source().space().indexOf(schedule.configuration()) % 8);
            if (what == 1) {
                throw new CompileException("line 3: no");
            }
            if (what == 2) {
                hang();
            }
            return new FakeKernels(schedule, what);
        }

        private static void hang() {
            while (true) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {}

        private static final class FakeKernels implements CompiledKernelHandle {
            private final Schedule schedule;
            private final int what;
            private final Random random = new Random(1);
            private Operands operands = Operands.NONE;

            private FakeKernels(Schedule schedule, int what) {
                this.schedule = schedule;
                this.what = what;
            }

            @Override
            public void load(Operands given) {
                operands = given;
            }

            @Override
            public double run(boolean flush) {
                switch (what) {
                    case 3 -> hang();
                    case 4 -> Runtime.getRuntime().halt(139);
                    case 5 -> throw new CudaException("CUDA_ERROR_ILLEGAL_ADDRESS");
                    default -> {}
                }
                return (what == 0 ? 50e-3 : 1e-3) * (1 + 0.01 * random.nextGaussian());
            }

            @Override
            public float[] output() {
                var reference = new Reference(schedule, operands);
                float[] all = new float
                        [(int) schedule.buffer(Schedule.Role.OUTPUT)
                                .orElseThrow()
                                .elements()];
                for (int i = 0; i < all.length; i++) {
                    all[i] = (float) reference.at(i).value();
                }
                if (what == 6) {
                    all[all.length / 2] += 0.25f;
                }
                return all;
            }

            @Override
            public void close() {}
        }
    }
}
