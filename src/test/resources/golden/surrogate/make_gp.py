"""Golden values for knobscape.surrogate.gp. Made with Python 3.11, numpy 2.4.6, torch 2.13.0 (float64, gradients by autograd) and scikit-learn 1.9.1.
Covariance, written out densely and independently of the Java code:
  lowest fidelity   B0[a,b] k0(x,x') + [a==b, same design] D[a]
  above             B0[a,b] k0(x,x') (sum_c v_c g_c g'_c + kg(g,g')) + B1[a,b] k1(x,x') + [a==b, same design] D[a]
Run in this folder: python make_gp.py (writes gp.json)"""
import json
import math
import numpy as np
import torch
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

torch.set_default_dtype(torch.float64)
rng = np.random.default_rng(7)
FLOOR = 1e-6


def matern(x, z, log_length):
    length = torch.exp(log_length)
    diff = (x[:, None, :] - z[None, :, :]) / length
    r2 = (diff ** 2).sum(-1)
    r = torch.sqrt(torch.where(r2 == 0, torch.ones_like(r2), r2))
    r = torch.where(r2 == 0, torch.zeros_like(r), r)
    a = math.sqrt(5) * r
    return (1 + a + 5 * r2 / 3) * torch.exp(-a)


def unpack(theta, d, g, m, slopes):
    terms = 1 if g == 0 else 2
    at = 0
    lx = theta[at:at + d]; at += d
    lg = theta[at:at + g]; at += g
    v = torch.exp(theta[at:at + slopes]); at += slopes
    le = None
    if terms == 2:
        le = theta[at:at + d]; at += d
    bs = []
    for _ in range(terms):
        l = torch.zeros(m, m)
        for a in range(m):
            for b in range(a + 1):
                l[a, b] = torch.exp(theta[at]) if a == b else theta[at]
                at += 1
        bs.append(l @ l.T)
    noise = FLOOR + torch.exp(theta[at:at + m]); at += m
    assert at == len(theta)
    return lx, lg, v, le, bs, noise


def kernels(theta, x, xg, z, zg, d, g, m, slopes):
    lx, lg, v, le, bs, noise = unpack(theta, d, g, m, slopes)
    k0 = matern(x, z, lx)
    if g == 0:
        return [(bs[0], k0)], noise
    link = matern(xg, zg, lg)
    if slopes:
        link = link + (xg * v) @ zg.T
    return [(bs[0], k0 * link), (bs[1], matern(x, z, le))], noise


cases = []
for name, n, d, g, m, missing, slopes in (("complete", 14, 4, 0, 3, 0, 0), ("gaps", 14, 4, 0, 3, 9, 0), ("single", 11, 3, 0, 1, 0, 0),
                                          ("ladder", 12, 3, 2, 3, 0, 0), ("ladder gaps", 12, 3, 3, 3, 7, 0), ("two", 9, 5, 1, 2, 0, 1),
                                          ("slopes", 12, 3, 2, 3, 0, 2), ("slopes gaps", 12, 3, 3, 3, 7, 3)):
    x = rng.random((n, d)); x[:, 0] = np.round(x[:, 0])
    low = rng.normal(size=(n, g)) * 3 + 1
    y = np.stack([np.sin(3 * x[:, 0] + a) + x[:, 1] ** 2 * (a + 1) + 0.3 * rng.normal(size=n) for a in range(m)], 1) * 2 - 5
    if g:
        y = y + 0.4 * low[:, :1]
    holes = rng.permutation(n * m)[:missing]
    y.reshape(-1)[holes] = np.nan
    mean, sd = np.nanmean(y, 0), np.nanstd(y, 0)
    lm, ls = (low.mean(0), low.std(0)) if g else (np.zeros(0), np.ones(0))
    size = d * (1 if g == 0 else 2) + g + slopes + (1 if g == 0 else 2) * m * (m + 1) // 2 + m
    theta_np = rng.normal(size=size) * 0.5
    theta_np[-m:] -= 3
    theta = torch.tensor(theta_np, requires_grad=True)
    xt, gt = torch.tensor(x), torch.tensor((low - lm) / ls)
    ys = torch.tensor((y - mean) / sd).T.reshape(-1)
    seen = ~torch.isnan(ys)
    parts, noise = kernels(theta, xt, gt, xt, gt, d, g, m, slopes)
    K = sum(torch.kron(b, k) for b, k in parts) + torch.kron(torch.diag(noise), torch.eye(n))
    K = K[seen][:, seen]
    mvn = torch.distributions.MultivariateNormal(torch.zeros(int(seen.sum())), K)
    lml = mvn.log_prob(ys[seen])
    lml.backward()
    t = theta.detach()
    q = 6
    zx = rng.random((q, d)); zx[0] = x[0]
    zg = rng.normal(size=(q, g)) * 3 + 1
    if g:
        zg[0] = low[0]
    zxt, zgt = torch.tensor(zx), torch.tensor((zg - lm) / ls)
    cross, _ = kernels(t, xt, gt, zxt, zgt, d, g, m, slopes)
    prior, _ = kernels(t, zxt, zgt, zxt, zgt, d, g, m, slopes)
    Ks = sum(torch.kron(b, k) for b, k in cross)[seen]
    Kss = sum(torch.kron(b, k) for b, k in prior)
    Kd = K.detach()
    sol = torch.linalg.solve(Kd, Ks)
    pm = (sol.T @ ys[seen]).reshape(m, q).T.numpy() * sd + mean
    pc = (Kss - Ks.T @ sol).reshape(m, q, m, q)
    cov = np.stack([pc[:, i, :, i].numpy() * np.outer(sd, sd) for i in range(q)])
    cases.append(dict(name=name, slopes=slopes > 0, x=x.tolist(), lower=low.tolist(), y=[[None if math.isnan(v) else v for v in r] for r in y.tolist()],
                      theta=theta_np.tolist(), logLikelihood=lml.item(), gradient=theta.grad.tolist(),
                      queryX=zx.tolist(), queryLower=zg.tolist(), mean=pm.tolist(), covariance=cov.tolist()))
    if name == "single":
        # A second opinion on the same case.
        kernel = ConstantKernel(math.exp(2 * theta_np[d])) * Matern(length_scale=np.exp(theta_np[:d]), nu=2.5) \
            + WhiteKernel(FLOOR + math.exp(theta_np[-1]))
        sk = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(x, (y[:, 0] - mean[0]) / sd[0])
        mu, s = sk.predict(zx, return_std=True)
        cases[-1]["sklearn"] = dict(logLikelihood=float(sk.log_marginal_likelihood_value_), mean=(mu * sd[0] + mean[0]).tolist(),
                                    variance=((s ** 2 - FLOOR - math.exp(theta_np[-1])) * sd[0] ** 2).tolist())
json.dump(cases, open("gp.json", "w"))
