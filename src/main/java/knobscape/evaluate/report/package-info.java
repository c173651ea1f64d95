/// Designs on their way out: tables of configurations with their results as JSON and CSV, and files written whole or not at all.
package knobscape.evaluate.report;
