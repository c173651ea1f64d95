package knobscape.app.cli;

import java.util.Iterator;
import knobscape.project.Areas;

/// Names of an area's methods and evaluators for help and completion, from the registry.
abstract class MethodNames implements Iterable<String> {
    private final String kind;

    private MethodNames(String kind) {
        this.kind = kind;
    }

    @Override
    public Iterator<String> iterator() {
        return Areas.standard().find(kind).orElseThrow().methods().names().iterator();
    }

    /// Methods of `explore`.
    static final class Explore extends MethodNames {
        Explore() {
            super("hls");
        }
    }

    /// Methods of `tune`.
    static final class Tune extends MethodNames {
        Tune() {
            super("gpu");
        }
    }

    /// Methods of `fuse`.
    static final class Fuse extends MethodNames {
        Fuse() {
            super("fusion");
        }
    }
}
