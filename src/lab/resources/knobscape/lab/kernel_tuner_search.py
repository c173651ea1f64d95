"""Searches a cache file of Kernel Tuner by one of Kernel Tuner's own strategies, once for each budget.

Usage: python3 kernel_tuner_search.py CACHE STRATEGY SEED BUDGET...
Prints a line of JSON, {"32": 1.5, ...}: the least time in milliseconds found with each budget, null where nothing ran.
What the cache does not hold violates the kernel's constraints.
"""
import contextlib
import gzip
import io
import json
import os
import random
import sys
import tempfile

import kernel_tuner
import numpy


def search(cache, plain, strategy, seed, budget):
    names = cache["tune_params_keys"]
    measured = {tuple(row[n] for n in names) for row in cache["cache"].values()}

    def known(*values):
        return (tuple(values[0][n] for n in names) if isinstance(values[0], dict) else tuple(values)) in measured

    random.seed(seed)
    numpy.random.seed(seed)
    with contextlib.redirect_stdout(io.StringIO()):
        rows, _ = kernel_tuner.tune_kernel(
            cache["kernel_name"],
            "",
            cache["problem_size"],
            [],
            cache["tune_params"],
            restrictions=known,
            strategy=strategy,
            strategy_options={"max_fevals": budget},
            cache=plain,
            simulation_mode=True,
            lang="CUDA",
        )
    return min((r["time"] for r in rows if isinstance(r["time"], (int, float))), default=None)


def main(path, strategy, seed, budgets):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        cache = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "cache.json")
        with open(plain, "w") as f:
            json.dump(cache, f)
        print(json.dumps({b: search(cache, plain, strategy, seed, b) for b in budgets}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), [int(b) for b in sys.argv[4:]])
