"""Makes the pairs that the teacher learns and reads, and that the student is trained on.

    python3 lab/training/pairs.py pairs.json --nli pairs.tsv.xz --gold facts.jsonl --criteria criteria.jsonl --more more.jsonl

`--nli` are entailment pairs of others, `--gold` facts in our form that lie outside, `--criteria` what `criteria-pairs.ts` wrote, `--more`
other pairs in that form, `--cases` a list of texts (`fact [SEP] memories`) that are read and not learned. Answers are those of `answers/`.
Written are:

    own        labelled pairs; the first `facts` of them are of facts, the others of criteria, answers and `--more`
    read       places in `own` that the teacher reads as well
    free       pairs without a label: ours, changed by rule, mixed and turned round, and some of others
    test       labelled pairs of the batches held back
    cases      texts of `--cases`
    nli        pairs of others, and `nli_test`, those held back

Ties among near memories are broken by hash: PYTHONHASHSEED=0 makes a run repeatable. Needs what `train.py` needs.
"""

import argparse
import glob
import json
import os
import random
import re

import corpus
import train as small

NUMBERS = "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty".split()
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*|\b(?:" + "|".join(NUMBERS) + r")\b")
NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
NAME_WITHIN = re.compile(r"(?<![.!?\n] )(?<!^)\b[A-Z][a-z]{2,}\b")
NEGATION = re.compile(r"\b(?:not|never|no longer)\b|n't\b")
NEGATION_AND_SPACE = re.compile(r"\s*\b(?:not|never|no longer)\b|n't\b")
#: Verbs that a negation stands behind, and those that it stands before.
AUXILIARIES = ("is", "are", "was", "were", "will", "can", "would", "should")
VERBS = ("does", "do", "has", "have", "likes", "loves", "wants", "plays", "eats", "drinks", "goes", "uses", "keeps", "takes")
VERB = re.compile(r"\b(?:" + "|".join([*AUXILIARIES, *VERBS]) + r")\b")
#: Words that limit a statement, and what becomes of them.
LIMITS = {
    "only": "",
    "unless": "if",
    "except": "including",
    "until": "after",
    "before": "after",
    "after": "before",
    "when": "even when",
    "while": "except while",
    "always": "sometimes",
    "sometimes": "always",
    "at least": "at most",
    "at most": "at least",
    "more than": "fewer than",
    "less than": "more than",
    "fewer than": "more than",
    "over": "under",
    "under": "over",
    "above": "below",
    "below": "above",
    "if": "unless",
    "and only then": "",
    "every": "some",
    "usually": "rarely",
    "rarely": "usually",
}
LIMIT = re.compile(r"\b(?:" + "|".join(LIMITS) + r")\b")
WORD = re.compile(r"\b[a-z]{4,}\b")
CLAUSE = re.compile(r"(?<=[,;]) | (?=and |but |because |when |if |unless |with |for |on |in |at )")
PLAIN_STYLES = ("sentence", "first person", "dated report", "")


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    for name in ("nli", "gold", "criteria", "more", "cases"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--text", default=os.path.join(corpus.HERE, "text"), help="folder of the written text")
    parser.add_argument("--free", type=int, default=95000, help="most pairs of ours without a label")
    parser.add_argument("--rounds", type=int, default=1, help="how often pairs of ours are changed, each time in other ways")
    parser.add_argument("--free-nli", type=int, default=20000, help="pairs of others without their label")
    parser.add_argument("--read", type=int, default=70000, help="most labelled pairs of facts that the teacher reads; it reads all others")
    parser.add_argument("--test", type=int, default=8000, help="most pairs held back")
    parser.add_argument("--nli-test", type=int, default=2000, help="pairs of others held back")
    return parser.parse_args()


# Changes by rule ------------------------------------------------------------------------------------------------------------------


def put(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


def change_number(text, rng):
    found = list(NUMBER.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    number = match.group()
    if number.isdigit():
        return put(text, match, str(max(0, int(number) + rng.choice([-10, -2, -1, 1, 2, 3, 5, 10, 100]))))
    if number in NUMBERS:
        return put(text, match, rng.choice(NUMBERS))
    at = rng.choice([i for i, sign in enumerate(number) if sign.isdigit()])
    return put(text, match, number[:at] + str(rng.randrange(10)) + number[at + 1 :])


def change_name(text, rng, names):
    found = list(NAME_WITHIN.finditer(text)) or list(NAME.finditer(text))
    if not found:
        return None
    name = rng.choice(found).group()
    return re.sub(rf"\b{name}\b", rng.choice(names), text)


def negate(text, rng):
    if NEGATION.search(text) and rng.random() < 0.7:
        return NEGATION_AND_SPACE.sub("", text, count=1)
    match = VERB.search(text)
    if not match:
        return None
    if match.group() in AUXILIARIES:
        return text[: match.end()] + rng.choice([" not", " never", " no longer"]) + text[match.end() :]
    return text[: match.start()] + rng.choice(["does not ", "never ", "no longer "]) + text[match.start() :]


def change_limit(text, rng):
    found = list(LIMIT.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return re.sub(r"  +", " ", put(text, match, LIMITS[match.group()]))


def change_word(text, rng, words):
    found = list(WORD.finditer(text))
    if not found or not words:
        return None
    return put(text, rng.choice(found), rng.choice(words))


def drop_clause(text, rng):
    parts = CLAUSE.split(text)
    if len(parts) < 3:
        return None
    parts.pop(rng.randrange(1, len(parts)))
    return " ".join(parts)


def drop_words(text, rng):
    words = text.split(" ")
    if len(words) < 6:
        return None
    for _ in range(rng.randint(1, 3)):
        words.pop(rng.randrange(len(words)))
    return " ".join(words)


def recase(text, rng):
    return text.lower() if rng.random() < 0.5 else text.rstrip(".")


def changed(text, rng, names, words):
    """The text changed in one way; none when four ways did not fit it."""
    ways = [
        lambda: change_number(text, rng),
        lambda: change_name(text, rng, names),
        lambda: negate(text, rng),
        lambda: change_limit(text, rng),
        lambda: change_word(text, rng, words),
        lambda: drop_clause(text, rng),
        lambda: drop_words(text, rng),
        lambda: recase(text, rng),
    ]
    for _ in range(4):
        new = ways[rng.randrange(len(ways))]()
        if new and new != text:
            return new
    return None


def unlabelled(facts, seed=3):
    """Changed, mixed and turned pairs of written facts."""
    rng = random.Random(seed)
    near = corpus.nearest(facts)
    names = sorted({name for row in facts for name in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b", row["fact"])})
    out = []
    for i, row in enumerate(facts):
        texts = [version["text"] for version in row["versions"]]
        plain = [version["text"] for version in row["versions"] if version.get("style") in PLAIN_STYLES and len(version["text"]) < 160]
        words = sorted({word for text in [*texts, *near[i][:3]] for word in WORD.findall(text)})
        for text in texts:
            new = changed(text, rng, names, words)
            if new:
                if rng.random() < 0.3:
                    new = changed(new, rng, names, words) or new
                beside = rng.sample(near[i], min(len(near[i]), rng.randint(1, 2))) if rng.random() < 0.4 else []
                memories = [new, *beside]
                rng.shuffle(memories)
                out.append((row["fact"], " | ".join(memories)))
        for _ in range(2):
            new = changed(row["fact"], rng, names, words)
            if new:
                out.append((new, rng.choice(texts)))
        for text in rng.sample(plain, min(2, len(plain))):
            out.append((text, rng.choice([row["fact"], *texts])))
        if near[i]:
            out.append((row["fact"], rng.choice(near[i])))
            out.append((row["fact"], " | ".join(rng.sample(near[i], min(3, len(near[i]))))))
    rng.shuffle(out)
    return [(small.joined(fact, memories), -1, "mem") for fact, memories in out]


# All pairs ------------------------------------------------------------------------------------------------------------------------


def labelled(facts, seed):
    return [(small.joined(fact, memories), label, "mem") for fact, memories, label in corpus.pairs(facts, seed=seed, repeats=2)]


def main():
    o = options()
    rng = random.Random(0)
    written = corpus.read(o.text) + small.read_gold(o.gold)
    held = [row for row in written if row["batch"] in corpus.HELD_BACK]
    facts = [row for row in written if row["batch"] not in corpus.HELD_BACK]
    answers = sorted(glob.glob(os.path.join(corpus.HERE, "answers", "a*.jsonl")))
    own = labelled(facts, 7)
    count = len(own)
    own += small.read_criteria(o.criteria) + small.read_answers(",".join(answers)) + small.read_criteria(o.more)
    test = labelled(held, 8)
    free = list(dict.fromkeys(pair for seed in range(3, 3 + o.rounds) for pair in unlabelled(facts, seed)))
    rng.shuffle(free)
    free = free[: o.free]
    nli = small.read_nli(o.nli) if o.nli else []
    rng.shuffle(nli)
    # A thousand more are left out than are held back, as in the run that ships.
    spare = nli[o.nli_test + 1000 :]
    free += [(text, -1, "mem") for text, _, _ in rng.sample(spare, min(len(spare), o.free_nli))]
    read = sorted(rng.sample(range(count), min(count, o.read))) + list(range(count, len(own)))
    rng.shuffle(test)
    cases = json.load(open(o.cases)) if o.cases else []
    made = {
        "own": own,
        "free": free,
        "facts": count,
        "read": read,
        "test": test[: o.test],
        "cases": [(text, 0, "mem") for text in cases],
        "nli_test": nli[: o.nli_test],
        "nli": nli[o.nli_test :],
    }
    with open(o.target, "w") as file:
        json.dump(made, file, ensure_ascii=False)
    print(", ".join(f"{name} {len(rows)}" for name, rows in made.items() if name != "facts"), "of facts", count)


if __name__ == "__main__":
    main()
