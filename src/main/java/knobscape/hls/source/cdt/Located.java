package knobscape.hls.source.cdt;

import java.util.List;
import knobscape.hls.source.ScalarType;
import org.eclipse.cdt.core.dom.ast.IType;

/// What an expression on the left of an assignment, or anywhere a variable may stand, refers to.
sealed interface Located {

    /// A scalar, or bits of one.
    ///
    /// @param part which part of it is meant
    record Scalar(Place place, IType type, ScalarType element, Part part) implements Located {}

    /// An element of an array with all its indices, or a part of that element.
    record Element(ArrayInfo array, List<Value> indices, IType type, ScalarType element, Part part) implements Located {
        public Element {
            indices = List.copyOf(indices);
        }
    }

    /// An array or a row of it: fewer indices than dimensions. `offset` shifts the next index (a pointer into
    /// the array).
    record Row(ArrayInfo array, List<Value> indices, knobscape.hls.source.LinearForm offset, IType type)
            implements Located {
        public Row {
            indices = List.copyOf(indices);
        }
    }

    /// A stream.
    record Stream(ArrayInfo array, List<Value> indices) implements Located {
        public Stream {
            indices = List.copyOf(indices);
        }
    }

    /// Something else.
    record Nowhere(String reason) implements Located {}

    /// Which part of a value.
    enum Part {
        WHOLE,
        FIELD,
        BITS
    }
}
