package knobscape.hls.source.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.cdt.CdtExactReader;
import knobscape.hls.source.exact.ExactProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What runs compute, and how they end where C says nothing or the source says something that is not held.
class InterpreterTest {
    @TempDir
    Path folder;

    private ExactProgram program(String code) throws IOException {
        Path file = folder.resolve("k.cpp");
        Files.writeString(file, code);
        return CdtExactReader.read(file, "f", new Options(Optional.of("f"), List.of(), Map.of()));
    }

    private static byte[] ints(int... values) {
        var b = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int v : values) {
            b.putInt(v);
        }
        return b.array();
    }

    private long run(String code, int... arguments) throws IOException {
        Outcome o = Interpreter.run(
                program(code),
                java.util.Arrays.stream(arguments)
                        .mapToObj(InterpreterTest::ints)
                        .toList(),
                Limits.defaults());
        assertThat(o.stopped()).isEmpty();
        byte[] big = o.result().clone();
        for (int i = 0; i < big.length / 2; i++) {
            byte b = big[i];
            big[i] = big[big.length - 1 - i];
            big[big.length - 1 - i] = b;
        }
        return new BigInteger(big).longValue();
    }

    /// By the rules of C, worked out by hand.
    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "unsigned char c = x; c += 200; return c; @ 100 @ 44",
                "signed char c = x; return c >> 1; @ 255 @ -1",
                "unsigned u = x; return u / 2 > 0x7fffffffu - 1; @ -1 @ 1",
                "return -1 < 1u; @ 0 @ 0",
                "return x % 3; @ -7 @ -1",
                "return (x & 1) ? ~x : !x; @ 6 @ 0",
                "short s = 30000; s += s; return s; @ 0 @ -5536",
                "int i = x; int a[3] = {1, 2, 3}; a[i++] = 9; return a[0] * 10 + i; @ 0 @ 91",
                "int i = 0, n = 0; while (true) { if (i == 5) break; i++; if (i & 1) continue; n += i; } return n; @ 0 @ 6",
                "switch (x) { case 1: return 10; case 2: x = 5; default: x += 1; break; case 3: x = 0; } return x; @ 2 @ 6",
                "struct P { char c; int v[2]; } p = {1, {2, 3}}, q = p; q.v[1] = 7; return p.v[1] * 10 + q.v[1]; @ 0 @ 37",
                "int y = 3; int &r = y; r += x; return y; @ 4 @ 7",
                "union { float f; unsigned u; } v; v.f = 1.0f; return v.u >> 23; @ 0 @ 127",
                "return (int) (0.1f * 10.0f == 1.0) + (int) (float) 16777217 - 16777216; @ 0 @ 1",
                "int *p = &x; p[0] += 2; return *p; @ 5 @ 7",
                "long long v = 1LL << 40; return (int) (v >> 38) + sizeof(short); @ 0 @ 6",
            })
    void computesAsC(String body, int x, long expected) throws IOException {
        assertThat(run("int f(int x) { " + body + " }", x)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "return 5 / x; @ 0 @ divides by zero",
                "int a[4] = {}; return a[x]; @ 4 @ reaches byte 16 of 'a', which has 16",
                "return 1 << x; @ 32 @ shifts a value of 32 bits by 32",
                "while (x) {} return 0; @ 1 @ takes more than 1000 steps",
                "return f(x); @ 1 @ 1000",
                "return (int) (1e20 * x); @ 1 @ does not fit",
                "int *p = 0; return *p; @ 1 @ uses the null pointer",
            })
    void stopsWhereCIsUndefined(String body, int x, String reason) throws IOException {
        Outcome o = Interpreter.run(
                program("int f(int x) {\n" + body + " }"),
                List.of(ints(x)),
                Limits.defaults().steps(1000));
        assertThat(o.stopped())
                .hasValueSatisfying(s -> assertThat(s).contains("k.cpp:2").contains(reason));
    }

    @Test
    void namesWhatItCannotHold() throws IOException {
        ExactProgram p = program("struct B { int a : 3; };\nint f(int x) {\n  if (x) {\n    B b;\n  }\n"
                + "  long double d = x;\n  goto end;\nend:\n  return x;\n}");
        assertThat(p.unsupported().stream().map(u -> u.location().line() + " " + u.what()))
                .containsExactly("4 a bit field", "6 long double", "7 'goto end;'");
        Outcome o = Interpreter.run(p, List.of(ints(0)), Limits.defaults());
        assertThat(o.stopped())
                .hasValueSatisfying(s -> assertThat(s).contains(":6: the run is not executable: long double"));
    }

    /// A type that no header declares has no name of its own: it is never shown as an object of the parser.
    @Test
    void aTypeThatNothingDeclaresIsNamedInWords() throws IOException {
        ExactProgram p =
                program("int f(int x) {\n  if (x) {\n    FILE *g = 0;\n    Missing::type h;\n  }\n  return x;\n}");
        assertThat(p.unsupported().stream().map(u -> u.location().line() + " " + u.what()))
                .containsExactly("3 a type that is not known", "4 a type that is not known");
    }

    /// What only a run knows is no constant: said as such, however the interpreter that tries it fails.
    @Test
    void aVariableWhereAConstantIsAskedForIsNamed() throws IOException {
        ExactProgram p = program("int f(int x) {\n  int n = x;\n  int a[n];\n  return 0;\n}");
        assertThat(p.unsupported().stream().map(u -> u.location().line() + " " + u.what()))
                .containsExactly("3 'n' as a constant");
    }

    @Test
    void canBeCancelled() throws IOException {
        Outcome o = Interpreter.run(
                program("int f(int x) { for (;;) x++; }"),
                List.of(ints(0)),
                new Limits(Long.MAX_VALUE, 1 << 20, 10, () -> true));
        assertThat(o.stopped()).hasValueSatisfying(s -> assertThat(s).contains("was cancelled"));
    }

    @Test
    void anInterruptionOfWhoeverWaitsEndsIt() throws IOException {
        ExactProgram endless = program("int f(int x) { for (;;) x++; }");
        Thread.currentThread().interrupt();
        Outcome o = Interpreter.run(endless, List.of(ints(0)), Limits.defaults().steps(Long.MAX_VALUE));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(o.stopped()).hasValueSatisfying(s -> assertThat(s).contains("was cancelled"));
    }

    /// A thousand calls in one another fit, whatever the stack of whoever asks.
    @Test
    void aSmallStackOfTheCallerDoesNotMatter() throws Exception {
        ExactProgram deep = program("int f(int x) { return x ? 1 + f(x - 1) : 0; }");
        var said = new AtomicReference<Optional<String>>();
        Thread small = new Thread(
                null,
                () -> said.set(Interpreter.run(deep, List.of(ints(900)), Limits.defaults())
                        .stopped()),
                "small",
                256 << 10);
        small.start();
        small.join();
        assertThat(said.get()).isEmpty();
    }

    @Test
    void countsIterationsOfEachEntry() throws IOException {
        Outcome o = Interpreter.run(
                program(
                        "int f(int x) {\n  int n = 0;\n  for (int i = 0; i < 4; i++)\n    for (int j = 0; j < i * x; j++) n++;\n"
                                + "  return n;\n}"),
                List.of(ints(2)),
                Limits.defaults());
        assertThat(o.trips().entrySet().stream()
                        .map(e -> e.getKey().line() + ": " + e.getValue())
                        .toList())
                .containsExactlyInAnyOrder("3: " + new Trips(1, 4, 4, 4), "4: " + new Trips(4, 0, 6, 12));
        assertThat(o.trips().values().stream().mapToDouble(Trips::mean)).contains(3.0);
    }
}
