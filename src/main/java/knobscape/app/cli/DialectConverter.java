package knobscape.app.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
import knobscape.hls.export.Dialect;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the name of a vendor's tool.
final class DialectConverter implements ITypeConverter<Dialect> {
    @Override
    public Dialect convert(String value) {
        return Arrays.stream(Dialect.values())
                .filter(d -> d.command().equals(value))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + value + "' is not one of "
                        + Arrays.stream(Dialect.values()).map(Dialect::command).collect(Collectors.joining(", "))));
    }

    /// The names for the help.
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Dialect.values()).map(Dialect::command).iterator();
        }
    }
}
