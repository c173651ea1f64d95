package floorsfixture.space;

/// Breaks the floors: floor 1 knows floor 4.
public record Upward(floorsfixture.hls.directive.Plain value) {}
