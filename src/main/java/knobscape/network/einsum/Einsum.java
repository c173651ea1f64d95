package knobscape.network.einsum;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// An operator as loops over named dimensions, and how they index its tensors.
///
/// @param extents trips of each loop
/// @param inputs what is read; data first
/// @param centred whether the margin of a window lies on both sides, not only behind
public record Einsum(
        String name, Kind kind, Map<String, Long> extents, Access output, List<Access> inputs, boolean centred) {
    /// The operation on what is read.
    public enum Kind {
        /// Products, added up.
        PRODUCT,
        /// A sum of tensors, element by element.
        SUM,
        /// A maximum or mean over a window.
        POOL
    }

    /// Copies the lists.
    public Einsum {
        extents = Map.copyOf(extents);
        inputs = List.copyOf(inputs);
    }

    /// A tensor and the index of each of its axes: dimensions with their factors, added up.
    ///
    /// @param weight whether its values are constants
    public record Access(String tensor, boolean weight, List<Map<String, Integer>> axes) {
        /// Copies the axes.
        public Access {
            axes = axes.stream().map(Map::copyOf).toList();
        }

        /// All dimensions that index the tensor.
        Set<String> dims() {
            var all = new TreeSet<String>();
            axes.forEach(a -> all.addAll(a.keySet()));
            return all;
        }

        /// The axis that a dimension alone indexes; -1 where there is none.
        int axis(String dim) {
            for (int i = 0; i < axes.size(); i++) {
                if (axes.get(i).equals(Map.of(dim, 1))) {
                    return i;
                }
            }
            return -1;
        }
    }

    /// Trips of a loop.
    long extent(String dim) {
        return extents.getOrDefault(dim, 1L);
    }

    /// Trips of loops together.
    long product(Iterable<String> dims) {
        long p = 1;
        for (String d : dims) {
            p = Math.multiplyExact(p, extent(d));
        }
        return p;
    }
}
