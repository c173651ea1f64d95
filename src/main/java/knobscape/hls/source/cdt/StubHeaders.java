package knobscape.hls.source.cdt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Headers of our own writing in place of the vendor's and the system's: declarations only, as much as makes
/// kernels parse.
final class StubHeaders {
    /// Folder that exists only for the parser; last on the search path.
    static final String FOLDER = "/knobscape-stub-headers";

    private static final List<String> VENDORS = List.of("ap_", "hls_", "tapa");
    private static final String RESOURCES = "/knobscape/hls/stubs/";
    private final Map<String, String> texts = new HashMap<>();

    StubHeaders() {
        for (String line : resource("index.txt").split("\n")) {
            String[] words = line.strip().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            // "file: name name ..." gives one stub several names.
            String text = guarded(words[0], resource(words[0].replace(":", "")));
            for (int i = 1; i < words.length; i++) {
                texts.put(FOLDER + "/" + words[i], text);
            }
        }
        texts.put(FOLDER + "/ap_cint.h", guarded("ap_cint", arbitraryC()));
    }

    /// Once, whatever path leads to it.
    private static String guarded(String name, String text) {
        String guard = "KNOBSCAPE_STUB_" + name.replaceAll("[^A-Za-z0-9]", "_");
        return "#ifndef " + guard + "\n#define " + guard + "\n" + text.replace("#pragma once\n", "") + "\n#endif\n";
    }

    /// Text of the stub in place of a file that is the vendor's header: many projects bring copies, for simulation.
    /// They are written for a compiler, and what they contain is no code of the kernel.
    Optional<String> inPlaceOf(String path) {
        String name = path.substring(path.replace('\\', '/').lastIndexOf('/') + 1);
        return VENDORS.stream().anyMatch(name::startsWith) ? text(FOLDER + "/" + name) : Optional.empty();
    }

    /// Text of the stub at that path.
    Optional<String> text(String path) {
        return Optional.ofNullable(texts.get(path.replace('\\', '/')));
    }

    /// Integers of C by width: `int1` .. `int1024`, `uint1` .. `uint1024`.
    private static String arbitraryC() {
        var text = new StringBuilder("#pragma once\n#include <stdint.h>\n");
        for (int bits = 1; bits <= 1024; bits++) {
            String base = bits <= 8 ? "char" : bits <= 16 ? "short" : bits <= 32 ? "int" : "long long";
            text.append("typedef signed ")
                    .append(base)
                    .append(" int")
                    .append(bits)
                    .append(";\n");
            text.append("typedef unsigned ")
                    .append(base)
                    .append(" uint")
                    .append(bits)
                    .append(";\n");
        }
        return text.toString();
    }

    private static String resource(String name) {
        try (InputStream in = StubHeaders.class.getResourceAsStream(RESOURCES + name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCES + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
