package knobscape.work.parameter;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.node.ObjectNode;

/// Lists of texts.
///
/// @param each what one of them must be, and where files stand in it
/// @param separator between them where they are typed in one field: a blank or a comma
/// @param splits whether one option of the command line holds all of them; else it is repeated
public record TextList(ValueType.Text each, String separator, boolean splits) implements ValueType<List<String>> {
    @Override
    public List<String> parse(String text) {
        List<String> all = Stream.of(text.strip().split(separator.isBlank() ? "\\s+" : "\\s*,\\s*"))
                .filter(p -> !p.isEmpty())
                .toList();
        check(all);
        return all;
    }

    @Override
    public String text(List<String> value) {
        return String.join(splits || separator.isBlank() ? separator : separator + " ", value);
    }

    @Override
    public String must() {
        return each.must();
    }

    @Override
    public void check(List<String> value) {
        value.forEach(each::check);
    }

    @Override
    public void write(ObjectNode to, String key, List<String> value) {
        var list = to.putArray(key);
        value.forEach(list::add);
    }

    @Override
    public List<String> read(JsonFields in, String key) {
        List<String> all = in.texts(key);
        if (!all.stream().allMatch(each.isRight())) {
            throw in.wrong(key, must());
        }
        return all;
    }

    @Override
    public boolean isNone(List<String> value) {
        return value.isEmpty();
    }

    @Override
    public List<String> moved(List<String> value, UnaryOperator<String> move) {
        return value.stream().map(v -> each.moved(v, move)).toList();
    }
}
