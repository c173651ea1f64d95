/// Searchers for fusion strategies: G-Sampler and its rivals (DNNFuser, arXiv 2201.11218, section 5), and references that tell how good they are.
package knobscape.fusion.search;
