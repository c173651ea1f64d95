package knobscape.hls.source.cdt;

import org.eclipse.cdt.core.dom.ast.IASTNode;

/// Something in the source that the exact form cannot hold.
final class NotExact extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient IASTNode node;

    /// @param what for a person: "goto", "a pointer to a function"
    NotExact(String what, IASTNode node) {
        super(what, null, false, false);
        this.node = node;
    }

    IASTNode node() {
        return node;
    }
}
