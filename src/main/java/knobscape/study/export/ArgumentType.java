package knobscape.study.export;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The type of a kernel's argument, as its declaration and the source's own names for types say.
///
/// @param name of the type of its elements: that of a study file, or as it is written where studies know none
/// @param width elements that stand together, such as 4 of `float4`
/// @param objection why it cannot be drafted so; empty for a type that studies know
record ArgumentType(String name, int width, Optional<String> objection) {
    private static final Pattern QUALIFIER = Pattern.compile(
            "\\b(?:const|volatile|restrict|(?:__)?(?:global|local|constant|private|read_only|write_only|read_write)|__restrict(?:__)?|__grid_constant__|struct|typename|std)\\b|::|__attribute__\\s*|[*&]|\\[[^]]*]");
    private static final Pattern NUMBER = Pattern.compile("(float|double|u?(?:char|short|int|long))(2|3|4|8|16)?");
    private static final Map<String, String> USUAL = Map.ofEntries(
            Map.entry("unsigned", "uint"),
            Map.entry("signed", "int"),
            Map.entry("long int", "long"),
            Map.entry("long long", "long"),
            Map.entry("long long int", "long"),
            Map.entry("short int", "short"),
            Map.entry("size", "ulong"),
            Map.entry("ptrdiff", "long"),
            Map.entry("ssize", "long"),
            Map.entry("int8", "char"),
            Map.entry("int16", "short"),
            Map.entry("int32", "int"),
            Map.entry("int64", "long"));
    private static final int MOST_NAMES = 8;

    /// The type of an argument.
    ///
    /// @param argument its declaration
    /// @param source without comments; where there is none, its language
    /// @param template parameters of the kernel's template, empty where it is none
    static ArgumentType of(String argument, String source, String template) {
        String declared = QUALIFIER.matcher(argument).replaceAll(" ").strip().replaceAll("\\s+", " ");
        String type = declared.matches(".*\\s\\w+") ? declared.replaceFirst("\\s\\w+$", "") : declared;
        for (int i = 0; i < MOST_NAMES; i++) {
            Optional<String> next = meaning(type, source);
            if (next.isEmpty()) {
                break;
            }
            type = next.get();
        }
        String plain = plain(type);
        Matcher number = NUMBER.matcher(plain);
        boolean isPointer = argument.contains("*");
        if (number.matches()) {
            String element = number.group(1);
            if (number.group(2) == null) {
                return new ArgumentType(element, 1, Optional.empty());
            }
            int width = Integer.parseInt(number.group(2));
            return isPointer
                    // In OpenCL three elements take the place of four.
                    ? new ArgumentType(
                            element,
                            width == 3 && !source.matches("(?s)cuda|.*__global__.*") ? 4 : width,
                            Optional.empty())
                    : new ArgumentType(type, width, Optional.of("a vector by value"));
        }
        if (Pattern.compile("\\b(?:typename|class)\\s+" + Pattern.quote(type) + "\\b")
                .matcher(template)
                .find()) {
            return new ArgumentType("float", 1, Optional.of("a type of the template, taken for float"));
        }
        Optional<ArgumentType> fields = isPointer ? fields(type, source) : Optional.empty();
        if (fields.isPresent()) {
            return fields.get();
        }
        return new ArgumentType(
                type,
                1,
                Optional.of(
                        type.matches("image\\w*_t|sampler_t|cudaTextureObject_t|texture.*|cudaSurfaceObject_t")
                                ? "an image"
                                : type.matches("(__)?(half|nv_bfloat|bfloat|fp8).*")
                                        ? "a short float"
                                        : "a struct or another type of its own"));
    }

    /// A struct whose fields are all numbers of one type is so many of them.
    private static Optional<ArgumentType> fields(String struct, String source) {
        Matcher m =
                Pattern.compile("\\bstruct\\s*(\\w*)\\s*\\{([^{}]*)}\\s*(\\w*)").matcher(source);
        while (m.find()) {
            if (struct.equals(m.group(1)) || struct.equals(m.group(3))) {
                List<ArgumentType> all = Stream.of(m.group(2).split(";"))
                        .filter(f -> !f.isBlank())
                        .flatMap(f -> fieldsOf(f, source))
                        .toList();
                return all.stream()
                        .filter(f -> f.objection().isEmpty())
                        .findFirst()
                        .filter(f -> all.stream().allMatch(a -> a.name().equals(f.name())))
                        .map(f -> new ArgumentType(
                                f.name(),
                                all.stream().mapToInt(ArgumentType::width).sum(),
                                Optional.empty()));
            }
        }
        return Optional.empty();
    }

    /// The fields that one declaration makes; one that is no plain number has no known type.
    private static Stream<ArgumentType> fieldsOf(String declaration, String source) {
        String[] names = declaration.strip().split("\\s*,\\s*");
        String type = names[0].replaceFirst("\\w+\\s*(\\[\\d+])?$", "");
        return Stream.of(names).map(n -> {
            Matcher many = Pattern.compile("\\w+\\s*(?:\\[(\\d{1,4})])?$").matcher(n);
            // A star makes a vector one that stands in memory; the field itself is no pointer.
            ArgumentType one = of(type + "* field", source, "");
            // Vectors may leave room before them.
            return declaration.contains("*") || one.width() > 1 || !many.find()
                    ? new ArgumentType(declaration, 1, Optional.of("a pointer or vector"))
                    : new ArgumentType(
                            one.name(), many.group(1) == null ? 1 : Integer.parseInt(many.group(1)), one.objection());
        });
    }

    /// The meaning of a name for a type.
    private static Optional<String> meaning(String type, String source) {
        if (!type.matches("\\w+")) {
            return Optional.empty();
        }
        String words = "((?:unsigned |signed )?\\w+(?: \\w+)?)";
        Matcher m = Pattern.compile("\\btypedef\\s+" + words + "\\s+" + type + "\\s*;|\\busing\\s+" + type + "\\s*=\\s*"
                        + words + "\\s*;|(?m:^[ \\t]*#[ \\t]*define[ \\t]+" + type + "[ \\t]+" + words + "[ \\t]*$)")
                .matcher(source);
        return m.find()
                ? Optional.ofNullable(m.group(1))
                        .or(() -> Optional.ofNullable(m.group(2)))
                        .or(() -> Optional.ofNullable(m.group(3)))
                        .filter(t -> !t.equals(type) && !t.startsWith("struct "))
                : Optional.empty();
    }

    private static String plain(String type) {
        boolean isUnsigned = type.matches("unsigned \\w.*|uint(8|16|32|64)(_t)?");
        String one = type.replaceFirst("^((un)?signed (?=\\w)|u(?=int\\d\\d?(_t)?$))", "")
                .replaceFirst("_t$", "");
        one = USUAL.getOrDefault(one, one);
        return isUnsigned ? "u" + one : one;
    }
}
