/// Running explorations: settings, start, pause, resume, stop, progress, log.
package knobscape.app.ui.run;
