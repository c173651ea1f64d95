package housefixture;

/// A circle of six classes, one of which takes its maker, and a wide record.
final class Ring {
    record Wide(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {}

    final A first = new A();

    private Ring() {}
}

final class A {
    final B next = new B(this);
}

final class B {
    final A maker;
    final C next = new C();

    B(A maker) {
        this.maker = maker;
    }
}

final class C {
    final D next = new D();
}

final class D {
    final E next = new E();
}

final class E {
    final F next = new F();
}

final class F {
    final A next = new A();
}
