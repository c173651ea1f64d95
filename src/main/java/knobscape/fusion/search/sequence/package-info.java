/// Sequence models that write a fusion strategy down in one pass, entry by entry: DNNFuser (a causal
/// Transformer) and Seq2Seq (an LSTM encoder and decoder), what they see, who teaches them, and how they are
/// trained, kept and asked (DNNFuser, arXiv 2201.11218, sections 4 and 5). Training runs in LibTorch; answers
/// are computed in plain Java and need nothing else.
///
/// Begin with [SequenceMapper] for asking and [SequenceTraining] for teaching. Other searches are in
/// `fusion.search`.
package knobscape.fusion.search.sequence;
