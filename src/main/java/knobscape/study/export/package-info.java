/// The exports of a study: the best configuration as a header, a command line or a document; and a study file drafted
/// from a source.
package knobscape.study.export;
