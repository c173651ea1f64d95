/// The building blocks of views: loading of FXML, tabs, table columns. Knows nothing of what is shown.
package knobscape.app.ui.view;
