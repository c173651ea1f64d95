"""Golden values of the expected improvement of hypervolume. Made with Python 3.11, numpy 2.4.6 and scipy 1.17.1, by a way that shares nothing with the Java code:
EIPV = integral over the non-dominated part of the box below the reference point of P(Y <= y) dy, cell by cell on the grid of the front's coordinates. Independent
objectives: the integrand is a product, each factor integrated by scipy.integrate.quad. Two correlated objectives: Gauss-Legendre nodes over each cell,
P(Y <= y) by scipy's bivariate normal distribution function.
Run in this folder: python make_eipv.py (writes eipv.json)"""
import itertools
import json
import numpy as np
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

rng = np.random.default_rng(11)


def cells(front, ref, low):
    edges = [np.unique(np.concatenate([[low[j]], np.clip(front[:, j], low[j], ref[j]), [ref[j]]])) for j in range(len(ref))]
    for index in itertools.product(*[range(len(e) - 1) for e in edges]):
        a = np.array([edges[j][i] for j, i in enumerate(index)])
        b = np.array([edges[j][i + 1] for j, i in enumerate(index)])
        if not np.any(np.all(front <= a, axis=1)):
            yield a, b


def independent(front, ref, mean, sd, log):
    low = np.zeros(len(ref)) if log else mean - 12 * sd
    cdf = [(lambda t, j=j: norm.cdf((np.log10(t) - mean[j]) / sd[j]) if t > 0 else 0.0) if log else
           (lambda t, j=j: norm.cdf((t - mean[j]) / sd[j])) for j in range(len(ref))]
    memo = {}

    def integral(j, a, b):
        if (j, a, b) not in memo:
            centre = 10 ** mean[j] if log else mean[j]
            pts = sorted({p for p in (centre,) if a < p < b})
            memo[j, a, b] = quad(cdf[j], a, b, points=pts or None, limit=400, epsabs=1e-14, epsrel=1e-12)[0]
        return memo[j, a, b]
    return sum(np.prod([integral(j, a[j], b[j]) for j in range(len(ref))]) for a, b in cells(front, ref, low))


def correlated(front, ref, mean, cov):
    sd = np.sqrt(np.diag(cov))
    low = mean - 9 * sd
    nodes, weights = np.polynomial.legendre.leggauss(40)
    total = 0.0
    law = multivariate_normal(mean, cov)
    for a, b in cells(front, ref, low):
        if np.any(b <= a):
            continue
        # Long cells are cut so that every piece is at most two deviations wide.
        parts = [np.linspace(a[j], b[j], max(2, int(np.ceil((b[j] - a[j]) / (2 * sd[j]))) + 1)) for j in range(2)]
        for i, k in itertools.product(range(len(parts[0]) - 1), range(len(parts[1]) - 1)):
            x = (parts[0][i + 1] - parts[0][i]) / 2 * nodes + (parts[0][i + 1] + parts[0][i]) / 2
            y = (parts[1][k + 1] - parts[1][k]) / 2 * nodes + (parts[1][k + 1] + parts[1][k]) / 2
            area = (parts[0][i + 1] - parts[0][i]) / 2 * (parts[1][k + 1] - parts[1][k]) / 2
            grid = np.stack(np.meshgrid(x, y, indexing="ij"), -1).reshape(-1, 2)
            total += area * (weights[:, None] * weights[None, :]).reshape(-1) @ law.cdf(grid)
    return total


cases = []
for m, n, log in itertools.product((2, 3, 4), (0, 1, 5), (False, True)):
    front = np.abs(rng.normal(size=(n, m)))
    front = 1.05 - 0.95 * front / np.maximum(np.linalg.norm(front, axis=1, keepdims=True), 1e-9)
    ref = np.full(m, 1.1)
    for sd_scale in (0.02, 0.3):
        at = 0.2 + 0.8 * rng.random(m)
        mean = np.log10(at) if log else at
        sd = sd_scale * (0.5 + rng.random(m))
        cases.append(dict(front=front.tolist(), reference=ref.tolist(), log=log, mean=mean.tolist(), covariance=np.diag(sd ** 2).tolist(),
                          independent=True, value=float(independent(front.reshape(n, m), ref, mean, sd, log))))
for rho in (-0.8, 0.0, 0.9):
    front = np.array([[0.2, 0.9], [0.5, 0.5], [0.85, 0.25]])
    mean, sd = np.array([0.45, 0.4]), np.array([0.25, 0.15])
    cov = np.array([[sd[0] ** 2, rho * sd[0] * sd[1]], [rho * sd[0] * sd[1], sd[1] ** 2]])
    cases.append(dict(front=front.tolist(), reference=[1.1, 1.1], log=False, mean=mean.tolist(), covariance=cov.tolist(), independent=rho == 0,
                      value=float(correlated(front, np.array([1.1, 1.1]), mean, cov))))
json.dump(cases, open("eipv.json", "w"))
