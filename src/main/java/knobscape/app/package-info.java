/// The start of the program: the entry point, and what both the window and the command line need to know of the
/// installation they run from.
package knobscape.app;
