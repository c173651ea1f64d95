/// The subject of a fusion search: a network as a row of layers ([FusionNetwork]), and the [Accelerator] it runs
/// on with its file ([AcceleratorFile]). Reading networks is `network`; what a strategy costs is
/// `fusion.evaluate`.
package knobscape.fusion.source;
