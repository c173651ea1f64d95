/// Layer fusion: how many samples of each layer's output are kept on chip, and where the batch is synchronised
/// through off-chip memory instead.
///
/// Begin with [FusionArea], the one class the floors above see. The rooms: `source` (network and accelerator),
/// `space` (strategies), `evaluate` (cost model), `search` (searches for strategies only), `export` (files).
/// Nothing here knows `hls` or `gpu`; searches of general use are in `explore`.
package knobscape.fusion;
