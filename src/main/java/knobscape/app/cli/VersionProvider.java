package knobscape.app.cli;

import knobscape.app.system.Installation;
import picocli.CommandLine.IVersionProvider;

/// The version for picocli.
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"knobscape " + Installation.version()};
    }
}
