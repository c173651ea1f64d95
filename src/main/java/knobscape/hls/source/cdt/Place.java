package knobscape.hls.source.cdt;

import org.eclipse.cdt.core.dom.ast.IBinding;

/// A scalar variable or scalar member: what an assignment changes.
///
/// @param root declared variable, or the field where it is a member of the current object
/// @param path members below it, each with its dot (`.x`), `*` for what a pointer to one scalar points to;
/// empty for the variable itself
record Place(IBinding root, String path) {

    static Place of(IBinding variable) {
        return new Place(variable, "");
    }

    Place member(String name) {
        return new Place(root, path + "." + name);
    }

    /// Whether assigning `other` changes this: the same, or a struct around it.
    boolean isChangedBy(Place other) {
        return root.equals(other.root)
                && (path.equals(other.path) || path.startsWith(other.path + ".") || path.startsWith(other.path + "*"));
    }

    /// As shown to people and used in statements.
    String name() {
        return root.getName() + path.replace("*", "");
    }
}
