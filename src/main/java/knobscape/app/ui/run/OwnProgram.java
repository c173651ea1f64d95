package knobscape.app.ui.run;

import java.util.Optional;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.project.ProgramConsent;
import knobscape.project.Project;

/// A program that a project names as its own tool: the first time it would be started, the person is asked.
public final class OwnProgram {
    private OwnProgram() {}

    /// True if a toolchain may run in a project. Where its program was not agreed to, a message asks.
    ///
    /// @param then done once the person has said yes
    public static boolean mayStart(Messages messages, Project project, String toolchain, Runnable then) {
        Optional<String> program = ProgramConsent.missing(project, toolchain);
        program.ifPresent(p -> messages.show(new Message(
                Message.Kind.WARNING,
                "The project '" + project.name() + "' names the program '" + p
                        + "' as its tool. It was not started; look at it first (asked once).",
                Optional.of(new Message.Action("Start it", () -> {
                    ProgramConsent.give(project.runsFolder(), p);
                    then.run();
                })))));
        return program.isEmpty();
    }
}
