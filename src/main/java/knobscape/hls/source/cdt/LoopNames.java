package knobscape.hls.source.cdt;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.Location;
import knobscape.hls.source.file.SourceText;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;

/// Names and places of one function's loops.
final class LoopNames {
    private final FunctionContext context;
    private final Set<String> taken = new HashSet<>();

    LoopNames(FunctionContext context) {
        this.context = context;
    }

    /// Places of a loop in the file.
    record Where(Location keyword, Location bodyStart, Location bodyEnd, Location statementStart, boolean braced) {}

    /// A new id: the label, else the line.
    String id(IASTStatement loop) {
        String name = labelOf(loop)
                .map(l -> l.getName().toString())
                .orElseGet(() -> "L" + context.positions().of(loop).line());
        String id = context.instance.name() + "/" + name;
        String unique = id;
        for (int n = 2; !taken.add(unique); n++) {
            unique = id + "_" + n;
        }
        return unique;
    }

    /// The label's name in an id.
    String label(String id) {
        return id.substring(context.instance.name().length() + 1);
    }

    boolean isLabelled(IASTStatement loop) {
        return labelOf(loop).isPresent();
    }

    private static Optional<IASTLabelStatement> labelOf(IASTStatement loop) {
        return loop.getParent() instanceof IASTLabelStatement l ? Optional.of(l) : Optional.empty();
    }

    Where where(IASTStatement loop, IASTStatement body) {
        SourceText file =
                context.positions().file(loop).orElse(context.positions().main());
        IASTFileLocation at = loop.getFileLocation();
        IASTFileLocation inner = body.getFileLocation();
        String text = file.text();
        int offset = at == null ? 0 : at.getNodeOffset();
        String word = loop instanceof IASTDoStatement ? "do" : loop instanceof IASTWhileStatement ? "while" : "for";
        int length = text.startsWith(word, offset) ? word.length() : wordLength(text, offset);
        IASTStatement outermost = loop;
        while (outermost.getParent() instanceof IASTLabelStatement l) {
            outermost = l;
        }
        IASTFileLocation start = outermost.getFileLocation();
        Location statementStart = file.location(start == null ? offset : start.getNodeOffset(), 0);
        boolean braced = body instanceof IASTCompoundStatement;
        int from = inner == null ? offset : inner.getNodeOffset();
        int to = inner == null ? offset : from + inner.getNodeLength();
        // The body's text stands in the file only where no macro made it.
        boolean literal = inner != null
                && (braced
                        ? to - from >= 2 && text.startsWith("{", from) && text.startsWith("}", to - 1)
                        : !sameMacro(loop, body, text, word));
        if (!literal) {
            Location use = file.location(from, Math.max(1, to - from));
            return new Where(file.location(offset, length), use, file.location(to, 0), statementStart, braced);
        }
        return new Where(
                file.location(offset, length),
                file.location(braced ? from + 1 : from, 0),
                braced ? file.location(to - 1, 1) : file.location(to, 0),
                statementStart,
                braced);
    }

    /// Whether loop and body have one and the same place, which is that of a macro's use.
    private static boolean sameMacro(IASTStatement loop, IASTStatement body, String text, String word) {
        IASTFileLocation a = loop.getFileLocation();
        IASTFileLocation b = body.getFileLocation();
        return a.getNodeOffset() == b.getNodeOffset()
                || (!text.startsWith(word, a.getNodeOffset()) && a.getNodeOffset() + a.getNodeLength() > text.length());
    }

    private static int wordLength(String text, int offset) {
        int end = offset;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        return end - offset;
    }
}
