package knobscape.network.source;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.network.zoo.Zoo;

/// A person's word for a network: a file, or a built-in network with or without `zoo:` before its name.
public final class NetworkNames {
    /// Stands before the name of a built-in network.
    public static final String ZOO = "zoo:";

    private NetworkNames() {}

    /// The source meant by `text`: an absolute file, or `zoo:NAME`. A file goes before a built-in network of
    /// the same name; capitals, hyphens and underscores of a built-in name do not matter. Throws [UserError]
    /// where there is neither.
    public static String source(String text, Path here) {
        List<String> names = Arrays.stream(Zoo.values()).map(Zoo::label).toList();
        if (text.startsWith(ZOO)) {
            String name = text.substring(ZOO.length());
            return ZOO + Zoo.named(builtIn(name, names).orElse(name)).label();
        }
        Path file;
        try {
            file = here.resolve(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new UserError("'" + text + "' is not the name of a file.", e);
        }
        if (Files.exists(file)) {
            return file.toString();
        }
        return ZOO
                + builtIn(text, names)
                        .orElseThrow(() -> new UserError("There is no file '" + text
                                + "' and no built-in network of that name" + NameSuggestions.didYouMean(text, names)
                                + "; built in are " + String.join(", ", names) + "."));
    }

    private static Optional<String> builtIn(String name, List<String> names) {
        return names.stream().filter(n -> plain(n).equals(plain(name))).findFirst();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
