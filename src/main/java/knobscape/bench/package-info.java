/// Benches: published or promised tables repeated by the program itself, resumable, with every aim as a row
/// that is met or not.
///
/// Begin with [Bench] and [Benches], which lists them; [BenchReport] is what a bench gives. A bench only runs
/// what the areas offer: no search, model or evaluator is written here, and nothing here is shown (that is
/// `app.cli` and `app.ui.bench`).
package knobscape.bench;
