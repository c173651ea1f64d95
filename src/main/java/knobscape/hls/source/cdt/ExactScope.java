package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactStatement;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IBinding;

/// The function that is being read exactly: its variables, and what their names mean.
final class ExactScope {
    final ExactProgramReader program;
    final Instance instance;
    final ExactArithmetic arithmetic;
    /// Type of the object whose method this is.
    final Optional<ExactType.Struct> self;
    private final List<String> names = new ArrayList<>();
    private final List<ExactType> types = new ArrayList<>();
    private final Set<Integer> addressed = new HashSet<>();
    private final Map<IBinding, ExactPlace> places = new HashMap<>();
    /// Where statements go that an expression needs done first: none may stay behind.
    final List<ExactStatement> body = new ArrayList<>();

    ExactScope(ExactProgramReader program, Instance instance, Optional<ExactType.Struct> self) {
        this.program = program;
        this.instance = instance;
        this.self = self;
        this.arithmetic = program.arithmetic();
    }

    boolean cpp() {
        return program.program().parsed().cpp();
    }

    /// A new variable.
    ExactPlace.Local variable(String name, ExactType type) {
        names.add(name);
        types.add(type);
        return new ExactPlace.Local(names.size() - 1, type);
    }

    /// Has `binding` mean `place`.
    void bind(IBinding binding, ExactPlace place) {
        places.put(binding, place);
    }

    Optional<ExactPlace> place(IBinding binding) {
        return Optional.ofNullable(places.get(binding));
    }

    /// Address of the object whose method this is.
    ExactExpression thisAddress(IASTNode node) {
        if (self.isEmpty()) {
            throw new NotExact("'this'", node);
        }
        return new ExactExpression.Load(new ExactPlace.Local(0, new ExactType.Pointer(self.get())));
    }

    /// The address of a place; a variable then stands in memory.
    ExactExpression address(ExactPlace place, IASTNode node) {
        return address(place, new ExactType.Pointer(place.type()), node);
    }

    /// The same as a pointer of another type.
    ExactExpression address(ExactPlace place, ExactType type, IASTNode node) {
        ExactPlace root = place;
        while (!(root instanceof ExactPlace.Local)) {
            switch (root) {
                case ExactPlace.Element e -> root = e.array();
                case ExactPlace.Member m -> root = m.owner();
                case ExactPlace.Bits b -> throw new NotExact("the address of bits", node);
                default -> {
                    return new ExactExpression.AddressOf(place, type);
                }
            }
        }
        addressed.add(((ExactPlace.Local) root).index());
        return new ExactExpression.AddressOf(place, type);
    }

    /// The place of a value that has none.
    ExactPlace kept(ExactExpression value, List<ExactExpression> before) {
        ExactPlace.Local room = variable("", value.type());
        before.add(new ExactExpression.Store(room, value));
        return room;
    }

    /// The variables so far.
    List<ExactVariable> variables() {
        var all = new ArrayList<ExactVariable>();
        for (int i = 0; i < names.size(); i++) {
            ExactType t = types.get(i);
            all.add(new ExactVariable(
                    names.get(i),
                    t,
                    addressed.contains(i) || t.isAggregate() || t.isWide() || t instanceof ExactType.Stream));
        }
        return all;
    }

    /// Exact type of the parser's.
    ExactType type(org.eclipse.cdt.core.dom.ast.@org.jspecify.annotations.Nullable IType type, IASTNode node) {
        return program.types().of(type, instance.types(), node);
    }

    /// The number that a constant expression is; throws [NotExact] where it is none.
    long constant(IASTExpression e) {
        return program.constant(new ExactExpressions(this).value(e), e);
    }
}
