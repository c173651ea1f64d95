package knobscape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Comments, names and pages of the house: pages stay short, and so do their sentences.
class HouseStyleTest {
    private static final int MOST_WORDS = 2_500;
    private static final int LONGEST_SENTENCE = 35;
    private static final int CHANGELOG = 30;

    private static final Pattern QUESTION = Pattern.compile("\\s*/// (What|Whether)\\b.*");

    /// Code, fenced or indented, tables, headings, pictures and comments are no sentences.
    private static final Pattern NO_PROSE =
            Pattern.compile("(?ms)^```.*?^```[^\\n]*$|^( {4}|\\t)[^\\n]*$|^ {0,3}[|#!<][^\\n]*$");

    private static final Pattern PARAGRAPH = Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*+]|\\d+\\.)\\s)");
    private static final Pattern SENTENCE = Pattern.compile("(?<=[.!?])[)\"*_]*\\s+(?=[\\p{Lu}\\d`\\[*(])");

    /// Comments of the product and the laboratory begin with what they are about.
    @Test
    void commentsBeginWithTheirSubject() throws IOException {
        var questions = new ArrayList<String>();
        for (String root : List.of("src/main", "src/lab")) {
            for (Path file : files(root, ".java")) {
                Files.readAllLines(file).stream()
                        .filter(QUESTION.asMatchPredicate())
                        .forEach(line -> questions.add(file + ": " + line.strip()));
            }
        }
        assertThat(questions).isEmpty();
    }

    /// A name is of one type in the whole tree, tests and laboratory included.
    @Test
    void everyTypeHasANameOfItsOwn() throws IOException {
        Map<String, Long> names = files("src", ".java").stream()
                .map(f -> f.getFileName().toString())
                .filter(n -> !n.equals("package-info.java"))
                .collect(Collectors.groupingBy(n -> n, TreeMap::new, Collectors.counting()));
        assertThat(names).hasSizeGreaterThan(1_000);
        names.values().removeIf(n -> n == 1);
        assertThat(names).isEmpty();
    }

    /// The generated reference is none of them.
    @Test
    void pagesAndSentencesAreShort() throws IOException {
        List<Path> pages = files("src/docs", ".md").stream()
                .filter(p -> !p.endsWith("reference.md"))
                .toList();
        assertThat(pages).hasSizeGreaterThan(20);
        var found = new ArrayList<String>();
        for (Path page : pages) {
            String text = Files.readString(page);
            assertThat(words(text)).as("words of " + page).isLessThanOrEqualTo(MOST_WORDS);
            longSentences(text).forEach(s -> found.add(page + ": " + s));
        }
        assertThat(found).as("sentences too long").isEmpty();
    }

    @Test
    void theFirstReleaseIsToldInFewLines() throws IOException {
        assertThat(Files.readAllLines(Path.of(".github/CHANGELOG.md"))).hasSizeLessThanOrEqualTo(CHANGELOG);
    }

    @Test
    void sentencesAreFoundAndCodeIsNone() {
        String many = "word ".repeat(LONGEST_SENTENCE);
        assertThat(longSentences("# " + many + "x\n\n" + many.strip() + ".\n\n    " + many + "x\n"))
                .isEmpty();
        assertThat(longSentences("A b c. X " + many + "\nd.\n- Y " + many + "e.\n"))
                .hasSize(2);
    }

    private static List<Path> files(String root, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(root))) {
            return all.filter(p -> p.toString().endsWith(ending)).sorted().toList();
        }
    }

    private static int words(String text) {
        return text.isBlank() ? 0 : text.strip().split("\\s+").length;
    }

    private static List<String> longSentences(String text) {
        var found = new ArrayList<String>();
        for (String paragraph : PARAGRAPH.split(NO_PROSE.matcher(text).replaceAll(""))) {
            for (String sentence : SENTENCE.split(paragraph.strip())) {
                if (words(sentence) > LONGEST_SENTENCE) {
                    found.add(sentence);
                }
            }
        }
        return found;
    }
}
