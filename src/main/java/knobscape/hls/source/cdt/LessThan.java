package knobscape.hls.source.cdt;

import java.util.HashSet;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateDefinition;
import org.eclipse.cdt.core.dom.ast.gnu.cpp.GPPLanguage;
import org.eclipse.cdt.core.parser.EndOfFileException;
import org.eclipse.cdt.core.parser.FileContent;
import org.eclipse.cdt.core.parser.IParserLogService;
import org.eclipse.cdt.core.parser.IScanner;
import org.eclipse.cdt.core.parser.IScannerInfo;
import org.eclipse.cdt.core.parser.IToken;
import org.eclipse.cdt.core.parser.IncludeFileContentProvider;
import org.eclipse.cdt.core.parser.ParserLanguage;
import org.eclipse.cdt.internal.core.dom.parser.ASTNode;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPSemantics;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPVisitor;
import org.eclipse.cdt.internal.core.parser.scanner.CPreprocessor;
import org.eclipse.cdt.internal.core.parser.scanner.Token;

/// `j < Traits<T, N>::count` that the parser took for a template `j<...>`: found in a syntax tree, and kept from
/// happening again by parentheses around `j` in the next parse of the same text.
final class LessThan {
    private LessThan() {}

    /// Where in the input of the parser variables stand that it took for templates.
    static Set<Integer> mistaken(IASTTranslationUnit unit) {
        var found = new HashSet<Integer>();
        unit.accept(new ASTVisitor() {
            {
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                if (e instanceof IASTIdExpression id) {
                    IASTName name = id.getName();
                    if (name instanceof ICPPASTQualifiedName q
                            && !q.isFullyQualified()
                            && q.getQualifier().length > 0
                            && q.getQualifier()[0] instanceof IASTName first) {
                        name = first;
                    }
                    if (name instanceof ICPPASTTemplateId t && isVariable(t)) {
                        found.add(((ASTNode) t).getOffset());
                    }
                }
                return PROCESS_CONTINUE;
            }
        });
        return found;
    }

    private static boolean isVariable(ICPPASTTemplateId id) {
        boolean variable = false;
        for (IBinding b : CPPSemantics.findBindings(
                CPPVisitor.getContainingScope((IASTName) id),
                id.getTemplateName().getSimpleID(),
                false,
                id)) {
            if (b instanceof ICPPTemplateDefinition) {
                return false;
            }
            variable |= b instanceof IVariable;
        }
        return variable;
    }

    /// C++ whose names at these places stand in parentheses.
    static GPPLanguage language(Set<Integer> names) {
        return new GPPLanguage() {
            @Override
            protected IScanner createScanner(
                    FileContent content, IScannerInfo info, IncludeFileContentProvider headers, IParserLogService log) {
                return new Parentheses(
                        content,
                        info,
                        getParserLanguage(),
                        log,
                        headers,
                        names,
                        getScannerExtensionConfiguration(info));
            }
        };
    }

    /// The tokens of the text with parentheses around some names.
    private static final class Parentheses extends CPreprocessor {
        private final Set<Integer> names;
        private final java.util.ArrayDeque<IToken> waiting = new java.util.ArrayDeque<>();

        Parentheses(
                FileContent content,
                IScannerInfo info,
                ParserLanguage language,
                IParserLogService log,
                IncludeFileContentProvider headers,
                Set<Integer> names,
                org.eclipse.cdt.core.dom.parser.IScannerExtensionConfiguration configuration) {
            super(content, info, language, log, configuration, headers);
            this.names = names;
        }

        @Override
        public IToken nextToken() throws EndOfFileException {
            if (!waiting.isEmpty()) {
                return waiting.poll();
            }
            IToken t = super.nextToken();
            if (!(t instanceof Token name) || t.getType() != IToken.tIDENTIFIER || !names.contains(t.getOffset())) {
                return t;
            }
            // Copies: the preprocessor links the tokens it made itself to one another, without the parentheses.
            waiting.add(copy(name, IToken.tIDENTIFIER, name.getOffset(), name.getEndOffset()));
            waiting.add(copy(name, IToken.tRPAREN, name.getEndOffset(), name.getEndOffset()));
            return copy(name, IToken.tLPAREN, name.getOffset(), name.getOffset());
        }

        private static Token copy(Token token, int type, int from, int to) {
            Token t = token.clone();
            t.setType(type);
            t.setOffset(from, to);
            t.setNext(null);
            return t;
        }
    }
}
