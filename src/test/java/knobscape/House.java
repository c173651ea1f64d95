package knobscape;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How large the house is: figures of sources and classes below one root package.
///
/// @param sources root folder of the sources
/// @param classes root folder of the classes compiled from them
/// @param root package that all of them lie in
record House(Path sources, Path classes, String root) {
    static final int FAN_OUT = 40;
    static final int CYCLE = 5;
    static final int COMPONENTS = 9;
    static final int LINES = 600;
    private static final int THOUSAND = 1_000;

    /// Literals, which stay, comments and imports, which do not.
    private static final Pattern CODE = Pattern.compile(
            "\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\n]++|\\\\.)*+'"
                    + "|//[^\n]*+|/\\*.*?\\*/|\n\\s*import [^;]*;",
            Pattern.DOTALL);

    private static final Pattern TYPE = Pattern.compile("L([\\w/$]+);");

    /// A figure: how much of something something has.
    enum Kind {
        /// Characters of code of a package, without comments, imports and blanks, in whole thousands.
        CODE,
        /// Classes of the house that a class with all inside it refers to, above [#FAN_OUT].
        FAN_OUT,
        /// Classes that refer to one another in a circle, above [#CYCLE]; named after one of them.
        CYCLE,
        /// Components of a record, above [#COMPONENTS].
        RECORD,
        /// Types outside of others that share a simple name, above 1.
        NAME,
        /// Lines of a file, above [#LINES].
        FILE,
        /// Classes that take as an argument who makes them, lie beside it, and whose two files together are longer than
        /// [#LINES]: helpers split off to stay below the bound.
        MAKER,
        /// Values of a setting that no shipped method takes.
        SETTING;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /// A figure of one thing.
    record Figure(Kind kind, String name, int value) {}

    /// What a class refers to.
    ///
    /// @param uses other classes of the house, those inside counted to the one around them
    /// @param makes classes that it makes
    /// @param takes types of the arguments of its constructors
    private record Room(Set<String> uses, Set<String> makes, Set<String> takes) {
        Room() {
            this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        }
    }

    /// All figures, by kind and name; of kinds with a bound only those above it.
    List<Figure> figures() {
        var figures = new ArrayList<Figure>();
        code(figures);
        var rooms = new TreeMap<String, Room>();
        files(classes, ".class").forEach(f -> read(f, rooms, figures));
        rooms.forEach((name, room) -> add(figures, Kind.FAN_OUT, name, room.uses.size(), FAN_OUT));
        circles(rooms).forEach(c -> add(figures, Kind.CYCLE, c.getFirst(), c.size(), CYCLE));
        rooms.keySet().stream()
                .collect(groupingBy(n -> n.substring(n.lastIndexOf('.') + 1), counting()))
                .forEach((name, count) -> add(figures, Kind.NAME, name, count.intValue(), 1));
        rooms.forEach((maker, room) -> room.makes.stream()
                .filter(made -> !made.equals(maker)
                        && packageOf(made).equals(packageOf(maker))
                        && rooms.getOrDefault(made, new Room()).takes.contains(maker)
                        && lines(made) + lines(maker) > LINES)
                .forEach(made -> add(figures, Kind.MAKER, made, 1, 0)));
        figures.sort(Comparator.comparing(Figure::kind).thenComparing(Figure::name));
        return List.copyOf(figures);
    }

    /// The members of every circle of classes with more than [#CYCLE], in order of their names.
    List<List<String>> circles() {
        var rooms = new TreeMap<String, Room>();
        files(classes, ".class").forEach(f -> read(f, rooms, new ArrayList<>()));
        return circles(rooms).stream().filter(c -> c.size() > CYCLE).toList();
    }

    /// Lines of the file of a type; a type in another's file counts as a full one.
    private long lines(String type) {
        Path file = sources.resolve(type.replace('.', '/') + ".java");
        return Files.exists(file) ? text(file).lines().count() : LINES;
    }

    private static void add(List<Figure> figures, Kind kind, String name, int value, int bound) {
        if (value > bound) {
            figures.add(new Figure(kind, name, value));
        }
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    private void code(List<Figure> figures) {
        var perPackage = new TreeMap<String, Integer>();
        for (Path file : files(sources.resolve(root.replace('.', '/')), ".java")) {
            String text = text(file);
            perPackage.merge(
                    sources.relativize(file)
                            .getParent()
                            .toString()
                            .replace('\\', '/')
                            .replace('/', '.'),
                    code(text).length(),
                    Integer::sum);
            add(
                    figures,
                    Kind.FILE,
                    sources.relativize(file).toString().replace('\\', '/'),
                    (int) text.lines().count(),
                    LINES);
        }
        // In thousands, so that a line more is no event.
        perPackage.forEach(
                (name, characters) -> add(figures, Kind.CODE, name, Math.ceilDiv(characters, THOUSAND) * THOUSAND, 0));
    }

    /// The code of a source file: without comments, imports and blanks.
    static String code(String source) {
        var b = new StringBuilder();
        Matcher m = CODE.matcher("\n" + source);
        while (m.find()) {
            boolean isLiteral = m.group().startsWith("\"") || m.group().startsWith("'");
            m.appendReplacement(b, isLiteral ? Matcher.quoteReplacement(m.group()) : " ");
        }
        m.appendTail(b);
        return b.toString().replaceAll("\\s+", "");
    }

    private void read(Path file, Map<String, Room> rooms, List<Figure> figures) {
        ClassModel model;
        try {
            model = ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String name = model.thisClass().asInternalName().replace('/', '.');
        if (!name.startsWith(root + ".") || name.endsWith("package-info")) {
            return;
        }
        model.findAttribute(Attributes.record())
                .ifPresent(r -> add(figures, Kind.RECORD, name, r.components().size(), COMPONENTS));
        String outer = outer(name);
        Room room = rooms.computeIfAbsent(outer, _ -> new Room());
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry c) {
                uses(outer, room, c.asInternalName().replace('/', '.').replaceAll("^\\[+L?|;$", ""));
            } else if (entry instanceof Utf8Entry u && u.stringValue().indexOf(';') > 0) {
                Matcher m = TYPE.matcher(u.stringValue());
                while (m.find()) {
                    uses(outer, room, m.group(1).replace('/', '.'));
                }
            }
        }
        boolean isOuter = outer.equals(name);
        model.methods().forEach(method -> {
            if (isOuter && method.methodName().equalsString("<init>")) {
                method.methodTypeSymbol().parameterList().stream()
                        .filter(ClassDesc::isClassOrInterface)
                        .forEach(d -> room.takes.add(dotted(d)));
            }
            method.code()
                    .ifPresent(code -> code.forEach(e -> {
                        if (e instanceof NewObjectInstruction made) {
                            room.makes.add(
                                    outer(made.className().asInternalName().replace('/', '.')));
                        }
                    }));
        });
    }

    private void uses(String outer, Room room, String used) {
        if (used.startsWith(root + ".") && !outer(used).equals(outer)) {
            room.uses.add(outer(used));
        }
    }

    private static String dotted(ClassDesc type) {
        return type.packageName().isEmpty() ? type.displayName() : type.packageName() + "." + type.displayName();
    }

    private static String outer(String name) {
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    /// Strongly connected components (Tarjan 1972) of more than one class, members in order.
    private static List<List<String>> circles(Map<String, Room> rooms) {
        var order = new HashMap<String, Integer>();
        var low = new HashMap<String, Integer>();
        var open = new ArrayDeque<String>();
        var found = new ArrayList<List<String>>();
        rooms.keySet().forEach(r -> {
            if (!order.containsKey(r)) {
                visit(r, rooms, order, low, open, found);
            }
        });
        return found;
    }

    private static void visit(
            String name,
            Map<String, Room> rooms,
            Map<String, Integer> order,
            Map<String, Integer> low,
            Deque<String> open,
            List<List<String>> found) {
        order.put(name, order.size());
        low.put(name, order.get(name));
        open.push(name);
        for (String used : rooms.get(name).uses) {
            if (rooms.containsKey(used)) {
                if (!order.containsKey(used)) {
                    visit(used, rooms, order, low, open, found);
                    low.merge(name, low.get(used), Math::min);
                } else if (open.contains(used)) {
                    low.merge(name, order.get(used), Math::min);
                }
            }
        }
        if (low.get(name).equals(order.get(name))) {
            var members = new HashSet<String>();
            String last;
            do {
                last = open.pop();
                members.add(last);
            } while (!last.equals(name));
            if (members.size() > 1) {
                found.add(members.stream().sorted().toList());
            }
        }
    }

    private static List<Path> files(Path folder, String ending) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(f -> f.toString().endsWith(ending)).sorted().collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
