package knobscape.app.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import knobscape.evaluate.report.Printable;

/// A writer to a terminal or file that shows control characters as escapes ([Printable]). Line ends and tabs stay.
final class PlainWriter extends FilterWriter {
    private boolean returned;

    private PlainWriter(Writer out) {
        super(out);
    }

    static PrintWriter over(Writer out) {
        return new PrintWriter(new PlainWriter(out));
    }

    @Override
    public void write(int c) throws IOException {
        char each = (char) c;
        if (returned) {
            out.write(each == '\n' ? "\r" : Printable.escape('\r'));
        }
        returned = each == '\r';
        if (!returned) {
            if (each == '\n' || each == '\t' || !Printable.steers(each)) {
                out.write(each);
            } else {
                out.write(Printable.escape(each));
            }
        }
    }

    @Override
    public void write(char[] text, int from, int count) throws IOException {
        for (int i = from; i < from + count; i++) {
            write(text[i]);
        }
    }

    @Override
    public void write(String text, int from, int count) throws IOException {
        String part = text.substring(from, from + count);
        if (!returned && part.indexOf('\r') < 0) {
            out.write(Printable.text(part));
        } else {
            write(part.toCharArray(), 0, count);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
