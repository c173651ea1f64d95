package knobscape.study.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// A study file from a tuning problem in the T1 format of Kernel Tuner and KTT (`ConfigurationSpace` and
/// `KernelSpecification`; schema in KTT's `TuningLoader`). Where the format asks for what studies do not have, that is
/// one error that names it.
final class T1Draft {
    private static final Pattern VALUE = Pattern.compile("\"([^\"]*)\"|'([^']*)'|([^\\s,\\[\\]]+)");
    private static final String LOCAL = "local";

    private final String file;
    private final List<String> notes = new ArrayList<>();

    private T1Draft(String file) {
        this.file = file;
    }

    /// True if a JSON text is one.
    static boolean isNamed(String name, String text) {
        return name.endsWith(".json") && text.contains("\"ConfigurationSpace\"");
    }

    /// The study file.
    static String of(String name, String text) {
        JsonNode root = JsonFields.parse(name, text).node();
        ObjectNode study = JsonMapper.shared().createObjectNode().put("study", 1);
        var draft = new T1Draft(name);
        draft.space(root.path("ConfigurationSpace"), study);
        study.putObject("objectives").putObject("time").put("goal", "minimise").put("unit", "ms");
        JsonNode kernel = root.path("KernelSpecification");
        if (!kernel.isObject()) {
            throw draft.error("KernelSpecification", "is missing");
        }
        draft.kernel(kernel, study.putObject("measure").putObject("kernel"));
        for (JsonNode b : root.path("Budget")) {
            if (b.path("Type").asString("").equals("ConfigurationCount")) {
                study.putObject("run").put("trials", b.path("BudgetValue").asInt(100));
            }
        }
        return "# Drafted from " + name
                + ": name a kernel with the right outputs as 'reference', or files with them as 'expected'.\n"
                + draft.notes.stream().map(n -> "# Note: " + n + ".\n").collect(Collectors.joining())
                + YAMLMapper.builder().build().writeValueAsString(study).replaceFirst("^---\\R?", "");
    }

    private UserError error(String where, String what) {
        return new UserError(file + ": " + where + " " + what + ".");
    }

    private void space(JsonNode space, ObjectNode study) {
        ObjectNode parameters = study.putObject("parameters");
        for (JsonNode p : space.path("TuningParameters")) {
            String name = p.path("Name").asString("");
            List<String> values = p.path("Values").isArray()
                    ? p.path("Values").valueStream().map(v -> v.asString("")).toList()
                    : values(name, p.path("Values").asString(""));
            ObjectNode one = parameters.putObject(name);
            values.forEach(one.withArray("values")::add);
            if (p.has("Default")) {
                one.put("default", p.path("Default").asString(""));
            }
        }
        for (JsonNode c : space.path("Conditions")) {
            study.withArray("constraints").add(c.path("Expression").asString(""));
        }
    }

    /// A list as Python writes it; an expression that makes one is refused.
    private List<String> values(String name, String text) {
        String inside = text.strip();
        if (!inside.startsWith("[") || !inside.endsWith("]") || inside.contains(" for ") || inside.contains("(")) {
            throw error("the values of '" + name + "'", "are " + text + "; write them out as a list");
        }
        var found = new ArrayList<String>();
        Matcher m = VALUE.matcher(inside.substring(1, inside.length() - 1));
        while (m.find()) {
            found.add(Stream.of(1, 2, 3)
                    .map(m::group)
                    .filter(g -> g != null)
                    .findFirst()
                    .orElseThrow());
        }
        return found;
    }

    private void kernel(JsonNode from, ObjectNode to) {
        String language = from.path("Language").asString("").toLowerCase(Locale.ROOT);
        if (!language.equals("opencl") && !language.equals("cuda")) {
            throw error("the language of the kernel", "is '" + language + "'; OpenCL and CUDA are known");
        }
        to.put("file", from.path("KernelFile").asString(""))
                .put("name", from.path("KernelName").asString(""));
        from.path("CompilerOptions").forEach(o -> to.withArray("options").add(o.asString("")));
        String counts = from.path("GlobalSizeType").asString(language).toLowerCase(Locale.ROOT);
        List<String> global = sizes(from.path("GlobalSize"));
        List<String> local = sizes(from.path("LocalSize"));
        int dimensions = Math.max(global.size(), local.size());
        for (int i = 0; i < dimensions; i++) {
            to.withArray(counts.equals("opencl") ? "global" : "groups").add(i < global.size() ? global.get(i) : "1");
            to.withArray("local").add(i < local.size() ? local.get(i) : "1");
        }
        int place = 0;
        for (JsonNode a : from.path("Arguments")) {
            argument(
                    "argument " + ++place,
                    language,
                    a,
                    to.withArray("arguments").addObject());
        }
        String shared = from.path("SharedMemory").asString("0");
        boolean named = to.path("arguments").valueStream().anyMatch(a -> a.has(LOCAL));
        if (!shared.equals("0") && !named) {
            if (language.equals("opencl")) {
                throw error(
                        "SharedMemory",
                        "is " + shared + ", and an OpenCL kernel gets it by an argument in Local"
                                + " memory; add that");
            }
            to.withArray("arguments").addObject().put(LOCAL, "char").put("length", shared);
        }
    }

    private static List<String> sizes(JsonNode n) {
        return Stream.of("X", "Y", "Z")
                .filter(n::has)
                .map(d -> n.path(d).asString(""))
                .toList();
    }

    private void argument(String where, String language, JsonNode from, ObjectNode to) {
        String type = from.path("Type").asString("");
        ArgumentType of = ArgumentType.of((type.equals("bool") ? "uchar" : type) + "* a", language, "");
        of.objection().ifPresent(_ -> {
            throw error(where, "is of the type '" + type + "', which studies do not have");
        });
        String known = of.name();
        String length = from.path("Size").asString("") + (of.width() > 1 ? " * " + of.width() : "");
        String value = from.path("FillValue").asString("0");
        switch (from.path("MemoryType").asString("")) {
            case "Scalar" -> to.put("number", known).put("value", value);
            case "Local" -> to.put(LOCAL, known).put("length", length);
            case "Vector" -> {
                boolean isOutput = !from.path("AccessType").asString("ReadOnly").equals("ReadOnly");
                to.put("buffer", known).put("length", length);
                switch (from.path("FillType").asString("Random")) {
                    case "Constant" -> to.put("fill", value);
                    case "Random" -> to.put("fill", "random");
                    case "Generator" -> {
                        to.put("fill", "random");
                        notes.add(where + " is filled by a generator there and at random here");
                    }
                    case "BinaryRaw" -> to.put("file", from.path("DataSource").asString(""));
                    default ->
                        throw error(
                                where, "is filled by " + from.path("FillType").asString("") + "; name a raw file");
                }
                if (isOutput) {
                    to.put("output", true);
                    if (from.path("AccessType").asString("").equals("WriteOnly")) {
                        to.remove(List.of("fill", "file"));
                    }
                }
            }
            default ->
                throw error(
                        where,
                        "is in " + from.path("MemoryType").asString("no") + " memory, which studies do not have");
        }
    }
}
