package knobscape.app.cli;

import knobscape.project.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/// The version for picocli.
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"knobscape " + ProgramVersion.current()};
    }
}
