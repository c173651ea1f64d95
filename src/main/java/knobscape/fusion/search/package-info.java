/// Searches for fusion strategies: G-Sampler and its rivals (DNNFuser, arXiv 2201.11218, section 5), and
/// references that tell how good they are.
///
/// Begin with [FusionMethod], the list, and [Searcher], what one of them is; [ExactSearch] is the reference.
/// Learned mappers are in `fusion.search.sequence`, costs in `fusion.evaluate`.
package knobscape.fusion.search;
