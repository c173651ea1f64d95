"""Golden values of the expected improvement of hypervolume by samples, with the normals in the file, so that nothing is left to chance. Made with Python 3.11, numpy 2.4.6 and
moocore 0.3.2, whose C code shares nothing with the Java code: the mean over samples of hypervolume(front and sample) - hypervolume(front), a sample being mean + L z with L the
lower Cholesky factor of the covariance, mapped back by 10^y where logarithms are modelled.
Run in this folder: python make_eipv_sampled.py (writes eipv_sampled.json)"""
import itertools
import json
import moocore
import numpy as np

rng = np.random.default_rng(2311)
cases = []
for m, n, log in itertools.product((2, 3, 4), (1, 6), (False, True)):
    front = np.abs(rng.normal(size=(n, m)))
    front = 1.05 - 0.9 * front / np.linalg.norm(front, axis=1, keepdims=True)
    ref = np.full(m, 1.1)
    normals = np.round(rng.normal(size=(32, m)), 4)
    base = moocore.hypervolume(front, ref=ref)
    for spread in (0.03, 0.25):
        at = 0.15 + 0.8 * rng.random(m)
        mean = np.log10(at) if log else at
        a = rng.normal(size=(m, m))
        covariance = spread ** 2 * (a @ a.T / m + 0.1 * np.eye(m))
        y = mean + normals @ np.linalg.cholesky(covariance).T
        y = 10 ** y if log else y
        gains = [moocore.hypervolume(np.vstack([front, s]), ref=ref) - base for s in y]
        cases.append(dict(front=front.tolist(), reference=ref.tolist(), log=log, mean=mean.tolist(), covariance=covariance.tolist(), normals=normals.tolist(),
                          value=float(np.mean(gains))))
json.dump(cases, open("eipv_sampled.json", "w"))
