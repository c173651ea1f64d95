package knobscape.app.ui.gpu;

import knobscape.app.ui.keyboard.Command;

/// The commands of GPU schedules.
final class GpuCommands {
    private static final String RUN = "Run";
    private static final String DESIGN = "Schedule";
    private static final String EXPORT = "Export";

    static final Command NEXT = new Command("gpu.next", "Next task", DESIGN, "Alt+Down");
    static final Command PREVIOUS = new Command("gpu.previous", "Previous task", DESIGN, "Alt+Up");
    static final Command EXPORT_MENU = new Command("gpu.export", "Export menu", EXPORT, "Shortcut+E");
    static final Command CUDA = new Command("gpu.cuda", "Selected kernel as CUDA", EXPORT, "");
    static final Command OPENCL = new Command("gpu.opencl", "Selected kernel as OpenCL", EXPORT, "");
    static final Command ALL_CUDA = new Command("gpu.cuda.all", "Best kernels of all tasks as CUDA", EXPORT, "");
    static final Command ALL_OPENCL = new Command("gpu.opencl.all", "Best kernels of all tasks as OpenCL", EXPORT, "");
    static final Command JSON = new Command("gpu.json", "Schedule as JSON", EXPORT, "");
    static final Command LOG = new Command("gpu.log", "Log of all measurements as JSON lines", EXPORT, "");
    static final Command AUTOTVM = new Command("gpu.autotvm", "Log of all measurements for AutoTVM", EXPORT, "");
    static final Command IMPORT = new Command("gpu.import", "Import an AutoTVM log as a run", RUN, "");
    static final Command REPLAY = new Command("gpu.replay", "Tune on measured kernels of a file", RUN, "");
    static final Command CSV = new Command("gpu.csv", "Table of tasks as CSV", EXPORT, "");
    static final Command PNG = new Command("gpu.png", "Figure as PNG", EXPORT, "");
    static final Command SVG = new Command("gpu.svg", "Figure as SVG", EXPORT, "");

    private GpuCommands() {}
}
