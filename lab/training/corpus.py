"""The written text: reading it, what it gives away without the fact, and the pairs made of it.

    python3 lab/training/corpus.py            counts, shared runs of words, what leaks
    python3 lab/training/corpus.py --mark     marks the versions that give their label away (`"leaky": true`), so that training leaves them out

Text that gives its label away teaches a model to guess. Two guessers are fitted, one that sees only the memory, one that sees only its length,
style and overlap of words with the fact; versions they guess with most confidence are marked until neither is better than 55 %.
"""

import collections
import glob
import json
import math
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LABELS = ["correct", "summary_error", "not_stored"]
#: Written by other hands than the rest, and never trained on: the decision is fitted and calibrated on them.
HELD_BACK = ["b04", "b11", "b17", "b20", "b22", "b24"]


def read(folder=os.path.join(HERE, "text")):
    return [json.loads(line) for path in sorted(glob.glob(f"{folder}/b*.jsonl")) for line in open(path)]


def words(text):
    return re.findall(r"[a-z0-9']+", text.lower())


# What leaks -----------------------------------------------------------------------------------------------------------------------


def memory_alone(fact, version):
    found = words(version["text"])
    counts = collections.Counter(found)
    counts.update(zip(found, found[1:]))
    norm = math.sqrt(sum(n * n for n in counts.values())) or 1
    return {key: n / norm for key, n in counts.items()}


def shape_alone(fact, version):
    asked, said = set(words(fact)), set(words(version["text"]))
    covered = len(asked & said) / max(1, len(asked))
    return {
        "length": len(version["text"]) / 200,
        "covered": covered,
        "covered²": covered**2,
        "jaccard": len(asked & said) / max(1, len(asked | said)),
        "style " + version["style"]: 1,
    }


def fit(items, features, epochs=6, rate=0.05, decay=1e-5):
    weights, bias = collections.defaultdict(float), 0.0
    order = list(items)
    for epoch in range(epochs):
        random.Random(epoch).shuffle(order)
        for fact, version, label in order:
            x = features(fact, version)
            z = bias + sum(weights[k] * v for k, v in x.items())
            gap = label - 1 / (1 + math.exp(-max(-30, min(30, z))))
            bias += rate * gap
            for k, v in x.items():
                weights[k] += rate * (gap * v - decay * weights[k])
    return lambda fact, version: bias + sum(weights.get(k, 0) * v for k, v in features(fact, version).items())


def labelled(rows):
    return [
        (row["fact"], version, int(version["label"] == "correct"))
        for row in rows
        for version in row["versions"]
        if version["label"] != "not_stored" and not version.get("leaky")
    ]


def guesses(rows, features, folds=3):
    """For every version the log-odds of a guesser that was fitted on other facts."""
    order = list(rows)
    random.Random(1).shuffle(order)
    out = []
    for fold in range(folds):
        guess = fit(labelled(row for i, row in enumerate(order) if i % folds != fold), features)
        for fact, version, label in labelled(row for i, row in enumerate(order) if i % folds == fold):
            out.append((version, label, guess(fact, version)))
    return out


def share_right(found):
    return sum((odds > 0) == (label == 1) for _, label, odds in found) / len(found)


def majority(found):
    share = sum(label for _, label, _ in found) / len(found)
    return max(share, 1 - share)


def mark(rows, limit=0.05, step=0.03):
    while True:
        seen, shape = guesses(rows, memory_alone), guesses(rows, shape_alone)
        base = majority(seen)
        print(f"memory alone {share_right(seen):.3f}, shape alone {share_right(shape):.3f}, majority {base:.3f}, of {len(seen)}")
        over = [found for found in (seen, shape) if share_right(found) > base + limit - 0.005]
        if not over:
            return
        for found in over:
            sure = sorted(found, key=lambda one: -(one[2] if one[1] else -one[2]))
            quota = int(len(found) * step / 2)
            for label in (0, 1):
                for version, _, _ in [one for one in sure if one[1] == label][:quota]:
                    version["leaky"] = True


def shared_runs(rows, length=6, facts=5):
    """How many texts hold a run of words that stands in the texts of several facts."""
    where = collections.defaultdict(set)
    runs = lambda text: [tuple(found[i : i + length]) for found in [words(text)] for i in range(len(found) - length + 1)]
    for row in rows:
        for version in row["versions"]:
            for run in runs(version["text"]):
                where[run].add(row["id"])
    common = {run for run, ids in where.items() if len(ids) >= facts}
    return sum(any(run in common for run in runs(version["text"])) for row in rows for version in row["versions"])


# Pairs ----------------------------------------------------------------------------------------------------------------------------


def nearest(rows, keep=8):
    """For every fact the texts of other facts that share most of its rarer words."""
    holders = collections.defaultdict(list)
    texts = [(i, version["text"]) for i, row in enumerate(rows) for version in row["versions"]]
    for n, (_, text) in enumerate(texts):
        for word in set(words(text)):
            holders[word].append(n)
    out = []
    for i, row in enumerate(rows):
        score = collections.Counter()
        for word in set(words(row["fact"])):
            held = holders.get(word, [])
            if 0 < len(held) < 0.02 * len(texts):
                for n in held:
                    if texts[n][0] != i:
                        score[n] += math.log(len(texts) / len(held))
        out.append([texts[n][1] for n, _ in score.most_common(keep)])
    return out


def pairs(rows, seed=0, repeats=3):
    """(fact, memories, label): a version alone, and among memories that do not hold the fact: near ones, and its own absent versions."""
    rng = random.Random(seed)
    near = nearest(rows)
    every = [version["text"] for row in rows for version in row["versions"]]
    out = []
    for i, row in enumerate(rows):
        absent = [version["text"] for version in row["versions"] if version["label"] == "not_stored"]
        alone = row["kind"] == "criterion"
        for version in row["versions"]:
            if version.get("leaky"):
                continue
            label = LABELS.index(version["label"])
            for repeat in range(1 if alone else repeats):
                beside = []
                if repeat > 0:
                    pool = rng.sample(near[i], min(len(near[i]), 2)) + rng.sample(absent, 1) + rng.sample(every, 1)
                    own = {other["text"] for other in row["versions"]} - set(absent)
                    beside = [text for text in rng.sample(pool, rng.randint(1, 3)) if text not in own and text != version["text"]]
                memories = [version["text"], *beside]
                rng.shuffle(memories)
                out.append((row["fact"], " | ".join(memories), label))
        if not alone and near[i]:
            out.append((row["fact"], " | ".join(rng.sample(near[i], min(3, len(near[i])))), 2))
    rng.shuffle(out)
    return out


def main():
    rows = read()
    if "--mark" in sys.argv:
        for row in rows:
            for version in row["versions"]:
                version.pop("leaky", None)
        mark(rows)
        for batch in sorted({row["batch"] for row in rows}):
            with open(os.path.join(HERE, "text", f"{batch}.jsonl"), "w") as file:
                for row in rows:
                    if row["batch"] == batch:
                        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        seen, shape = guesses(rows, memory_alone), guesses(rows, shape_alone)
        print(f"memory alone {share_right(seen):.3f}, shape alone {share_right(shape):.3f}, majority {majority(seen):.3f}")
    texts = [version for row in rows for version in row["versions"]]
    print(f"{len(rows)} facts, {len(texts)} texts, {sum(bool(v.get('leaky')) for v in texts)} marked, {shared_runs(rows)} with shared runs")
    print(dict(collections.Counter(row["kind"] for row in rows)))


if __name__ == "__main__":
    main()
