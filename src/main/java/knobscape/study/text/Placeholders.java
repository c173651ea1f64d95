package knobscape.study.text;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.space.Configuration;

/// Names in braces in the commands of a study, `--tile={tile}`: parameters, and two places.
public final class Placeholders {
    private static final String HERE = "here";
    private static final String FOLDER = "folder";
    /// Names that are no parameters: the study's folder, and the folder of the configuration.
    public static final List<String> PLACES = List.of(HERE, FOLDER);

    private static final Pattern NAME = Pattern.compile("\\{([^{}]*)\\}");

    private Placeholders() {}

    /// The names in a text, in order.
    public static List<String> in(String text) {
        return NAME.matcher(text).results().map(r -> r.group(1)).toList();
    }

    /// The text with the value of every name in its place; the names are parameters of the configuration.
    ///
    /// @param here the study's folder
    /// @param folder the folder of the configuration
    public static String fill(String text, Configuration c, String here, String folder) {
        return NAME.matcher(text)
                .replaceAll((MatchResult r) -> Matcher.quoteReplacement(
                        switch (r.group(1)) {
                            case HERE -> here;
                            case FOLDER -> folder;
                            default -> c.value(c.knobs().indexOf(r.group(1)).orElseThrow());
                        }));
    }
}
