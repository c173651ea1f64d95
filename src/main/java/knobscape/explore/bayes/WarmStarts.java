package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Hyper-parameters of the last fit by fidelity, and their text form: one line `fidelity value value ...` each,
/// numbers written so that they read back to the last bit.
final class WarmStarts {
    private final Map<String, double[]> byFidelity;
    private final String prefix;

    WarmStarts() {
        this(new LinkedHashMap<>(), "");
    }

    private WarmStarts(Map<String, double[]> byFidelity, String prefix) {
        this.byFidelity = byFidelity;
        this.prefix = prefix;
    }

    /// Those whose names begin with `begin`, kept here and written with these.
    WarmStarts part(String begin) {
        return new WarmStarts(byFidelity, prefix + begin);
    }

    Optional<double[]> get(String fidelity) {
        return Optional.ofNullable(byFidelity.get(prefix + fidelity));
    }

    void put(String fidelity, double[] parameters) {
        byFidelity.put(prefix + fidelity, parameters.clone());
    }

    String text() {
        return byFidelity.entrySet().stream()
                .map(e -> e.getKey()
                        + Arrays.stream(e.getValue()).mapToObj(v -> " " + v).collect(Collectors.joining()))
                .collect(Collectors.joining("\n"));
    }

    /// Reads what [#text] wrote; throws `IllegalArgumentException` on anything else.
    void restore(String text) {
        Map<String, double[]> read = new LinkedHashMap<>();
        for (String line : text.isBlank() ? new String[0] : text.split("\n")) {
            String[] parts = line.split(" ");
            try {
                read.put(
                        parts[0],
                        Arrays.stream(parts)
                                .skip(1)
                                .mapToDouble(Double::parseDouble)
                                .toArray());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "the stored state of the explorer cannot be read: '" + line + "'", e);
            }
        }
        byFidelity.clear();
        byFidelity.putAll(read);
    }
}
