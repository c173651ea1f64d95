package knobscape.hls.source;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// How the names of C and C++ files end: the one place that knows.
public final class SourceEndings {
    /// Of files that are compiled apart, in small letters without dots.
    public static final List<String> SOURCES = List.of("c", "cc", "cpp", "cxx", "c++");

    /// Of files that others include. A kernel may be in one: that of a template library, for example.
    public static final List<String> HEADERS = List.of("h", "hh", "hpp", "hxx", "h++");

    private SourceEndings() {}

    /// True if a file is compiled apart, unlike a header.
    public static boolean isSource(Path file) {
        return SOURCES.contains(of(file));
    }

    /// True if a kernel may be in a file.
    public static boolean isSourceOrHeader(Path file) {
        return isSource(file) || HEADERS.contains(of(file));
    }

    /// True if a file is in C: `k.c`. To compilers `k.C` is in C++, and so is here what could be either.
    public static boolean isC(Path file) {
        return String.valueOf(file.getFileName()).endsWith(".c");
    }

    /// Of sources and headers, for a choice of files.
    public static List<String> all() {
        return Stream.concat(SOURCES.stream(), HEADERS.stream()).toList();
    }

    private static String of(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
