package knobscape.hls.export;

import java.util.regex.Pattern;
import knobscape.hls.source.Kernel;

/// The name by which the tool finds a function when a directive outside the source names one.
///
/// Its front end compares the last name, and the innermost class where `Class::` stands before it; template arguments
/// are dropped, namespaces and parameters unknown (Xilinx/hls-llvm-project, `Directive2pragmaCheck.cpp`, the same from
/// 2020 to 2024). A directive that fits several functions goes into all of them, or, where it names a variable, into
/// the last; one that fits none is lost. So overloads, and functions of one name in several namespaces, can only be
/// told apart by pragmas inside them.
final class ToolNames {
    /// A function, or a method with its class. An operator's name is no such word.
    private static final Pattern PLAIN = Pattern.compile("\\w+(::~?\\w+)?");

    private final Kernel kernel;

    ToolNames(Kernel kernel) {
        this.kernel = kernel;
    }

    /// True if the function can be named, and is the only one of that name.
    ///
    /// @param function its name in the kernel
    boolean isKnown(String function) {
        String written = unqualified(function);
        boolean constructor = written.matches("(\\w+)::~?\\1");
        return !kernel.namesakes().contains(written)
                && PLAIN.matcher(written).matches()
                // The name of a class template's constructor holds the class's arguments.
                && !(constructor && function.contains("<"));
    }

    /// The name without template arguments, which every instance of a template shares.
    static String unqualified(String function) {
        int template = function.indexOf('<');
        return template < 0 ? function : function.substring(0, template);
    }

    /// The source's name for a function: [#unqualified] without the number that tells an overload apart.
    static String written(String function) {
        return unqualified(function).replaceFirst("#\\d+$", "");
    }
}
