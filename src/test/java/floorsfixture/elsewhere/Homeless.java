package floorsfixture.elsewhere;

/// Breaks the floors: its package stands on none.
public record Homeless(int value) {}
