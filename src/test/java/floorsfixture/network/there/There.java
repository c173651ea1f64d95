package floorsfixture.network.there;

/// Breaks the rule against circles of packages: goes to another package, which comes back.
public record There(java.util.List<floorsfixture.network.back.AndBack> next) {}
