/// The exports of the window: directives, annotated source, designs as files, plots as pictures.
package knobscape.app.ui.export;
