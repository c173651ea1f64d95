package knobscape.app.ui.theme;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.css.CssMetaData;
import javafx.css.SimpleStyleableObjectProperty;
import javafx.css.StyleConverter;
import javafx.css.Styleable;
import javafx.css.StyleableObjectProperty;
import javafx.css.StyleableProperty;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;

/// An invisible region whose style sheet properties (`-ks-front` ...) are the palette of the charts, so that
/// colours stand in the style sheets alone and charts follow the theme at once.
public final class PaletteProbe extends Region {
    private static final List<CssMetaData<PaletteProbe, Color>> META = metaData();
    private static final List<CssMetaData<? extends Styleable, ?>> ALL_META = allMetaData();

    private final List<StyleableObjectProperty<Color>> colours = new ArrayList<>();
    private final ReadOnlyObjectWrapper<Palette> palette = new ReadOnlyObjectWrapper<>(Palette.light());

    /// Invisible and without size.
    public PaletteProbe() {
        getStyleClass().add("palette");
        setManaged(false);
        setMouseTransparent(true);
        for (CssMetaData<PaletteProbe, Color> meta : META) {
            var colour = new SimpleStyleableObjectProperty<>(meta, this, meta.getProperty(), Color.GRAY);
            colours.add(colour);
        }
        colours.forEach(c -> c.addListener((o, was, is) -> publish()));
    }

    /// The palette as the style sheets say now.
    public ReadOnlyObjectProperty<Palette> palette() {
        return palette.getReadOnlyProperty();
    }

    private void publish() {
        var now = new EnumMap<Hue, java.awt.Color>(Hue.class);
        for (Hue hue : Hue.values()) {
            now.put(hue, awt(hue.ordinal()));
        }
        palette.set(new Palette(now));
    }

    private java.awt.Color awt(int i) {
        Color c = colours.get(i).get();
        return new java.awt.Color(
                (float) c.getRed(), (float) c.getGreen(), (float) c.getBlue(), (float) c.getOpacity());
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return ALL_META;
    }

    private static List<CssMetaData<PaletteProbe, Color>> metaData() {
        var all = new ArrayList<CssMetaData<PaletteProbe, Color>>();
        for (int i = 0; i < Hue.values().length; i++) {
            int index = i;
            all.add(
                    new CssMetaData<>(
                            "-ks-" + Hue.values()[i].name().toLowerCase(Locale.ROOT),
                            StyleConverter.getColorConverter(),
                            Color.GRAY) {
                        @Override
                        public boolean isSettable(PaletteProbe probe) {
                            return !probe.colours.get(index).isBound();
                        }

                        @Override
                        public StyleableProperty<Color> getStyleableProperty(PaletteProbe probe) {
                            return probe.colours.get(index);
                        }
                    });
        }
        return List.copyOf(all);
    }

    private static List<CssMetaData<? extends Styleable, ?>> allMetaData() {
        var all = new ArrayList<CssMetaData<? extends Styleable, ?>>(Region.getClassCssMetaData());
        all.addAll(META);
        return List.copyOf(all);
    }
}
