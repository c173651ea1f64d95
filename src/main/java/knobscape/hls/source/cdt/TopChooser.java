package knobscape.hls.source.cdt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.Statements;
import knobscape.hls.source.cdt.FunctionReader.Body;
import knobscape.hls.source.file.SourceFiles;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPConstructor;

/// Finds the top function: the one named, else the one a Tcl file beside the source names, else the likeliest.
final class TopChooser {
    private static final Pattern SET_TOP = Pattern.compile("(?m)^\\s*set_top\\s+(?:-[\\w]+\\s+)*\"?([A-Za-z_]\\w*)");
    private static final int MAX_TCL = 50;
    private static final Pattern TEST = Pattern.compile("(?i)(?:^|_)(?:test|tb|testbench|check|golden)(?:_|$)");

    private final Program program;
    private final Map<Instance, Body> bodies;
    private final Path file;

    TopChooser(Program program, Map<Instance, Body> bodies, Path file) {
        this.program = program;
        this.bodies = bodies;
        this.file = file;
    }

    /// @param guessed whether nobody named it
    /// @param reason why it was chosen
    record Choice(Instance top, boolean guessed, String reason) {}

    Choice choose(Optional<String> wanted) {
        List<Instance> all = List.copyOf(program.instances());
        if (wanted.isPresent()) {
            return new Choice(
                    named(all, wanted.get()).orElseThrow(() -> unknown(all, wanted.get())), false, "it was named");
        }
        if (all.isEmpty()) {
            throw new UserError(file + " defines no function; name a source file with a kernel in it.");
        }
        if (all.stream().noneMatch(i -> loops(i) > 0)) {
            String missing = program.parsed().missing().stream()
                    .map(m -> m.getName().toString())
                    .distinct()
                    .limit(3)
                    .collect(Collectors.joining("', '"));
            throw new UserError(file
                    + " has no loops in any function, so there is nothing to optimise; "
                    + (missing.isEmpty()
                            ? "name the source file that holds the kernel."
                            : "header '" + missing + "' was not found: give its folder with -I."));
        }
        Optional<Instance> fromTcl = tops().stream()
                .flatMap(t -> named(all, t).stream())
                .filter(i -> reachableLoops(i) > 0)
                .findFirst();
        if (fromTcl.isPresent()) {
            return new Choice(fromTcl.get(), true, "a Tcl file beside the source names it");
        }
        requireBody(all);
        List<Instance> uncalled = all.stream()
                .filter(i ->
                        reachableLoops(i) > 0 && !i.name().equals("main") && !isConstructor(i) && !isCalled(i, all))
                .toList();
        List<Instance> candidates = uncalled.stream().filter(this::isOwn).toList();
        if (candidates.isEmpty()) {
            candidates = all.stream()
                    .filter(i -> reachableLoops(i) > 0 && isInMain(i))
                    .toList();
        }
        if (candidates.isEmpty()) {
            // What it calls is not known: it says so, where a helper of a header would say nothing of it.
            candidates = all.stream()
                    .filter(i -> isInMain(i) && !i.name().equals("main") && callsUnknown(i))
                    .toList();
        }
        boolean borrowed = candidates.isEmpty();
        candidates = borrowed ? uncalled : candidates;
        if (candidates.isEmpty()) {
            candidates = all.stream()
                    .filter(i -> reachableLoops(i) > 0 && !isCalled(i, List.of()))
                    .toList();
        }
        Instance best = candidates.stream()
                .max(Comparator.<Instance>comparingInt(this::likeness).thenComparingInt(this::reachableLoops))
                .orElseThrow();
        return new Choice(
                best,
                true,
                borrowed && all.stream().anyMatch(this::isInMain)
                        ? "no function of " + file.getFileName() + " itself has or reaches a loop"
                        : candidates.size() == 1
                                ? "no other function calls it"
                                : "its name and its loops make it the likeliest of "
                                        + String.join(
                                                ", ",
                                                candidates.stream()
                                                        .map(Instance::name)
                                                        .limit(8)
                                                        .toList()) + (candidates.size() > 8 ? ", ..." : ""));
    }

    /// A testbench whose kernel has no body anywhere: what else it calls is not what was meant.
    private void requireBody(List<Instance> all) {
        if (all.stream().anyMatch(i -> isInMain(i) && !i.name().equals("main") && reachableLoops(i) > 0)) {
            return;
        }
        all.stream()
                .filter(i -> isInMain(i) && i.name().equals("main"))
                .forEach(m -> m.definition().accept(new ASTVisitor() {
                    {
                        shouldVisitExpressions = true;
                    }

                    @Override
                    public int visit(IASTExpression e) {
                        if (e instanceof IASTFunctionCallExpression c
                                && Nodes.binding(c.getFunctionNameExpression()) instanceof IBinding b
                                && program.parsed().withoutBody().contains(b)) {
                            throw new UserError(program.parsed().positions().of(c) + ": '" + b.getName()
                                    + "', which main calls here, has no body in this file or in one beside it; name the source that holds it"
                                    + " (and this one with --testbench), or another function with --top.");
                        }
                        return PROCESS_CONTINUE;
                    }
                }));
    }

    private static boolean isConstructor(Instance i) {
        return Nodes.binding(Nodes.nameOf(i.definition())) instanceof ICPPConstructor;
    }

    private Optional<Instance> named(List<Instance> all, String name) {
        return all.stream()
                .filter(i -> i.name().equals(name))
                .findFirst()
                .or(() -> all.stream()
                        .filter(i -> i.name().endsWith("::" + name) || i.name().startsWith(name + "<"))
                        .findFirst());
    }

    private UserError unknown(List<Instance> all, String wanted) {
        Set<String> names = new TreeSet<>();
        all.forEach(i -> names.add(i.name()));
        if (names.isEmpty()) {
            return new UserError(file + " defines no function; name a source file with a kernel in it.");
        }
        String hint = NameSuggestions.nearest(wanted, names)
                .map(n -> "did you mean '" + n + "'?")
                .orElseGet(() ->
                        "it has " + String.join(", ", names.stream().limit(10).toList())
                                + (names.size() > 10 ? ", ..." : "") + ".");
        return new UserError(file + " has no function '" + wanted + "'; " + hint);
    }

    /// Whether a function other than `main` and tests calls it.
    private boolean isCalled(Instance i, List<Instance> by) {
        return by.stream()
                .anyMatch(c -> c != i
                        && !c.name().equals("main")
                        && !TEST.matcher(c.name()).find()
                        && program.callees(c).contains(i));
    }

    private boolean isInMain(Instance i) {
        return program.parsed().positions().inMain(i.definition());
    }

    /// Whether it stands in the file that was opened, or the `main` there calls it: a header brings helpers that
    /// nobody asked for.
    private boolean isOwn(Instance i) {
        return isInMain(i)
                || program.instances().stream()
                        .anyMatch(m -> m.name().equals("main")
                                && isInMain(m)
                                && program.callees(m).contains(i));
    }

    private static boolean callsUnknown(Instance i) {
        boolean[] found = {false};
        i.definition().accept(new ASTVisitor() {
            {
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                found[0] |= e instanceof IASTFunctionCallExpression c
                        && Nodes.strip(c.getFunctionNameExpression()) instanceof IASTIdExpression id
                        && Nodes.binding(id) == null;
                return found[0] ? PROCESS_ABORT : PROCESS_CONTINUE;
            }
        });
        return found[0];
    }

    private int loops(Instance i) {
        Body b = bodies.get(i);
        return b == null ? 0 : Statements.loops(b.statements()).size();
    }

    private int reachableLoops(Instance i) {
        return new KernelAssembly(program, bodies)
                .reachable(i).stream().mapToInt(this::loops).sum();
    }

    /// How much the name looks like that of a kernel.
    private int likeness(Instance i) {
        String name = i.name().toLowerCase(Locale.ROOT);
        String stem = file.getFileName().toString().toLowerCase(Locale.ROOT).replaceFirst("\\.[^.]*$", "");
        if (!isInMain(i)
                && !SourceEndings.isSource(
                        Path.of(program.parsed().positions().of(i.definition()).file()))) {
            return -1;
        }
        if (name.equals(stem)) {
            return 6;
        }
        if (name.startsWith("kernel_") || name.endsWith("_top") || name.startsWith("top_") || name.equals("top")) {
            return 5;
        }
        if (stem.replace("-", "_").contains(name) || name.contains(stem.replace("-", "_"))) {
            return 4;
        }
        if (name.contains("top") || name.contains("kernel") || name.contains("krnl")) {
            return 3;
        }
        return name.startsWith("init")
                        || name.startsWith("print")
                        || name.contains("test")
                        || name.contains("check")
                        || name.contains("golden")
                ? 0
                : 1;
    }

    /// Top functions named in Tcl files beside the source.
    private List<String> tops() {
        var found = new ArrayList<String>();
        Path folder = file.toAbsolutePath().getParent();
        var files = new ArrayList<Path>();
        try (DirectoryStream<Path> list = Files.newDirectoryStream(folder, "*.tcl")) {
            for (Path p : list) {
                if (files.size() < MAX_TCL) {
                    files.add(p);
                }
            }
        } catch (IOException e) {
            return found;
        }
        files.sort(Comparator.naturalOrder());
        for (Path p : files) {
            try {
                if (Files.isRegularFile(p) && Files.size(p) < SourceFiles.MAX_BYTES) {
                    Matcher m = SET_TOP.matcher(new String(Files.readAllBytes(p), StandardCharsets.ISO_8859_1));
                    while (m.find()) {
                        found.add(m.group(1));
                    }
                }
            } catch (IOException e) {
                // A Tcl file that cannot be read is no help, and none is needed.
            }
        }
        return found;
    }
}
