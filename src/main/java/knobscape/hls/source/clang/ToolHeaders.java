package knobscape.hls.source.clang;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;

/// Headers of our own writing in place of the vendor's and the system's, in a folder of this process. They compute what
/// the originals compute; what only a test bench needs is declared.
final class ToolHeaders {
    private static final String RESOURCES = "/knobscape/hls/headers/";
    private final Path folder;
    private final Map<String, String> texts = new LinkedHashMap<>();

    ToolHeaders() {
        for (String line : resource("index.txt").split("\n")) {
            String[] words = line.strip().split("\\s+");
            if (!words[0].isEmpty() && !words[0].startsWith("#")) {
                String text = resource(words[0].replace(":", ""));
                for (int i = 1; i < words.length; i++) {
                    // Several names of one text: the first is read, whatever the name.
                    texts.put(words[i], i == 1 ? text : "#include <" + words[1] + ">\n");
                }
            }
        }
        texts.put("ap_cint.h", arbitraryC());
        try {
            folder = TemporaryFiles.folder("knobscape-headers");
            // What is marked first is deleted last: folders before the files in them.
            folder.toFile().deleteOnExit();
            for (var t : texts.entrySet()) {
                Path file = folder.resolve(t.getKey());
                Path in = folder;
                for (Path part : folder.relativize(java.util.Objects.requireNonNull(file.getParent()))) {
                    in = in.resolve(part);
                    Files.createDirectories(in);
                    in.toFile().deleteOnExit();
                }
                Files.writeString(file, t.getValue(), StandardCharsets.UTF_8);
                file.toFile().deleteOnExit();
            }
        } catch (IOException e) {
            throw new UserError("The headers of the tool cannot be unpacked: " + e.getMessage() + ".", e);
        }
    }

    Path folder() {
        return folder;
    }

    /// Read before every source.
    Path prelude() {
        return folder.resolve("knobscape.h");
    }

    /// True if one of them declares a function.
    boolean declares(String function) {
        Pattern declared = Pattern.compile("\\b" + Pattern.quote(function) + "\\s*\\(");
        return texts.values().stream().anyMatch(t -> declared.matcher(t).find());
    }

    /// Our text in the place of a copy of one of the vendor's headers, which are written for its compiler.
    Optional<String> inPlaceOf(Path file) {
        String name = String.valueOf(file.getFileName());
        boolean vendors = name.startsWith("ap_") || name.startsWith("hls_") || name.equals("tapa.h");
        return vendors && texts.containsKey(name)
                ? Optional.of("#include \"" + folder.resolve(name).toString().replace(File.separatorChar, '/') + "\"\n")
                : Optional.empty();
    }

    /// Integers of C by width: `int1` .. `int1024`, `uint1` .. `uint1024`.
    private static String arbitraryC() {
        var text = new StringBuilder("#pragma once\n#include <stdint.h>\n");
        for (int bits = 1; bits <= 1024; bits++) {
            text.append("typedef signed _BitInt(" + Math.max(2, bits) + ") int" + bits + ";\n");
            text.append("typedef unsigned _BitInt(" + bits + ") uint" + bits + ";\n");
        }
        return text.toString();
    }

    private static String resource(String name) {
        try (InputStream own = ToolHeaders.class.getResourceAsStream(RESOURCES + name)) {
            if (own == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return new String(own.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
