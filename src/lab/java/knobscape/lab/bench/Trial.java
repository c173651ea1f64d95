package knobscape.lab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The unit of every bench: a method on a subject with a seed.
///
/// @param subject name of the subject
/// @param figures what it came to
/// @param <F> a record of figures
record Trial<F>(String subject, String method, long seed, F figures) {

    /// The figures of each method by seed, in the order in which methods first occur.
    static <F> Map<String, List<F>> byMethod(List<Trial<F>> trials) {
        return trials.stream()
                .collect(Collectors.groupingBy(
                        Trial::method,
                        LinkedHashMap::new,
                        Collectors.mapping(Trial::figures, Collectors.toUnmodifiableList())));
    }
}
