package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.List;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.RunStatus;
import knobscape.work.RunSettings;

/// A run as the window shows it.
///
/// @param id number of the run in its project, 0 while it is being set up
/// @param what what it tunes
/// @param how how it tunes
/// @param status how it stands
/// @param kernels how its kernels stand
record Tuning(long id, GpuSettings what, RunSettings how, RunStatus status, List<KernelState> kernels) {
    /// What stands for the method of a run that was imported.
    static final String LOG = "log";

    /// `BTED+BAO, seed 1, model:gtx1080ti`.
    String title() {
        return title(how);
    }

    static String title(RunSettings how) {
        return how.method().equals(LOG)
                ? "Log " + how.toolchain().replaceFirst("^log:", "")
                : label(how.method()) + ", seed " + how.seed() + ", " + device(how.toolchain());
    }

    /// What runs that differ in their seed alone have in common: `BTED+BAO, model:gtx1080ti`.
    String group() {
        return isLog() ? title() : label(how.method()) + ", " + device();
    }

    /// Whether it is an imported log.
    boolean isLog() {
        return how.method().equals(LOG);
    }

    String device() {
        return device(how.toolchain());
    }

    /// The same with other kernels.
    Tuning with(RunStatus now, List<KernelState> states) {
        return new Tuning(id, what, how, now, states);
    }

    /// Label of a method; the name itself where no method has it.
    static String label(String method) {
        return new GpuArea().methods().label(method);
    }

    /// A device without the folder of its file.
    static String device(String device) {
        return device.startsWith(TunableNetwork.REPLAY)
                ? TunableNetwork.REPLAY
                        + Path.of(device.substring(TunableNetwork.REPLAY.length()))
                                .getFileName()
                : device;
    }
}
