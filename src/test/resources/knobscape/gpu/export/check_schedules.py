# Applies an exported module to work that TVM 0.27 defines itself, and prints of every kernel its name, blocks and threads. Used by a test.
import re
import sys

import tvm
from tvm import te, topi

if not tvm.__version__.startswith("0.27"):
    print("TVM", tvm.__version__)
    sys.exit(3)
sys.path.insert(0, sys.argv[1])
import schedules


def relu(x):
    return te.compute(x.shape, lambda *i: tvm.tirx.max(x(*i), tvm.tirx.const(0.0, "float32")), name="relu")


def conv(n, c, h, w, k, r, s, pad, groups):
    data = te.placeholder((n, c, h, w), name="data")
    weight = te.placeholder((c, 1, r, s) if groups > 1 else (k, c, r, s), name="weight")
    made = topi.nn.depthwise_conv2d_nchw(data, weight, 1, pad, 1) if groups > 1 else topi.nn.conv2d_nchw(data, weight, 1, pad, 1)
    return [data, weight, relu(made)]


def dense(m, n, k):
    a, b = te.placeholder((1, m, k), name="a"), te.placeholder((n, k), name="b")
    i = te.reduce_axis((0, k), name="k")
    return [a, b, relu(te.compute((1, m, n), lambda z, y, x: te.sum(a[z, y, i] * b[x, i], axis=i), name="product"))]


def batch(z, m, n, k):
    a, b = te.placeholder((z, m, k), name="a"), te.placeholder((z, k, n), name="b")
    i = te.reduce_axis((0, k), name="k")
    return [a, b, te.compute((z, m, n), lambda z, y, x: te.sum(a[z, y, i] * b[z, i, x], axis=i), name="product")]


target = tvm.target.Target({"kind": "cuda", "arch": "sm_80", "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "thread_warp_size": 32}, host={"kind": "llvm"})
for line in sys.argv[2:]:
    kind, *extents = line.split(",")
    made = {"conv": conv, "dense": dense, "batch": batch}[kind](*map(int, extents))
    mod = tvm.IRModule({"main": te.create_prim_func(made)})
    found = schedules.database.query_schedule(mod, target, "main")
    if found is None:
        print(line, "nothing")
        continue
    text = found.mod["main"].script()
    # TVM verifies memory and threads on the way; the text of the kernel is there without a GPU.
    source = tvm.compile(found.mod, target).mod.imports[0].inspect_source()
    blocks = {int(m) for m in re.findall(r'thread_binding\((\d+), thread="blockIdx.x"', text)}
    threads = {int(m) for m in re.findall(r'thread_binding\((\d+), thread="threadIdx.x"', text)}
    print(line, blocks, threads, text.count('scope="shared"'), text.count('scope="local"'), source.count("__global__"))
