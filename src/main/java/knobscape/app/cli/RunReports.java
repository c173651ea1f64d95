package knobscape.app.cli;

import knobscape.work.Area;

/// The report of each area's runs.
final class RunReports {
    private RunReports() {}

    /// The report of an area's runs: the front, where it has nothing of its own to say.
    static RunReport of(CommandContext context, Area area) {
        return switch (area.kind()) {
            case "gpu" -> new TuneReport(context);
            case "fusion" -> new FuseReport(context.here());
            case "study" -> new StudyReport();
            default -> new FrontReport();
        };
    }
}
