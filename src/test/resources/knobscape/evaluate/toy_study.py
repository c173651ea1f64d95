# Makes toy-study.db (kept packed) with Optuna 5.0.0: a front with named values, a pruned trial, attributes; a study of one value.
import optuna, math
optuna.logging.set_verbosity(optuna.logging.WARNING)
def cost(tile, unroll, kind):
    reuse = {"none": 1, "cyclic": 2, "block": 1.5}[kind]
    return 1000 / (min(tile, 32) * unroll ** .5 * reuse) + tile / 8, tile * unroll * reuse / 10
st = "sqlite:///toy-study.db"
a = optuna.create_study(study_name="front", storage=st, directions=["minimize", "maximize"], sampler=optuna.samplers.RandomSampler(seed=1))
a.set_metric_names(["delay", "rate"])
def f(t):
    tile = t.suggest_int("tile", 4, 64, step=4); u = t.suggest_categorical("unroll", [1, 2, 4, 8]); k = t.suggest_categorical("partition", ["none", "cyclic", "block"])
    d, area = cost(tile, u, k)
    t.set_user_attr("area", area); t.set_user_attr("who", "toy")
    if t.number == 7: raise optuna.TrialPruned()
    return d, 1000 / d
a.optimize(f, n_trials=30)
b = optuna.create_study(study_name="single", storage=st, direction="minimize", sampler=optuna.samplers.RandomSampler(seed=2))
def g(t):
    x = t.suggest_float("lr", 1e-5, 1e-1, log=True); n = t.suggest_int("layers", 1, 4)
    return (math.log10(x) + 3) ** 2 + .2 * n
b.optimize(g, n_trials=12)
