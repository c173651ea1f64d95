/// The command line: one class for each verb.
package knobscape.app.cli;
