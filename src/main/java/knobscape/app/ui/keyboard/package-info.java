/// Commands and shortcuts as data: one list from which menus, buttons, tooltips and the shortcut page are made,
/// and which a person can change.
package knobscape.app.ui.keyboard;
