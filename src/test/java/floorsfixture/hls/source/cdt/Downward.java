package floorsfixture.hls.source.cdt;

import floorsfixture.hls.directive.Plain;
import org.eclipse.cdt.core.dom.ast.IASTNode;

/// Breaks nothing: its own family, and the parser behind its adapter.
public record Downward(Plain value, IASTNode node) {}
