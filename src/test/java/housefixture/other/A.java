package housefixture.other;

/// Has a name that another class has.
final class A {
    private A() {}
}
