package knobscape.compile;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A source and how it is compiled.
///
/// @param main the source
/// @param cPlusPlus whether it is C++, else C
/// @param includes folders of headers, in order
/// @param preincluded headers read before the source, in order
/// @param defines macros with their values
/// @param replaced texts that stand in the place of files, by absolute path; the files need not exist
public record CompileUnit(
        Path main,
        boolean cPlusPlus,
        List<Path> includes,
        List<Path> preincluded,
        Map<String, String> defines,
        Map<Path, String> replaced) {
    public CompileUnit {
        includes = List.copyOf(includes);
        preincluded = List.copyOf(preincluded);
        defines = Map.copyOf(defines);
        replaced = Map.copyOf(replaced);
    }

    /// The same with other texts in the place of files.
    public CompileUnit withReplaced(Map<Path, String> texts) {
        return new CompileUnit(main, cPlusPlus, includes, preincluded, defines, texts);
    }
}
