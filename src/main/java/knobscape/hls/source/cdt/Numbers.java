package knobscape.hls.source.cdt;

import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.IASTExpression;

/// What number an expression is where a function is being read, as far as that is known.
interface Numbers {
    Optional<Long> constant(IASTExpression expression);
}
