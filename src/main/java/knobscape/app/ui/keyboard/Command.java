package knobscape.app.ui.keyboard;

/// Something a person can ask the window to do.
///
/// @param id stable name under which a changed shortcut is kept (`run.start`)
/// @param title words on menus and in the shortcut list, sentence case
/// @param category heading in the shortcut list (`File`, `Run`)
/// @param defaultKeys shortcut in JavaFX's spelling (`Shortcut+O`; `Shortcut` is Ctrl or Cmd), empty where
/// there is none
public record Command(String id, String title, String category, String defaultKeys) {}
