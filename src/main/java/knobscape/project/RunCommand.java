package knobscape.project;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import knobscape.network.source.NetworkNames;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// The command line that repeats a run.
final class RunCommand {
    private RunCommand() {}

    /// `knobscape explore PROJECT --method ...`, with everything that could differ from another machine's
    /// defaults spelt out.
    static String of(Project project, WorkSettings work, RunSettings run) {
        Area area = Areas.standard().of(work);
        boolean bare = project.folder().equals(project.runsFolder()) && project.isScratch();
        var words = new ArrayList<String>(List.of(
                "knobscape",
                area.verb(),
                !bare
                        ? project.folder().toString()
                        : work.source().startsWith(NetworkNames.ZOO)
                                ? work.source()
                                : project.source().toString()));
        words.addAll(area.command(new Area.Work(work, run), project.file().work(), project));
        if (project.isScratch()) {
            words.addAll(List.of("--out", project.runsFolder().toString()));
        }
        return words.stream().map(RunCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./\\\\-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
