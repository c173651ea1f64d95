"""Golden values for knobscape.pareto. Made with Python 3.11, numpy 2.4.6, moocore 0.3.2 (hypervolume), pymoo 0.6.2 (IGD, non-dominated sorting).
Run in this folder: python make_pareto.py (writes pareto.json)"""
import json
import moocore
import numpy as np
from pymoo.indicators.igd import IGD
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

rng = np.random.default_rng(20261120)
cases = []
for m in (2, 3, 4):
    for n in (1, 2, 7, 30):
        for kind in ("uniform", "sphere", "ties", "outside"):
            p = rng.random((n, m))
            if kind == "sphere":
                p = np.abs(rng.normal(size=(n, m)))
                p = 1.05 - p / np.linalg.norm(p, axis=1, keepdims=True)
            if kind == "ties":
                p = np.round(p * 4) / 4
            if kind == "outside":
                p = p * 1.6
            ref = np.full(m, 1.1)
            front = NonDominatedSorting().do(p, only_non_dominated_front=True)
            ref_front = np.unique(p[np.sort(front)], axis=0)
            found = p[:: 2] + 0.03
            # Distances of ADRS: IGD on objectives scaled by the reference front's range; the relative one by its definition.
            low, high = ref_front.min(0), ref_front.max(0)
            size = np.maximum(np.abs(low), np.abs(high))
            scale = np.where(high > low, high - low, np.where(size > 0, size, 1.0))
            case = dict(m=m, kind=kind, points=p.tolist(), reference=ref.tolist(),
                        hypervolume=float(moocore.hypervolume(p, ref=ref)),
                        nonDominated=sorted(int(i) for i in front),
                        referenceFront=ref_front.tolist(), found=found.tolist(),
                        adrsEuclidean=float(IGD(ref_front / scale)(found / scale)))
            if low.min() > 0:
                rel = (found[None, :, :] - ref_front[:, None, :]) / ref_front[:, None, :]
                case["adrsRelative"] = float(np.maximum(rel, 0).max(2).min(1).mean())
            cases.append(case)
json.dump(cases, open("pareto.json", "w"))
