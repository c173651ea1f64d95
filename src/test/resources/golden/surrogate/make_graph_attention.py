# Forward pass, loss and gradients of the graph attention model in PyTorch (nn.functional, autograd), double precision.
import json, torch
import torch.nn.functional as F
torch.set_default_dtype(torch.float64)
NODE, STAT, WIDTH, T = 136, 656, 512, 4
P = WIDTH // T
state = [0]
def values(n, scale):
    out = []
    for _ in range(n):
        state[0] = (state[0] * 1103515245 + 12345) % 2**31
        out.append((state[0] / 2**31 - 0.5) * scale)
    return torch.tensor(out)
GRAPHS = [(3, [(0, 1), (1, 2)]), (1, []), (5, [(0, 2), (1, 2), (2, 3), (3, 4), (0, 4)])]
OF = [0, 2, 1, 0, 2, 2, 0]
def parameters(conv, attention):
    def lin(name, i, o): return [(name + ".weight", (i, o)), (name + ".bias", (o,))]
    ps = []
    for l in (1, 2):
        if conv == "spectral": ps += [(f"graph{l}.weight", (NODE, NODE))]
        if conv in ("wl", "sage"): ps += [(f"graph{l}.self", (NODE, NODE)), (f"graph{l}.neighbours", (NODE, NODE))]
        if conv == "masked": ps += [(f"graph{l}.weight", (NODE, NODE)), (f"graph{l}.to", (NODE, 1)), (f"graph{l}.from", (NODE, 1))]
    ps += lin("joint", STAT + (0 if conv == "none" else NODE), WIDTH)
    if attention:
        ps += [("attention." + p, (P, T * P)) for p in ("query", "key", "value")] + [("attention.output", (T * P, P))]
    for l, (i, o) in enumerate(((512, 200), (200, 100), (100, 20), (20, 1))): ps += lin(f"layer{l+1}", i, o)
    return ps
def graph(conv, w, l, x, edges):            # one node after another, as the formulas are written
    n = len(x); nb = [[] for _ in range(n)]
    for a, b in edges: nb[a].append(b); nb[b].append(a)
    out = []
    h = x @ w[f"graph{l}.weight"] if conv in ("spectral", "masked") else None
    for i in range(n):
        if conv in ("wl", "sage"):
            s = sum((x[j] for j in nb[i]), torch.zeros(NODE))
            if conv == "sage" and nb[i]: s = s / len(nb[i])
            out.append(x[i] @ w[f"graph{l}.self"] + s @ w[f"graph{l}.neighbours"])
        elif conv == "spectral":
            out.append(sum(h[j] / ((1 + len(nb[i])) * (1 + len(nb[j]))) ** 0.5 for j in nb[i] + [i]))
        else:
            js = nb[i] + [i]
            e = torch.stack([F.leaky_relu((h[i] @ w[f"graph{l}.to"] + h[j] @ w[f"graph{l}.from"])[0], 0.2) for j in js])
            out.append(F.softmax(e, 0) @ h[js])
    return torch.stack(out)
def run(conv, attention, loss):
    state[0] = 42
    nodes = [values(n * NODE, 2.0).view(n, NODE) for n, _ in GRAPHS]
    stats = values(len(OF) * STAT, 4.0).view(len(OF), STAT).float().double()   # statistics are single precision
    y = values(len(OF), 6.0)
    w = {}
    for name, shape in parameters(conv, attention):
        n = 1
        for s in shape: n *= s
        w[name] = (values(n, 4.0 / shape[0] ** 0.5) if len(shape) > 1 else values(n, 0.2)).view(shape).clone().requires_grad_(True)
    x = stats
    if conv != "none":
        pooled = []
        for (n, edges), v in zip(GRAPHS, nodes):
            v = graph(conv, w, 1, v, edges)
            pooled.append(graph(conv, w, 2, v.relu(), edges).mean(0))
        x = torch.cat([torch.stack([pooled[g] for g in OF]), stats], 1)
    x = F.linear(x, w["joint.weight"].t(), w["joint.bias"])
    if attention:
        t = x.view(-1, T, P)
        heads = []
        for h in range(T):
            part = slice(h * P, (h + 1) * P)
            q, k, v = (t @ w["attention." + p][:, part] for p in ("query", "key", "value"))
            heads.append(F.scaled_dot_product_attention(q, k, v))
        x = (torch.cat(heads, 2) @ w["attention.output"]).reshape(-1, WIDTH)
    for l in (1, 2, 3, 4):
        x = F.linear(x if l == 1 else x.relu(), w[f"layer{l}.weight"].t(), w[f"layer{l}.bias"])
    o = x[:, 0]
    if loss == "square": value = F.mse_loss(o, y)
    else:
        terms = [F.softplus(o[i] - o[j]) for i in range(len(OF)) for j in range(len(OF)) if OF[i] == OF[j] and y[i] < y[j]]
        value = torch.stack(terms).mean()
    value.backward()
    grads = {}
    for name, p in w.items():
        g = p.grad.flatten()
        step = max(1, len(g) // 13)
        grads[name] = [g.sum().item(), g.square().sum().sqrt().item()] + g[::step][:14].tolist()
    return {"convolution": conv, "attention": attention, "loss": loss, "outputs": o.tolist(), "value": value.item(), "gradients": grads}
cases = [run("wl", True, "square"), run("wl", True, "rank"), run("none", True, "square"), run("wl", False, "square"),
         run("spectral", True, "square"), run("masked", True, "square"), run("sage", True, "square")]
json.dump({"torch": torch.__version__, "cases": cases}, open("graph_attention.json", "w"), indent=0)
for c in cases: print(c["convolution"], c["attention"], c["loss"], c["value"], c["outputs"][:3])
