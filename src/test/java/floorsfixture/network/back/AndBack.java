package floorsfixture.network.back;

/// Breaks the rule against circles of packages: comes back.
public record AndBack(java.util.List<floorsfixture.network.there.There> next) {}
