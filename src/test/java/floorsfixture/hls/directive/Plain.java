package floorsfixture.hls.directive;

/// Breaks nothing.
public record Plain(int value) {}
