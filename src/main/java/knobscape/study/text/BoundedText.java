package knobscape.study.text;

/// A text of which only so many characters may be looked at, so that an expression that tries everything ends.
public final class BoundedText implements CharSequence {
    /// About a second.
    private static final long MOST_LOOKS = 200_000_000;

    private final String text;
    private long looks;

    /// @param text that an expression is matched with
    public BoundedText(String text) {
        this.text = text;
    }

    /// Thrown once too many characters were looked at.
    public static final class TooLongException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++looks > MOST_LOOKS) {
            throw new TooLongException();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
