/// Benches: published or promised tables repeated by the program itself, resumable, with every aim as a row
/// that is met or not.
///
/// Begin with [Bench] and [Benches], which lists them; [BenchReport] is what a bench gives. `knobscape.lab.Laboratory`
/// is the command
/// line and [LabMethods] holds the methods that exist for comparisons alone. The program itself cannot see any of it.
package knobscape.lab.bench;
