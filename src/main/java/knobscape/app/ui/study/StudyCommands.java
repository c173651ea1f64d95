package knobscape.app.ui.study;

import knobscape.app.ui.keyboard.Command;

/// Commands that export from a study.
final class StudyCommands {
    private static final String EXPORT = "Export";

    static final Command EXPORT_MENU = new Command("study.export", "Export", EXPORT, "Shortcut+E");
    static final Command COMMAND = new Command("study.command", "Copy the command line", EXPORT, "");
    static final Command HEADER = new Command("study.header", "C header\u2026", EXPORT, "");
    static final Command TRITON = new Command("study.triton", "Copy as triton.Config", EXPORT, "");
    static final Command VLLM = new Command("study.vllm", "Best as vLLM's fused-MoE JSON\u2026", EXPORT, "");
    static final Command CSV = new Command("study.csv", "Configurations shown as CSV", EXPORT, "");
    static final Command JSON = new Command("study.json", "Configurations shown as JSON", EXPORT, "");

    private StudyCommands() {}
}
