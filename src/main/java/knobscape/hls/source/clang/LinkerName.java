package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrLocation;

/// The scopes in the linker's name of a C++ function (Itanium C++ ABI): namespaces and classes around
/// it. A name that is not understood has none.
///
/// @param scopes names of namespaces and classes, outermost first, without arguments of templates
/// @param arguments of the innermost class's template, with brackets; empty where it is none or not understood
/// @param name of the function itself, without arguments; empty for an operator, a constructor and a destructor
/// @param constructor whether it makes an object
record LinkerName(List<String> scopes, String arguments, String name, boolean constructor) {
    private static final Map<Character, String> TYPES = Map.ofEntries(
            Map.entry('v', "void"),
            Map.entry('b', "bool"),
            Map.entry('c', "char"),
            Map.entry('a', "signed char"),
            Map.entry('h', "unsigned char"),
            Map.entry('s', "short"),
            Map.entry('t', "unsigned short"),
            Map.entry('i', "int"),
            Map.entry('j', "unsigned int"),
            Map.entry('l', "long"),
            Map.entry('m', "unsigned long"),
            Map.entry('x', "long long"),
            Map.entry('y', "unsigned long long"),
            Map.entry('f', "float"),
            Map.entry('d', "double"));

    LinkerName {
        scopes = List.copyOf(scopes);
    }

    static LinkerName of(String linker) {
        if (!linker.startsWith("_Z")) {
            return new LinkerName(List.of(), "", linker, false);
        }
        var reader = new Reader(linker);
        return reader.nested().orElseGet(() -> new LinkerName(List.of(), "", reader.plain(), false));
    }

    /// With all that it stands in.
    String whole() {
        return String.join("::", Stream.concat(scopes.stream(), Stream.of(name)).toList());
    }

    /// True if it stands in one of these namespaces or classes, or in something inside.
    boolean isWithin(String scope) {
        return scopes.contains(scope);
    }

    /// Names that people know, each once: with the class, and with namespaces where that tells functions apart.
    static Map<String, String> unique(Iterable<IrFunction> functions) {
        var names = new HashMap<String, String>();
        var places = new HashMap<String, Set<List<String>>>();
        functions.forEach(f -> places.computeIfAbsent(written(f), _ -> new HashSet<>())
                .add(of(f.name()).scopes()));
        var taken = new HashSet<String>();
        for (IrFunction f : functions) {
            LinkerName linker = of(f.name());
            boolean apart = Objects.requireNonNull(places.get(written(f))).size() > 1;
            String name = apart
                    ? Stream.concat(linker.scopes().stream(), Stream.of(f.sourceName()))
                                    .collect(Collectors.joining("::"))
                            + (isMethod(f) ? linker.arguments() : "")
                    : written(f);
            name = name.replace(", ", ",").replace(" >", ">").replaceFirst("\\boperator(?=[^\\w\\s])", "operator ");
            String unique = name;
            for (int n = 2; !taken.add(unique); n++) {
                unique = name + "#" + n;
            }
            names.put(f.name(), unique);
        }
        return names;
    }

    /// Functions that share with another definition what the source calls them; instances of one template are one.
    ///
    /// @param names by the linker's name
    static Set<String> namesakes(List<IrFunction> functions, Map<String, String> names) {
        var places = new HashMap<String, Set<String>>();
        functions.forEach(f -> {
            IrLocation l = f.location().orElseThrow();
            places.computeIfAbsent(plain(written(f)), _ -> new HashSet<>()).add(l.file() + ":" + l.line());
        });
        return functions.stream()
                .filter(f -> names.containsKey(f.name())
                        && Objects.requireNonNull(places.get(plain(written(f)))).size() > 1)
                .map(f -> plain(Objects.requireNonNull(names.get(f.name()))))
                .collect(Collectors.toSet());
    }

    /// A function as the source calls it: a method with its class.
    static String written(IrFunction f) {
        LinkerName linker = LinkerName.of(f.name());
        return isMethod(f) && !linker.scopes().isEmpty()
                ? linker.scopes().getLast() + "::" + f.sourceName() + linker.arguments()
                : f.sourceName();
    }

    static boolean isMethod(IrFunction f) {
        return f.variables().stream().anyMatch(v -> v.argument() > 0 && v.name().equals("this"));
    }

    /// A name without the arguments of its template.
    static String plain(String name) {
        int at = name.indexOf('<');
        return at < 0 ? name : name.substring(0, at);
    }

    private static final class Reader {
        private final String text;
        private int at = 2;

        Reader(String text) {
            this.text = text;
        }

        /// The name of a function that stands in nothing.
        String plain() {
            at = text.startsWith("L", 2) ? 3 : 2;
            return Character.isDigit(peek()) ? identifier() : "";
        }

        Optional<LinkerName> nested() {
            if (peek() != 'N') {
                return Optional.empty();
            }
            at++;
            while ("rVKRO".indexOf(peek()) >= 0) {
                at++;
            }
            var parts = new ArrayList<String>();
            var arguments = new ArrayList<String>();
            boolean constructor = false;
            while (peek() != 'E') {
                char c = peek();
                if (Character.isDigit(c)) {
                    parts.add(identifier());
                    arguments.add("");
                } else if (c == 'L') {
                    at++;
                } else if (c == 'S' && text.startsWith("St", at)) {
                    at += 2;
                    parts.add("std");
                    arguments.add("");
                } else if (c == 'I' && !parts.isEmpty()) {
                    Optional<String> told = arguments();
                    if (told.isEmpty()) {
                        break;
                    }
                    arguments.set(arguments.size() - 1, told.get());
                } else {
                    constructor = c == 'C';
                    parts.add("");
                    arguments.add("");
                    break;
                }
            }
            if (parts.isEmpty()) {
                return Optional.empty();
            }
            List<String> scopes = parts.subList(0, parts.size() - 1);
            return Optional.of(new LinkerName(
                    scopes.stream().filter(s -> !s.startsWith("_GLOBAL__N")).toList(),
                    scopes.isEmpty() ? "" : arguments.get(scopes.size() - 1),
                    parts.getLast(),
                    constructor));
        }

        private char peek() {
            return at < text.length() ? text.charAt(at) : 'E';
        }

        private String identifier() {
            int n = 0;
            while (Character.isDigit(peek()) && n < text.length()) {
                n = 10 * n + (peek() - '0');
                at++;
            }
            int from = at;
            at = Math.min(text.length(), at + n);
            return text.substring(from, at);
        }

        /// `I ... E`; the place behind it is reached only where all is understood.
        private Optional<String> arguments() {
            at++;
            var all = new ArrayList<String>();
            while (peek() != 'E') {
                Optional<String> one = peek() == 'L' ? number() : type();
                if (one.isEmpty()) {
                    return Optional.empty();
                }
                all.add(one.get());
            }
            at++;
            return Optional.of("<" + String.join(",", all) + ">");
        }

        /// `Li40E`, `Lb1E`.
        private Optional<String> number() {
            int end = text.indexOf('E', at);
            String digits = end < 0 ? "" : text.substring(at + 2, end);
            if (!digits.matches("n?\\d+")) {
                return Optional.empty();
            }
            boolean bool = text.charAt(at + 1) == 'b';
            at = end + 1;
            return Optional.of(bool ? (digits.equals("0") ? "false" : "true") : digits.replace('n', '-'));
        }

        private Optional<String> type() {
            char c = peek();
            if (Character.isDigit(c)) {
                String name = identifier();
                return peek() == 'I' ? arguments().map(a -> name + a) : Optional.of(name);
            }
            at++;
            return c == 'P'
                    ? type().map(t -> t + "*")
                    : c == 'K' ? type().map(t -> "const " + t) : Optional.ofNullable(TYPES.get(c));
        }
    }
}
