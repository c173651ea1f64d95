package floorsfixture.app.ui.run;

import floorsfixture.hls.directive.Plain;

/// Breaks the floors: what all areas share knows one of them.
public record KnowsAnArea(Plain plain) {}
