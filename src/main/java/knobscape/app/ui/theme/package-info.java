/// Light, dark and system look. Colours live in the style sheets; charts read them from there through
/// [knobscape.app.ui.theme.PaletteProbe].
package knobscape.app.ui.theme;
