package knobscape.study.export;

/// The text in a pair of brackets of a source.
///
/// @param inside without the closing bracket
/// @param after the rest of the source behind it
record BracketText(String inside, String after) {
    /// The brackets whose opening one is just before a place; braces, brackets and parentheses count alike. Of a pair
    /// that is not closed the rest is inside.
    static BracketText at(String text, int from) {
        int depth = 1;
        int at = from;
        while (at < text.length() && depth > 0) {
            depth += "{[(".indexOf(text.charAt(at)) >= 0 ? 1 : "}])".indexOf(text.charAt(at)) >= 0 ? -1 : 0;
            at++;
        }
        return new BracketText(text.substring(from, depth > 0 ? at : at - 1), text.substring(at));
    }
}
