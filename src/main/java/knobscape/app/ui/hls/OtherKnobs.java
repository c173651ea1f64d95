package knobscape.app.ui.hls;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Consumer;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.insight.Importance;
import knobscape.app.ui.insight.KnobFixing;
import knobscape.hls.space.DirectiveSpace;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// Knobs that matter little keep the values of the selected design and of the baseline.
record OtherKnobs(HlsViewModel model) implements KnobFixing {
    @Override
    public void effect(Importance importance, Consumer<String> then) {
        String kept = model.results()
                .selectedDesign()
                .map(Design::number)
                .filter(n -> n != Results.BASELINE)
                .map(n -> Results.title(n) + " and the baseline")
                .orElse("the baseline");
        model.edits()
                .restricted(
                        (space, c) -> keeping(importance, space, c),
                        (all, left) -> then.accept(words(kept, all, left)));
    }

    private static String words(String kept, BigInteger all, BigInteger left) {
        return "They keep the values of " + kept + ". The next runs search " + Sizes.words(left) + " designs, "
                + Sizes.share(left, all) + " of the space of " + Sizes.words(all) + ".";
    }

    @Override
    public void fix(Importance importance) {
        model.edits().restrict("fixing knobs", (space, c) -> keeping(importance, space, c));
    }

    private static KnobEdits keeping(Importance importance, DirectiveSpace space, Configuration design) {
        List<Integer> free =
                importance.top().stream().map(Importance.Share::knob).toList();
        return KnobEdits.keeping(space, design, free);
    }
}
