"""Golden values for knobscape.explore.acquisition. Made with Python 3.11 and mpmath 1.3.0, 60 digits.
Run in this folder: python make_expected_improvement.py (writes expected_improvement.json)
Rows: standardised gain z = (target - mean) / deviation; z Phi(z) + phi(z); its natural logarithm. Lognormal rows:
target, mean, deviation, E max(0, target - exp(Y)), by the closed form in 60 digits."""
import json
import sys
from mpmath import mp, mpf, ncdf, npdf, log, exp, quad, inf

mp.dps = 60
assert abs(quad(lambda y: (mpf(1) / 3 - y) * npdf(y), [-inf, -5, 0, mpf(1) / 3])
           - (mpf(1) / 3 * ncdf(mpf(1) / 3) + npdf(mpf(1) / 3))) < mpf(10) ** -40
zs = [i / 4 for i in range(-40, 41)] + [-4.5, -4.500001, -4.499999, -12.3, -17, -25, -30, -30.001, -36.9, -37.1, -38.4, -50, -100, -1000, -12345.678, -1e6, -1e8]
rows = []
for z in zs:
    mp.dps = 60 + (20 if z > -1e4 else 40)
    x = mpf(z)
    # Beyond about -1e4 the two terms cancel to more digits than there are; the asymptotic series has them all.
    if z > -1000:
        h = x * ncdf(x) + npdf(x)
        value, logarithm = h, log(h)
    else:
        s, term, k = mpf(0), mpf(1), 0
        while k < 40:
            # x^-2 (1 - 3/x^2 + 15/x^4 - ...): terms (2k+1)!! (-1)^k x^-(2k)
            s += term
            k += 1
            term *= -(2 * k + 1) / (x * x)
        logarithm = -x * x / 2 - log(2 * mp.pi) / 2 + log(s) - 2 * log(-x)
        value = exp(logarithm)
    rows.append([z, float(value) if value > mpf(10) ** -307 else 0.0, float(logarithm)])
mp.dps = 60
lognormal = []
for t, m, s in [(1.0, 0.0, 1.0), (0.5, 0.1, 0.3), (2.0, -1.0, 0.05), (0.2, 0.0, 0.25), (1.1, 1.5, 0.7), (3.0, -0.3, 2.0)]:
    T, M, S = mpf(t), mpf(m), mpf(s)
    z = (log(T) - M) / S
    lognormal.append([t, m, s, float(T * ncdf(z) - exp(M + S * S / 2) * ncdf(z - S))])
json.dump(dict(normal=rows, lognormal=lognormal), open("expected_improvement.json", "w"))
