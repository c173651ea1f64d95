/// HLS directives as knobs: which decisions a kernel offers, the directive file that names them, the pruning of
/// the thesis (section 3.3, Algorithm 1), and the way from a configuration to directives.
///
/// ## Knobs
/// Unroll factor and pipelining of loops, type and factor of the partition of every array dimension, and
/// inlining of functions are in the default space. Reshaping, dataflow, flattening, binding of multipliers and
/// of storage multiply the space and join only when asked for ([KnobKind#byDefault()]; `defaults:` or an entry
/// of a [DirectiveFile]); reshaping and values of the bindings also where [KnobCosts] says that they pay.
/// Candidate factors are divisors and powers of two up to the trip count or the
/// dimension, bounded by [SpaceLimits]; a loop whose trip count is only bounded is not unrolled completely, one
/// with an unknown count has no unroll knob unless a file names its factors. A loop has a pipeline knob where
/// everything inside it can be unrolled (exact trip counts, calls included) into no more copies than the limits
/// allow. What pragmas of the source ask for is added to the candidates and makes the baseline.
///
/// Arrays are physical: a formal array parameter stands for the actual arrays of all calls, through any number
/// of calls. The knob belongs to the actual array, and the accesses made through the formal count for each of
/// them, so that two arrays passed to one function are tied by the loops in it.
///
/// ## Algorithm 1, as read here
/// The graph of an array has the array as root and the loops that index it by an affine form as children, inner
/// loops nearer the root, the outermost one as leaf; graphs that share loops are merged. The algorithm gives
/// one array a partition type and factor, gives every loop of the graph an unroll factor that is compatible
/// with it, goes back from the leaves and gives the other arrays the matching partitions, does so for every
/// array, type and factor, and unites the results. With "a compatible factor" read as "each compatible factor",
/// the union over all roots is the set of assignments in which every array dimension fits every loop that
/// indexes it; the order of roots and loops does not matter, and repeated configurations are one. This set is
/// held as a decision diagram ([knobscape.space.Diagrams]) and never listed.
///
/// The algorithm speaks of an array's factor; real directives partition a dimension. So the rules hold for each
/// dimension with the loops that occur in its index. In one dimension, with the stride of a loop per iteration
/// taken from the affine coefficients,
///
/// - a loop *walks* when each of its accesses moves by one index of this dimension (stride 1 or -1);
/// - a loop *jumps* when each of its accesses moves by more than one element of the array as it lies in memory
///   (row-major), so that a run of elements, walked by the loops inside, lies between consecutive iterations.
///
/// In `a[64*i+k]` k walks and i jumps; in `a[i][k]` k walks in the second dimension, and i both walks and jumps
/// in the first. A loop that strides differently in two accesses does neither.
///
/// - `none`, and two banks of either type: on every path from an outermost to an innermost loop at most one
///   indexing loop is unrolled, and it by 2. A memory has two ports; a second one costs little, serves pipelined
///   loops that are not unrolled, and need not suit how loops move nor what other arrays have. (Of 106 designs on
///   measured fronts the rules below alone keep 32, with this slack all; nothing was fitted to them but the two.)
/// - `cyclic` with factor f: loops that walk are unrolled in step with f, all others that index the dimension
///   stay at 1.
/// - `block` with factor f: loops that jump are unrolled in step with f, all others (the inner ones that walk)
///   stay at 1.
/// - `complete`: every indexing loop may be unrolled by any factor, and one is, if any can be.
///
/// *In step* with f banks means that the unroll factor is f, or that half of it, rounded up, is f (two accesses
/// per bank and cycle). No other divisor counts: more banks cost memory without parallelism, fewer starve the
/// copies (thesis section 3.3.1). Within one nest, on every path that holds loops of the moving kind, exactly
/// one of them is unrolled: parallel inner loops go together, as L2 and L3 in Fig. 3.5, while of two such loops
/// inside each other (`in[y+dy]`) one is chosen. A whole other nest may stay as it is, as long as one nest uses
/// the banks.
///
/// "The same type and the matching factor": all dimensions that one unrolled loop indexes have equally many
/// banks, complete ones apart; where both cyclic and block could serve the loop they have the same type; where
/// only one can, it has that one. So `m1[64*i+k]` is cyclic and `m2[64*k+j]` block when k is unrolled.
///
/// Accesses that are not affine tie nothing: no partition can follow them. A dimension without partition knob
/// constrains nothing, and for a loop without unroll knob arrays may be laid out for any factor: the source or
/// the tool decides over it. Block partitions are kept for any factor, as in the
/// thesis, although the exact banks of consecutive iterations depend on it; the toolchain evaluates that.
///
/// ## Knobs outside the graphs
/// They multiply in, less what contradicts:
///
/// - A loop inside a pipelined one (also through a call, where every call is) is *covered*: the tool unrolls it
///   completely. Its own knobs rest at `1` and `off`, one representative for all their values. Arrays may be
///   laid out for any of its factors, and that as soon as one call of its function is covered.
/// - A completely unrolled loop is neither pipelined nor flattened.
/// - Flattening is offered for the innermost loop of a perfect nest and needs the outer loops of the nest not
///   unrolled.
/// - Dataflow of a function or loop body, offered where it is a sequence of loops and calls, needs the function
///   and the called ones not inlined and the loop not pipelined.
/// - A reshape serves loops like a cyclic partition of the same factor, and beside a cyclic partition like one of
///   both factors together, which must not be more than there are elements. Beside a block or complete partition a
///   dimension is not reshaped.
/// - An array in registers (all dimensions complete) has no storage to bind.
///
/// - Two banks that no unrolled loop asks for, and inlining, are left out where [KnobCosts] calls them in vain.
///
/// The source as it stands, with what its pragmas say, is always a member, whatever the rules think of it.
///
/// The toolchain decides whether a design fits the part, and nothing here.
///
/// Tests hold the built spaces against the same rules written out from the definitions (`Compatibility`).
///
/// Begin with [SpaceBuilder] and [DirectiveSpace]; evaluating directives is `hls.evaluate`, writing them for a
/// tool `hls.export`.
package knobscape.hls.space;
