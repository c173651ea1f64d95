package floorsfixture.app.ui;

import floorsfixture.app.cli.FixtureVerb;

/// Breaks the floors: the window knows the command line.
public record LooksAtCli(FixtureVerb verb) {}
