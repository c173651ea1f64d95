package floorsfixture.gpu;

import floorsfixture.hls.directive.Plain;

/// Breaks the floors: one kind of work knows another.
public record Sideways(Plain value) {}
