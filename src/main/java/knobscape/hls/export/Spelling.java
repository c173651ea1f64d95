package knobscape.hls.export;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.hls.source.Location;

/// One directive as the vendor's tool wants to read it.
///
/// @param command upper-case name of the pragma; the Tcl command is `set_directive_` and the same in lower case
/// @param options key to value in order; a key without a value is a flag
/// @param function where it is said
/// @param location Tcl location: function, or function and label
/// @param variable what it is applied to, for arrays and operations
/// @param place where the pragma goes
/// @param knobs names of the knobs it carries out
record Spelling(
        String command,
        List<Option> options,
        String function,
        String location,
        Optional<String> variable,
        Place place,
        List<String> knobs) {

    /// An option. In pragmas of Vivado HLS some values stand without their key (`cyclic` for `-type cyclic`).
    record Option(String key, String value, boolean bareInPragma) {
        Option(String key, String value) {
            this(key, value, false);
        }

        static Option flag(String key) {
            return new Option(key, "");
        }
    }

    /// Where a pragma goes.
    sealed interface Place {
        /// First in a loop's body.
        record InLoop(String loop) implements Place {}

        /// First in a function's body.
        record InFunction(String function) implements Place {}

        /// After the declaration of a local array.
        record AfterDeclaration(String array) implements Place {}

        /// After the statement at that place.
        record AfterStatement(Location statement) implements Place {}
    }

    /// The command with escaped arguments, for example `set_directive_unroll -factor 4 "gemm/dot"`.
    String tcl() {
        var b = new StringBuilder("set_directive_").append(command.toLowerCase(java.util.Locale.ROOT));
        for (Option o : options) {
            b.append(" -").append(o.key());
            if (!o.value().isEmpty()) {
                b.append(' ').append(TclWords.bare(o.value()));
            }
        }
        b.append(' ').append(TclWords.quoted(location));
        variable.ifPresent(v -> b.append(' ').append(TclWords.bare(v)));
        return b.toString();
    }

    /// The line of a configuration file, for example `syn.directive.unroll=gemm/dot factor=4` (UG1399).
    String config() {
        return "syn.directive." + command.toLowerCase(java.util.Locale.ROOT) + "=" + location
                + variable.map(v -> " " + v).orElse("")
                + options.stream()
                        .map(o -> " " + o.key() + "=" + (o.value().isEmpty() ? "true" : o.value()))
                        .collect(Collectors.joining());
    }

    /// The line of source, for example `#pragma HLS UNROLL factor=4`.
    String pragma() {
        if (command.equals("ALLOCATION")) {
            // The type stands first (UG1399).
            return "#pragma HLS ALLOCATION "
                    + inPragma(options.getFirst())
                    + " instances="
                    + variable.orElse("")
                    + options.stream().skip(1).map(Spelling::inPragma).collect(Collectors.joining(" ", " ", ""));
        }
        String head = "#pragma HLS " + command
                + variable.map(v -> (command.equals("INTERFACE") ? " port=" : " variable=") + v)
                        .orElse("");
        return options.isEmpty()
                ? head
                : head + options.stream().map(Spelling::inPragma).collect(Collectors.joining(" ", " ", ""));
    }

    private static String inPragma(Option o) {
        if (o.value().isEmpty()) {
            return o.key();
        }
        return o.bareInPragma() ? o.value() : o.key() + "=" + o.value();
    }
}
