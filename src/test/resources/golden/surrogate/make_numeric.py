"""Golden values for knobscape.numeric. Made with Python 3.11, numpy 2.4.6 and scipy 1.17.1.
Run in this folder: python make_numeric.py (writes numeric.json)"""
import json
import numpy as np
from scipy.stats import norm, qmc

rng = np.random.default_rng(3)
xs = np.concatenate([np.linspace(-38, 38, 153), rng.normal(size=40), [-7.0710678, -7.0710679, 0.0]])
ps = np.concatenate([10.0 ** -np.arange(1, 300, 13), rng.random(40), 1 - 10.0 ** -np.arange(1, 12), [0.5, 0.02425, 0.024250001]])
a = rng.normal(size=(9, 9))
a = a @ a.T + 0.1 * np.eye(9)
json.dump(dict(x=xs.tolist(), cumulative=norm.cdf(xs).tolist(), density=norm.pdf(xs).tolist(), p=ps.tolist(), quantile=norm.ppf(ps).tolist(),
               sobol=qmc.Sobol(21, scramble=False, bits=32).random(64).tolist(),
               matrix=a.tolist(), inverse=np.linalg.inv(a).tolist(), logDeterminant=float(np.linalg.slogdet(a)[1]),
               eigenvalues=np.linalg.eigvalsh(a).tolist()), open("numeric.json", "w"))
