package knobscape.hls.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.Xml;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A project of Vivado HLS or Vitis HLS as it lies on a disk: a configuration (`hls_config.cfg`), a component
/// (`vitis-comp.json`), a script (`run_hls.tcl`, `script.tcl`) or a project file (`hls.app`, `vivado_hls.app`). A
/// script is read, never run.
///
/// @param source the file that defines the top function, absolute
/// @param others the other sources, absolute, which are read where they hold what is called
/// @param top top function, where the project names one
/// @param includeDirs folders of headers, absolute
/// @param defines macros of the compiler's flags
/// @param target part, clock and flow
/// @param directives file of the project's directives, where it has some
/// @param testbench sources of the testbench, absolute
public record ToolProject(
        Path source,
        List<Path> others,
        Optional<String> top,
        List<Path> includeDirs,
        Map<String, String> defines,
        Target target,
        Optional<Path> directives,
        List<Path> testbench) {
    /// The target of the design; empty where the project does not say.
    ///
    /// @param clockNs period in nanoseconds
    /// @param uncertaintyPercent share of the period that is kept free
    /// @param flow `vivado` or `vitis`
    /// @param version of the tool whose kind of project this is, the first that had it
    public record Target(
            Optional<String> part,
            Optional<Double> clockNs,
            Optional<Double> uncertaintyPercent,
            Optional<String> flow,
            Optional<String> version) {}

    /// The first version with `hls_config.cfg` and `open_component`; that with `open_solution -flow_target` and
    /// `hls.app` whose defaults later ones keep; the last of Vivado HLS.
    private static final String UNIFIED = "2023.2";

    private static final String VITIS = "2021.1";
    private static final String VIVADO = "2019.2";

    private static final Pattern YEARS = Pattern.compile("19\\d\\d-(20[12]\\d)");
    private static final int HEAD = 5;
    private static final long LARGEST = 4L << 20;
    private static final List<String> USUAL =
            List.of("vitis-comp.json", "hls_config.cfg", "hls.app", "vivado_hls.app", "run_hls.tcl", "script.tcl");
    private static final Pattern AMOUNT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([a-zA-Z%]*)");

    /// True of commands that begin a project, a solution or a component: met twice, they begin another design.
    public static boolean opensDesign(String command) {
        return command.matches("open_(project|solution|component)");
    }

    /// True if a file is called as such projects are.
    public static boolean isNamed(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.equals("vitis-comp.json")
                || name.endsWith("hls.app")
                || name.endsWith(".tcl")
                || (name.endsWith(".cfg")
                        && text(file).map(t -> t.contains("syn.")).orElse(false));
    }

    /// The project's file in a folder of such a tool, where one lies there.
    public static Optional<Path> in(Path folder) {
        return USUAL.stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(InputFile.decode(InputFile.bytes(file, LARGEST)));
        } catch (IOException | UserError e) {
            return Optional.empty(); // Said where it is opened.
        }
    }

    /// Throws [UserError] naming file and line where it cannot be read, names no source, or names one that is not
    /// there.
    public static ToolProject read(Path file) {
        var read = new Reading(file.toAbsolutePath().normalize());
        String text;
        try {
            text = InputFile.decode(InputFile.bytes(file, LARGEST));
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".json")) {
            return component(file, text);
        }
        if (name.endsWith(".app")) {
            read.app(text);
        } else if (name.endsWith(".tcl")) {
            read.tcl(read.file, text);
        } else {
            read.config(text);
        }
        return read.result();
    }

    private static ToolProject component(Path file, String text) {
        try {
            JsonNode files =
                    JsonMapper.shared().readTree(text).path("configuration").path("configFiles");
            for (JsonNode f : files) {
                Path config = file.resolveSibling(f.asString());
                if (Files.isRegularFile(config)) {
                    return read(config);
                }
            }
            throw new UserError(file + " names no configuration file that is there (configuration.configFiles).");
        } catch (JacksonException e) {
            throw new UserError(file + " is no valid JSON: " + e.getOriginalMessage() + ".", e);
        }
    }

    /// The contents of one file, before it is looked for on the disk.
    private static final class Reading {
        private final Path file;
        private final Map<String, Integer> sources = new LinkedHashMap<>();
        private final Set<String> benches = new LinkedHashSet<>();
        private final List<String> flags = new ArrayList<>();
        private @Nullable String top;
        private @Nullable String part;
        private @Nullable String clock;
        private @Nullable String uncertainty;
        private @Nullable String flow;
        private @Nullable String version;
        private @Nullable String directives;
        private boolean own;
        private final Set<String> opened = new HashSet<>();
        private boolean ended;

        Reading(Path file) {
            this.file = file;
        }

        void config(String text) {
            version = UNIFIED;
            int number = 0;
            for (String line : text.lines().toList()) {
                number++;
                String s = line.replaceFirst("(^|\\s)#.*", "").strip();
                int eq = s.indexOf('=');
                if (eq < 0) {
                    continue;
                }
                String key = s.substring(0, eq).strip();
                String value = s.substring(eq + 1).strip();
                switch (key) {
                    case "part" -> part = value;
                    case "clock", "hls.clock" -> clock = value;
                    case "clock_uncertainty", "hls.clock_uncertainty" -> uncertainty = value;
                    case "flow_target", "hls.flow_target" -> flow = value;
                    case "syn.top", "hls.syn.top" -> top = value;
                    case "syn.file", "hls.syn.file" -> sources.putIfAbsent(value, number);
                    case "tb.file", "hls.tb.file" -> benches.add(value);
                    case "syn.cflags", "hls.syn.cflags" -> flags.addAll(words(value));
                    default -> {
                        if (key.startsWith("syn.file_cflags")) {
                            flags.addAll(words(value.substring(value.indexOf(',') + 1)));
                        }
                        own |= key.startsWith("syn.directive.");
                    }
                }
            }
        }

        /// The commands that name files and targets; everything else of a script is not looked at.
        void tcl(Path script, String text) {
            // The tool's own scripts say in their first lines what made them, and until when it is protected.
            String first = text.lines().limit(HEAD).collect(Collectors.joining());
            Matcher years = YEARS.matcher(first);
            String year = years.find() ? years.group(1) : "";
            if (first.contains("Vitis HLS")) {
                version = year.compareTo("2020") >= 0 ? year + ".2" : VITIS;
            } else if (first.contains("Vivado HLS")) {
                version = !year.isEmpty() && year.compareTo(VIVADO) < 0 ? year + ".2" : VIVADO;
            }
            new TclScript(script, this::command).run(text);
        }

        private void command(List<String> w, Path script, int line) {
            // A script may make several projects and solutions: the first is read.
            if (opensDesign(w.getFirst()) && !opened.add(w.getFirst())) {
                ended = true;
            }
            if (ended) {
                return;
            }
            switch (w.getFirst()) {
                case "set_top" -> top = w.getLast();
                case "set_part" -> {
                    String said = value(w, "-name")
                            .orElse(w.size() > 1 && !w.get(1).startsWith("-") ? w.get(1) : w.getLast());
                    // A variable that no script sets says nothing.
                    part = said.contains("$") ? part : said;
                }
                case "create_clock" -> clock = value(w, "-period").orElse(clock);
                case "set_clock_uncertainty" -> uncertainty = w.size() > 1 ? w.get(1) : uncertainty;
                case "open_component" -> {
                    flow = value(w, "-flow_target").orElse(flow);
                    version = UNIFIED;
                }
                case "open_solution" -> {
                    Optional<String> target = value(w, "-flow_target");
                    flow = target.orElse(flow);
                    version = target.isPresent() && version == null ? VITIS : version;
                }
                case "source" -> {
                    boolean names = w.getLast().endsWith(".tcl")
                            && find(w.getLast()).filter(Reading::says).isPresent();
                    directives = names ? w.getLast() : directives;
                }
                case "add_files", "add_file" -> addFiles(w, line);
                default -> own |= w.getFirst().startsWith("set_directive_") && script.equals(file);
            }
        }

        private void addFiles(List<String> w, int line) {
            boolean bench = w.contains("-tb");
            for (int i = 1; i < w.size(); i++) {
                String word = w.get(i);
                if (word.equals("-cflags") || word.equals("-csimflags")) {
                    i++;
                    if (word.equals("-cflags") && !bench && i < w.size()) {
                        flags.addAll(words(w.get(i)));
                    }
                } else if (!word.startsWith("-")) {
                    // A list in braces or quotes names several.
                    for (String name : words(word)) {
                        if (bench) {
                            benches.add(name);
                        } else {
                            sources.putIfAbsent(name, line);
                        }
                    }
                }
            }
        }

        void app(String text) {
            String called = file.getFileName().toString().toLowerCase(Locale.ROOT);
            version = called.startsWith("vivado") ? VIVADO : VITIS;
            Element root = Xml.read(file, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            String name = root.getAttribute("top");
            top = name.isEmpty() ? null : name;
            var files = root.getElementsByTagName("file");
            for (int i = 0; i < files.getLength(); i++) {
                Element f = (Element) files.item(i);
                if (f.getAttribute("tb").matches("1|true")) {
                    benches.add(f.getAttribute("name"));
                } else {
                    sources.putIfAbsent(f.getAttribute("name"), 0);
                    flags.addAll(words(f.getAttribute("cflags")));
                }
            }
            // Part, clock and directives stand in the solution's own script.
            var solutions = root.getElementsByTagName("solution");
            for (int i = 0; i < solutions.getLength(); i++) {
                Element s = (Element) solutions.item(i);
                Path script = file.resolveSibling(s.getAttribute("name")).resolve("script.tcl");
                if ((part == null || s.getAttribute("status").equals("active")) && Files.isRegularFile(script)) {
                    text(script).ifPresent(t -> tcl(script, t));
                }
                Path stated = file.resolveSibling(s.getAttribute("name")).resolve("directives.tcl");
                if (s.getAttribute("status").equals("active") && Files.isRegularFile(stated)) {
                    directives = stated.toString();
                }
            }
        }

        private static Optional<String> value(List<String> words, String option) {
            int at = words.indexOf(option);
            return at >= 0 && at + 1 < words.size() ? Optional.of(words.get(at + 1)) : Optional.empty();
        }

        ToolProject result() {
            Map<Path, String> there = new LinkedHashMap<>();
            for (Map.Entry<String, Integer> s : sources.entrySet()) {
                Optional<Path> found = find(s.getKey());
                boolean compiled = SourceEndings.isSource(Path.of(s.getKey().replaceAll("[\\x00:*?]", "_")));
                if (found.isEmpty() && compiled) {
                    String at = s.getValue() > 0 ? ":" + s.getValue() : "";
                    throw new UserError(file + at + " names the source '" + s.getKey()
                            + "', which is not there; put it beside the file or correct its path.");
                }
                found.filter(SourceEndings::isSource).ifPresent(p -> there.put(p, text(p).orElse("")));
            }
            if (there.isEmpty()) {
                throw new UserError(file + " names no C or C++ source (add_files, syn.file); open the source itself.");
            }
            Path main = main(there);
            var includes = new LinkedHashSet<Path>();
            var defines = new LinkedHashMap<String, String>();
            for (String flag : flags) {
                if (flag.startsWith("-I") && flag.length() > 2) {
                    find(flag.substring(2)).filter(Files::isDirectory).ifPresent(includes::add);
                } else if (flag.startsWith("-D") && flag.length() > 2) {
                    String[] d = flag.substring(2).split("=", 2);
                    defines.put(d[0], d.length > 1 ? d[1] : "1");
                }
            }
            there.keySet().stream()
                    .map(Path::getParent)
                    .filter(d -> d != null && !d.equals(main.getParent()))
                    .forEach(includes::add);
            Optional<Path> stated = own
                    ? Optional.of(file)
                    : Optional.ofNullable(directives).flatMap(this::find).filter(Reading::says);
            return new ToolProject(
                    main,
                    there.keySet().stream().filter(p -> !p.equals(main)).toList(),
                    Optional.ofNullable(top),
                    List.copyOf(includes),
                    defines,
                    new Target(
                            Optional.ofNullable(part),
                            clockNs(),
                            uncertaintyPercent(),
                            Optional.ofNullable(flow),
                            Optional.ofNullable(version)),
                    stated,
                    benches.stream()
                            .map(this::find)
                            .flatMap(Optional::stream)
                            .filter(SourceEndings::isSource)
                            .toList());
        }

        private static boolean says(Path directives) {
            return text(directives)
                    .map(t -> t.lines().anyMatch(l -> l.strip().matches("set_directive_(?!top).*")))
                    .orElse(false);
        }

        private Path main(Map<Path, String> there) {
            if (top != null) {
                Pattern definition = Pattern.compile("\\b" + Pattern.quote(top) + "\\s*\\([^;{}]*\\)[^;{}]*\\{");
                for (Map.Entry<Path, String> s : there.entrySet()) {
                    if (definition.matcher(s.getValue()).find()) {
                        return s.getKey();
                    }
                }
            }
            return there.keySet().iterator().next();
        }

        /// A file or folder by the name in the project: relative to the file itself, to the folders above it
        /// (a script of a solution names files as the tool's working folder has them), or without the
        /// project's own folder.
        private Optional<Path> find(String name) {
            String plain = name.replace('\\', '/');
            try {
                for (String n : List.of(
                        plain, plain.replaceFirst("^(?:\\./|\\.\\./)+", ""), plain.replaceFirst("^[^/]+/", ""))) {
                    Path folder = file.getParent();
                    for (int up = 0; up < 4 && folder != null; up++) {
                        Path p = folder.resolve(n).normalize();
                        if (Files.exists(p)) {
                            return Optional.of(p);
                        }
                        folder = folder.getParent();
                    }
                }
            } catch (java.nio.file.InvalidPathException e) {
                return Optional.empty(); // No name of a file on this system.
            }
            return Optional.empty();
        }

        private Optional<Double> clockNs() {
            Matcher m = AMOUNT.matcher(clock == null ? "" : clock.strip());
            if (!m.matches()) {
                return Optional.empty();
            }
            double v = Double.parseDouble(m.group(1));
            double ns = switch (m.group(2).toLowerCase(Locale.ROOT)) {
                case "", "ns" -> v;
                case "ps" -> v / 1000;
                case "us" -> v * 1000;
                case "mhz" -> 1000 / v;
                case "ghz" -> 1 / v;
                case "khz" -> 1e6 / v;
                case "hz" -> 1e9 / v;
                default -> Double.NaN;
            };
            return ns > 0 && ns < 1e6 ? Optional.of(ns) : Optional.empty();
        }

        private Optional<Double> uncertaintyPercent() {
            Matcher m = AMOUNT.matcher(uncertainty == null ? "" : uncertainty.strip());
            if (!m.matches()) {
                return Optional.empty();
            }
            double v = Double.parseDouble(m.group(1));
            Optional<Double> ns = clockNs();
            Optional<Double> percent = m.group(2).equals("%") ? Optional.of(v) : ns.map(c -> 100 * v / c);
            return percent.filter(p -> p >= 0 && p < 100);
        }
    }

    /// Words of a command: those in braces, quotes or brackets are one.
    static List<String> words(String command) {
        var words = new ArrayList<String>();
        Matcher m =
                Pattern.compile("\\{([^}]*)}|\"([^\"]*)\"|(\\[[^]]*])|(\\S+)").matcher(command);
        while (m.find()) {
            for (int g = 1; g <= 4; g++) {
                if (m.group(g) != null) {
                    words.add(m.group(g).strip());
                }
            }
        }
        return words;
    }
}
