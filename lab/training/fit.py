"""Fits the decisions of the judge: a multinomial regression on named features, and the probability from which a verdict is certain.

    python3 lab/training/fit.py src/judges/lexical/decision.json features.jsonl [--with own.jsonl] [--measure other.jsonl ...]

Reads what `dump.ts` wrote of the cases in `fit/`, and writes two decisions: with the entailment model, and by words alone. Every writer's cases
are measured with weights fitted on the others; the threshold is the lowest at which verdicts so measured are right in 97.5 %. `--with` names
cases that are always fitted on and never measured, `--measure` those that are only measured. With `--criteria` the rows are those of
`dump-criteria.ts`, with `--answers` those of `dump-answers.ts`; there is one decision then, with the model, and certain verdicts are right in 98.5
and 98 %. Needs numpy.
"""

import argparse
import json

import numpy as np

LABELS = {"facts": ["correct", "summary_error", "not_stored"], "criteria": ["yes", "no"], "answers": ["right", "wrong"]}
DECAY = {("facts", "model"): 2e-4, ("facts", "words"): 5e-4, ("criteria", "model"): 1e-3, ("answers", "model"): 5e-3}
RIGHT = {"facts": 0.975, "criteria": 0.985, "answers": 0.98}


def read(path):
    return [json.loads(line) for line in open(path)]


def table(rows, kind, names):
    return np.array([[row[kind].get(name, 0) for name in names] + [1.0] for row in rows])


def labels(rows, among):
    return np.array([among.index(row["gold"]) for row in rows])


def probabilities(weights, x):
    z = x @ weights
    z = np.exp(z - z.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True)


def fitted(x, y, kind, of):
    """Newton's method; all weights but the last, the bias, are kept small."""
    (n, width), classes = x.shape, len(LABELS[of])
    weights, wanted = np.zeros((width, classes)), np.eye(classes)[y]
    penalty = np.full((width, classes), 2 * DECAY[of, kind])
    penalty[-1] = 1e-9

    def loss(w):
        p = probabilities(w, x)
        return -np.log(np.maximum((p * wanted).sum(1), 1e-300)).mean() + (penalty / 2 * w**2).sum()

    for _ in range(30):
        p = probabilities(weights, x)
        slope = (x.T @ (p - wanted) / n + penalty * weights).T.ravel()
        bend = np.diag(penalty.T.ravel() + 1e-7)
        for a in range(classes):
            for b in range(classes):
                share = p[:, a] * ((a == b) - p[:, b]) / n
                bend[a * width : (a + 1) * width, b * width : (b + 1) * width] += (x * share[:, None]).T @ x
        step, size = np.linalg.solve(bend, slope).reshape(classes, width).T, 1.0
        while loss(weights - size * step) > loss(weights) and size > 1e-4:
            size /= 2
        weights = weights - size * step
        if np.abs(size * step).max() < 1e-6:
            break
    return weights


def by_others(rows, always, kind, names, of):
    """Probabilities of every row, by weights fitted on the rows of the other writers."""
    among = LABELS[of]
    x, y, writer = table(rows, kind, names), labels(rows, among), np.array([row["id"].split("-")[0] for row in rows])
    more, more_y = table(always, kind, names).reshape(-1, x.shape[1]), labels(always, among).astype(int)
    p = np.zeros((len(rows), len(among)))
    for one in sorted(set(writer)):
        others = writer != one
        weights = fitted(np.vstack([x[others], more]), np.concatenate([y[others], more_y]), kind, of)
        p[~others] = probabilities(weights, x[~others])
    return p


def threshold(p, y, right, settled):
    """The lowest probability from which on verdicts are right often enough, together with those that rules settle."""
    for step in range(50, 100):
        sure = p.max(1) >= step / 100
        if sure.any() and np.concatenate([(p.argmax(1) == y)[sure], settled]).mean() >= right:
            return step / 100
    return 0.99


def report(name, p, y, certain):
    given, sure = p.argmax(1), p.max(1) >= certain
    hits = given == y
    print(
        f"{name:30} {len(y):5} right {hits.mean():.3f}  first label or not {((given == 0) == (y == 0)).mean():.3f}"
        f"  certain {sure.mean():.2f} at {hits[sure].mean() if sure.any() else 0:.3f}"
        f"  second called first {((given == 0) & (y == 1)).sum() / max(1, (y == 1).sum()):.2f}"
    )


def decision(rows, always, measured, kind, of, told=()):
    """Fits one decision, and tells how good it is. What is certain goes by the rows `told`, settled ones among them, or else by all."""
    among = LABELS[of]
    names = sorted({name for row in [*rows, *always] for name in row[kind]})
    y = labels(rows, among)
    p = by_others(rows, always, kind, names, of)
    known = {row["id"] for row in told}
    by = [i for i, row in enumerate(rows) if not told or row["id"] in known]
    certain = threshold(p[by], y[by], RIGHT[of], [row["settled"] == row["gold"] for row in told if row["settled"]])
    print(kind)
    report("each writer by the others", p, y, certain)
    for group in sorted({row["kind"] for row in rows}):
        own = [i for i, row in enumerate(rows) if row["kind"] == group]
        report(f"  {group}", p[own], y[own], certain)
    both = [*rows, *always]
    weights = fitted(table(both, kind, names), labels(both, among), kind, of)
    for name, found in measured.items():
        report(name, probabilities(weights, table(found, kind, names)), labels(found, among), certain)
    given = {label: dict(zip([*names, "bias"], weights[:, i].round(4).tolist())) for i, label in enumerate(among)}
    return {"certain": certain, "weights": given}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--with", dest="always", nargs="*", default=[])
    parser.add_argument("--free", nargs="*", default=[], help="rows in such free words that words alone cannot judge them: for the model's decision only")
    parser.add_argument("--measure", nargs="*", default=[])
    parser.add_argument("--criteria", dest="of", action="store_const", const="criteria", default="facts")
    parser.add_argument("--answers", dest="of", action="store_const", const="answers")
    parser.add_argument("--certain", nargs="*", default=[], help="those of the rows by which it is decided what is certain: rules were not developed on them")
    given = parser.parse_args()
    rows = [row for path in given.rows for row in read(path)]
    always = [row for path in given.always for row in read(path)]
    measured = {path.split("/")[-1]: [row for row in read(path) if row["supported"]] for path in given.measure}
    if given.of == "facts":
        free = [row for path in given.free for row in read(path)]
        told = {"model": [*rows, *free], "words": rows}
        written = {kind: decision(told[kind], always, measured, kind, "facts") for kind in told}
    else:
        if given.of == "criteria":  # what rules are sure of is not read; what they are not sure of is weighed apart from what is free
            sorts = {sort: [row for row in rows if row["sort"] == sort and row["settled"] is None] for sort in ("asked", "free")}
            told = [row for path in given.certain for row in read(path)]
            written = {sort: decision(sorts[sort], always, measured, "model", "criteria", told if sort == "asked" else ()) for sort in sorts}
        else:
            written = decision(rows, always, measured, "model", given.of)
    with open(given.target, "w") as file:
        json.dump(written, file, indent=2, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
