"""%s

For TVM 0.27. With `database` in scope TVM compiles the kernels below as they were tuned:

    import schedules
    with schedules.database, target:
        mod = relax.transform.MetaScheduleApplyDatabase()(mod)

A kernel is found by its extents, whatever it is called; the others are left alone.
"""
from tvm.s_tir.meta_schedule.database import ScheduleFnDatabase

# Of every axis the factors, outermost first: block, virtual thread, thread, inner of results; outer to inner of sums.
KERNELS = [
%s]
SUMMED = 2


def _extents(axes):
    extents = []
    for factors in axes:
        extent = 1
        for f in factors:
            extent *= f
        if extent > 1:
            extents.append(extent)
    return extents


def _find(sch):
    """The block that sums over the extents of a kernel, and the kernel."""
    for block in sch.get_child_blocks(sch.get_sblock("root")):
        data, summed = [], []
        for v in sch.get(block).iter_vars:
            extent = int(v.dom.extent)
            if extent > 1:
                (summed if v.iter_type == SUMMED else data).append(extent)
        for kernel in KERNELS:
            if summed and data == _extents(kernel["results"]) and summed == _extents(kernel["sums"]):
                return block, kernel
    return None, None


def _split(sch, loops, axes):
    """Every loop in the factors of its axis; loops of extent 1 have none of their own."""
    parts = len(axes[0])
    left = [f for f in axes if _extents([f])]
    split = []
    for loop in loops:
        extent = int(sch.get(loop).extent)
        split.append(sch.split(loop, left.pop(0) if extent > 1 else [1] * parts))
    return [[s[p] for s in split] for p in range(parts)]


def _others(sch, main):
    """What stands before and behind the sum is computed where it is read, or by threads of its own; gives what reads the sum."""
    kept = sch.get(main).name_hint
    tail = None
    for block in sch.get_child_blocks(sch.get_sblock("root")):
        if sch.get(block).name_hint == kept:
            continue
        for inline in (sch.compute_inline, sch.reverse_compute_inline):
            try:
                inline(block)
                break
            except Exception:  # TVM says in this way that it cannot be inlined.
                continue
        else:
            if sch.get(block).name_hint in [sch.get(c).name_hint for c in sch.get_consumers(main)]:
                tail = block
                continue
            outer, inner = sch.split(sch.fuse(*sch.get_loops(block)), [None, 128])
            sch.bind(outer, "blockIdx.x")
            sch.bind(inner, "threadIdx.x")
    return tail


def schedule(sch):
    main, kernel = _find(sch)
    if main is None:
        return False
    tail = _others(sch, main)
    loops = sch.get_loops(main)
    kinds = [v.iter_type for v in sch.get(main).iter_vars]
    blocks, virtual, threads, inner = _split(
        sch, [l for l, k in zip(loops, kinds) if k != SUMMED], kernel["results"])
    sums = _split(sch, [l for l, k in zip(loops, kinds) if k == SUMMED], kernel["sums"])
    sch.reorder(*blocks, *virtual, *threads, *[l for level in sums for l in level], *inner)
    block = sch.fuse(*blocks)
    sch.bind(block, "blockIdx.x")
    sch.bind(sch.fuse(*virtual), "vthread.x")
    thread = sch.fuse(*threads)
    sch.bind(thread, "threadIdx.x")
    width = int(sch.get(thread).extent)
    if tail is None:
        tail = sch.cache_write(main, 0, "local")
    else:
        sch.set_scope(main, 0, "local")
    sch.reverse_compute_at(tail, thread, preserve_unit_loops=True)
    above = 3 + len(sums[0])
    for operand in range(2):
        copy = sch.cache_read(main, operand, "shared")
        sch.compute_at(copy, sums[0][-1], preserve_unit_loops=True)
        _, lane = sch.split(sch.fuse(*sch.get_loops(copy)[above:]), [None, width])
        sch.bind(lane, "threadIdx.x")
    sch.decompose_reduction(main, sums[0][0])
    if kernel["unroll"]:
        sch.annotate(block, "pragma_auto_unroll_max_step", kernel["unroll"])
        sch.annotate(block, "pragma_unroll_explicit", kernel["explicit"])
    return True


database = ScheduleFnDatabase(schedule)
