package floorsfixture.app.ui;

import floorsfixture.app.cli.Verb;

/// Breaks the floors: the window knows the command line.
public record LooksAtCli(Verb verb) {}
