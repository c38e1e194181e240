"""Pairs of labelled cases as the judge reads them, from what `dump.ts` wrote: the fact beside the nearest memory, and beside the nearest three.

    python3 lab/training/read_pairs.py dumped.jsonl pairs.jsonl

Only facts whose own memory is among the nearest ones count as held or damaged: otherwise the label would not be that of the pair.
"""

import json
import sys

LABELS = ["correct", "summary_error", "not_stored"]


def pairs(row):
    texts = [one["text"] for one in row["near"]]
    support, near = set(row["support"]), [one["memory"] for one in row["near"]]
    if row["kind"] == "profile" or not texts:
        return []
    absent = row["gold"] == "not_stored"
    alone = absent or (len(support) == 1 and near[0] in support)
    together = absent or (len(support) == 1 and bool(support & set(near)))
    kept = [texts[0]] * alone + [" | ".join(texts)] * together
    return [{"fact": row["statement"], "memories": text, "label": LABELS.index(row["gold"])} for text in dict.fromkeys(kept)]


def main(source, target):
    with open(target, "w") as file:
        for line in open(source):
            for pair in pairs(json.loads(line)):
                file.write(json.dumps(pair) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
