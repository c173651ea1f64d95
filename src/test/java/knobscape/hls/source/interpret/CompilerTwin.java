package knobscape.hls.source.interpret;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;

/// The program that a C or C++ compiler makes of a kernel, run on the same bytes as the interpreter.
final class CompilerTwin {
    /// Calls the kernel with parameters of any type: numbers and structures as they lie in memory, numbers of
    /// any width as sign-extended words.
    private static final String CPP = """
            #include <cstdio>
            #include <cstdlib>
            #include <cstring>
            #include <tuple>
            #include <type_traits>
            #include <utility>
            #define main kernel_main
            #include "%s"
            #undef main
            static unsigned char *in, *out;
            template<class T> struct Io {
                static void get(T &t) { memcpy((void *) &t, in, sizeof(T)); in += sizeof(T); }
                static void put(T &t) { memcpy(out, (void *) &t, sizeof(T)); out += sizeof(T); }
            };
            template<class T, size_t N> struct Io<T[N]> {
                static void get(T (&t)[N]) { for (auto &x : t) Io<typename std::remove_cv<T>::type>::get((typename std::remove_cv<T>::type &) x); }
                static void put(T (&t)[N]) { for (auto &x : t) Io<typename std::remove_cv<T>::type>::put((typename std::remove_cv<T>::type &) x); }
            };
            template<class T> struct Bare { typedef typename std::remove_cv<T>::type type; };
            template<class T, size_t N> struct Bare<const T[N]> { typedef typename Bare<T[N]>::type type; };
            #ifdef KNOBSCAPE_AP
            static inline size_t words(int w) { return w <= 8 ? 1 : w <= 16 ? 2 : w <= 32 ? 4 : (w + 63) / 64 * 8; }
            template<class T, int W> struct Ap {
                static void get(T &t) {
                    size_t n = words(W);
                    if (n <= 8) { unsigned long long v = 0; memcpy(&v, in, n); KNOBSCAPE_SET(t, v, W); }
                    #ifdef KNOBSCAPE_WIDE
                    else for (int i = 0; i < W; i++) t[i] = in[i / 8] >> (i %% 8) & 1;
                    #endif
                    in += n;
                }
                static void put(T &t) {
                    size_t n = words(W);
                    if (n <= 8) { long long v = KNOBSCAPE_GET(t, W); memcpy(out, &v, n); }
                    #ifdef KNOBSCAPE_WIDE
                    else for (size_t i = 0; i < n * 8; i++) { bool b = t[i < W ? i : W - 1]; if (i >= W && !T(-1).sign_bit(t)) b = 0; out[i / 8] = (out[i / 8] & ~(1 << i %% 8)) | b << i %% 8; }
                    #endif
                    out += n;
                }
            };
            template<int W> struct Io<ap_int<W>> : Ap<ap_int<W>, W> {};
            #ifdef KNOBSCAPE_UNSIGNED
            template<int W> struct Io<ap_uint<W>> : Ap<ap_uint<W>, W> {};
            #endif
            #endif
            template<class A> struct Argument { typedef typename std::remove_cv<A>::type T; T t; void get(size_t) { Io<T>::get(t); } A pass() { return t; } void put(size_t) { Io<T>::put(t); } };
            template<class P> struct Argument<P *> {
                typedef typename Bare<P>::type T; T *t;
                void get(size_t n) { t = (T *) calloc(n, sizeof(T)); for (size_t i = 0; i < n; i++) Io<T>::get(t[i]); }
                P *pass() { return t; }
                void put(size_t n) { for (size_t i = 0; i < n; i++) Io<T>::put(t[i]); }
            };
            template<class P> struct Argument<P &> {
                typedef typename Bare<P>::type T; T *t;
                void get(size_t) { t = (T *) calloc(1, sizeof(T)); Io<T>::get(*t); }
                P &pass() { return *t; }
                void put(size_t) { Io<T>::put(*t); }
            };
            static const size_t counts[] = {%s};
            template<class R, class... A, size_t... I> void run(R (*f)(A...), std::index_sequence<I...>) {
                std::tuple<Argument<A>...> a;
                int order[] = {0, (std::get<I>(a).get(counts[I]), 0)...};
                (void) order;
                if constexpr (std::is_void<R>::value) {
                    f(std::get<I>(a).pass()...);
                } else {
                    typename std::remove_cv<R>::type r = f(std::get<I>(a).pass()...);
                    Io<typename std::remove_cv<R>::type>::put(r);
                }
                int back[] = {0, (std::get<I>(a).put(counts[I]), 0)...};
                (void) back;
            }
            template<class R, class... A> void run(R (*f)(A...)) { run(f, std::index_sequence_for<A...>()); }
            int main(int, char **v) {
                size_t n = %d, m = %d;
                in = (unsigned char *) malloc(n + 1); out = (unsigned char *) calloc(m + 1, 1);
                unsigned char *from = out;
                FILE *i = fopen(v[1], "rb"); if (fread(in, 1, n, i) != n) return 3; fclose(i);
                run(%s);
                if (out != from + m) return 4;
                FILE *o = fopen(v[2], "wb"); fwrite(from, 1, m, o); fclose(o);
                return 0;
            }
            """;

    private CompilerTwin() {}

    /// Whether the compiler can be started.
    static boolean isThere(String compiler) {
        try {
            Process p = new ProcessBuilder(compiler, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return p.waitFor(20, TimeUnit.SECONDS) && p.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// The returned value's bytes and then those of all arguments after the call.
    ///
    /// @param folder for the files this makes
    /// @param flags for the compiler: folders, macros
    static byte[] run(
            Path folder, Path source, String top, ExactProgram program, List<byte[]> arguments, List<String> flags) {
        ExactFunction f = program.topFunction();
        boolean c = source.toString().endsWith(".c");
        int bytes = arguments.stream().mapToInt(a -> a.length).sum();
        int result = f.result() instanceof ExactType.Nothing ? 0 : f.result().size();
        var counts = new ArrayList<String>();
        for (int i = 0; i < f.parameters(); i++) {
            ExactType t = f.variables().get(i).type();
            counts.add(
                    t instanceof ExactType.Pointer p
                            ? String.valueOf(
                                    arguments.get(i).length / p.target().size())
                            : "1");
        }
        try {
            Path harness = folder.resolve(c ? "harness.c" : "harness.cpp");
            Files.writeString(
                    harness,
                    c
                            ? harness(source, top, f, arguments)
                            : CPP.formatted(
                                    source.toAbsolutePath(),
                                    String.join(", ", counts) + (counts.isEmpty() ? "0" : ""),
                                    bytes,
                                    bytes + result,
                                    top));
            var command = new ArrayList<>(List.of(c ? "gcc" : "g++", "-O1", "-fwrapv", "-ffp-contract=off", "-w"));
            command.add(c ? "-std=gnu11" : "-std=c++17");
            command.addAll(flags);
            command.addAll(
                    List.of(harness.toString(), "-o", folder.resolve("twin").toString(), "-lm"));
            start(command, folder, "compiler");
            return again(folder, arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the program that was compiled last in this folder gives for other arguments of the same sizes.
    static byte[] again(Path folder, List<byte[]> arguments) {
        try {
            Path input = folder.resolve("in.bin");
            Path output = folder.resolve("out.bin");
            Files.deleteIfExists(output);
            var all = new java.io.ByteArrayOutputStream();
            arguments.forEach(all::writeBytes);
            Files.write(input, all.toByteArray());
            start(List.of(folder.resolve("twin").toString(), input.toString(), output.toString()), folder, "program");
            return Files.readAllBytes(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(List<String> command, Path folder, String what) throws IOException {
        Path log = folder.resolve("log.txt");
        Process p = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!p.waitFor(120, TimeUnit.SECONDS)) {
                p.destroyForcibly();
                throw new IllegalStateException("the " + what + " did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (p.exitValue() != 0) {
            String said = Files.readString(log);
            throw new IllegalStateException("the " + what + " ended with " + p.exitValue() + ": "
                    + said.substring(0, Math.min(1500, said.length())));
        }
    }

    private static String harness(Path source, String top, ExactFunction f, List<byte[]> arguments) {
        var text = new StringBuilder(
                "#include <stdio.h>\n#include <stdlib.h>\n#include <stdint.h>\n#define main static kernel_main\n#include \""
                        + source.toAbsolutePath() + "\"\n#undef main\n"
                        + "static unsigned char *get(FILE *f, size_t n) { unsigned char *p = aligned_alloc(64, n / 64 * 64 + 64);"
                        + " if (fread(p, 1, n, f) != n) exit(3); return p; }\n"
                        + "int main(int c, char **v) {\n    FILE *f = fopen(v[1], \"rb\");\n");
        for (int i = 0; i < arguments.size(); i++) {
            text.append("    unsigned char *b%d = get(f, %d);\n".formatted(i, arguments.get(i).length));
        }
        String call = top + "("
                + java.util.stream.IntStream.range(0, arguments.size())
                        .mapToObj(i -> passed(f.variables().get(i), i))
                        .collect(Collectors.joining(", "))
                + ")";
        boolean nothing = f.result() instanceof ExactType.Nothing;
        text.append(nothing ? "    " + call + ";\n" : "    __auto_type r = " + call + ";\n");
        text.append("    FILE *o = fopen(v[2], \"wb\");\n");
        if (!nothing) {
            text.append("    fwrite(&r, 1, sizeof r, o);\n");
        }
        for (int i = 0; i < arguments.size(); i++) {
            text.append("    fwrite(b%d, 1, %d, o);\n".formatted(i, arguments.get(i).length));
        }
        return text.append("    fclose(o);\n    return 0;\n}\n").toString();
    }

    private static String passed(ExactVariable p, int i) {
        return switch (p.type()) {
            case ExactType.Pointer t -> "(void *) b" + i;
            case ExactType.Real r -> "*(" + (r.bits() == 32 ? "float" : "double") + " *) b" + i;
            case ExactType.Bool b -> "*(_Bool *) b" + i;
            case ExactType.Int n -> "*(" + (n.signed() ? "" : "u") + "int" + n.bits() + "_t *) b" + i;
            default -> throw new IllegalStateException("a parameter of type " + p.type());
        };
    }
}
