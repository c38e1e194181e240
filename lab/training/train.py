"""Trains the entailment model: does this memory hold this fact?

    python3 lab/training/train.py --base gte-small.npz --tokenizer tokenizer.json --nli pairs.tsv.xz --gold facts.jsonl --out OUT
    python3 lab/training/train.py --base model.npz --tokenizer tokenizer.json --pairs pairs.json --taught OUT/taught.npz --nli-share 0 --out OUT

A text is `fact [SEP] memories`, all token types 0; the mean of the last layer, normalised, goes through linear heads: `nli` (entailed,
neutral, contradicted) and `mem` (correct, damaged, absent). First entailment pairs of others, then the text of this project, with some of
the first among it. `--pairs` takes both as `pairs.py` wrote them; with `--taught` what `teach.py` says of these pairs is learned as well,
and the file is waited for. `--layers` keeps fewer layers. `--average a,b` trains nothing: it writes the mean of the weights of runs that
began at the same `--base`. `--cases` writes the logits of a list of texts.
"""

import argparse
import gzip
import json
import lzma
import math
import os
import queue
import random
import threading
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

import corpus
from base_weights import quantized

WIDTH = 384
#: Vectors of unit length are too short for heads to learn at the rate of the layers.
SCALE = 10
NLI = {"entailment": 0, "neutral": 1, "contradiction": 2, "not_entailment": 3, "paraphrase": 0, "not_paraphrase": 3}


def options():
    parser = argparse.ArgumentParser()
    for name in ("base", "tokenizer", "nli", "gold", "criteria", "criteria_test", "answers", "out", "pairs", "taught", "cases", "average"):
        parser.add_argument(f"--{name.replace('_', '-')}", default="")
    parser.add_argument("--name", default="model")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--until", type=float, default=0, help="when training ends, in seconds since 1970; in place of --seconds")
    parser.add_argument("--heat", type=float, default=2.0, help="temperature at which the teacher is listened to")
    parser.add_argument("--keep", action="store_true", help="the base itself is the teacher of pairs it has seen: it goes on from what it knows")
    parser.add_argument("--told", type=float, default=0.7, help="weight of what the teacher says beside labels")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600, help="until training ends, reading included")
    parser.add_argument("--steps", default="", help="of both stages, as an earlier run printed them: repeats it")
    parser.add_argument("--nli-share", type=float, default=0.3, help="of the time, for pairs of others alone")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--mem-rate", type=float, default=1.5e-4)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--replay", type=float, default=0.3, help="pairs of others in an epoch, by the number of ours")
    parser.add_argument("--both", type=float, default=0.5, help="of our pairs, for the entailment head as well")
    parser.add_argument("--criteria-repeats", type=int, default=2)
    parser.add_argument("--answers-repeats", type=int, default=4)
    parser.add_argument("--share", type=float, default=1.0, help="of the written facts, for the learning curve")
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--limit", type=int, default=0, help="rows of either kind, to try the script out")
    return parser.parse_args()


def dequantized(paths):
    arrays = {}
    for path in paths.split(","):
        arrays |= dict(np.load(path))
    out = {}
    for name in arrays:
        if name.endswith("::q"):
            out[name[:-3]] = torch.tensor(arrays[name].astype(np.float32) * arrays[name[:-3] + "::s"])
        elif not name.endswith("::s"):
            out[name] = torch.tensor(arrays[name].astype(np.float32))
    return out


class Model(nn.Module):
    def __init__(self, layers, weights):
        super().__init__()
        config = BertConfig(hidden_size=WIDTH, num_hidden_layers=layers, num_attention_heads=12, intermediate_size=1536, vocab_size=30522)
        self.bert = BertModel(config, add_pooling_layer=False)
        kept = [round(i * 11 / (layers - 1)) for i in range(layers)]
        renamed = {}
        for name, value in weights.items():
            parts = name.split(".")
            if parts[0] == "encoder" and layers < 12 and max_layer(weights) == 11:
                if int(parts[2]) not in kept:
                    continue
                parts[2] = str(kept.index(int(parts[2])))
            renamed[".".join(parts)] = value
        missing = self.bert.load_state_dict({k: v for k, v in renamed.items() if not k.startswith(("heads", "pooler"))}, strict=False)
        assert not [name for name in missing.missing_keys if "position_ids" not in name], missing.missing_keys[:3]
        self.heads = nn.ModuleDict({"nli": nn.Linear(WIDTH, 3), "mem": nn.Linear(WIDTH, 3)})
        for name, head in self.heads.items():
            nn.init.normal_(head.weight, std=0.05)
            if f"heads.{name}.weight" in weights:
                head.weight.data, head.bias.data = weights[f"heads.{name}.weight"], weights[f"heads.{name}.bias"]

    def forward(self, ids, mask):
        hidden = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        weight = mask.unsqueeze(-1).float()
        return SCALE * F.normalize((hidden * weight).sum(1) / weight.sum(1), dim=-1)


def max_layer(weights):
    return max(int(name.split(".")[2]) for name in weights if name.startswith("encoder"))


def clean(text):
    """Special tokens are ours alone."""
    for token in ("[SEP]", "[CLS]", "[PAD]", "[MASK]", "[UNK]"):
        text = text.replace(token, " ")
    return text


def joined(fact, memories):
    return f"{clean(fact)} [SEP] {clean(memories)}"


def read_nli(path):
    rows = []
    for line in lzma.open(path, "rt"):
        parts = line.rstrip("\n").split("\t")
        if len(parts) == 4 and parts[1] in NLI:
            rows.append((joined(parts[3], parts[2]), NLI[parts[1]], "nli"))
            if parts[1] == "paraphrase":
                rows.append((joined(parts[2], parts[3]), 0, "nli"))
    return rows


def read_gold(path):
    """Facts with versions that were written apart from ours, in the form of ours."""
    lines = open(path).read().splitlines() if path else []
    return [
        {
            "id": f"gold-{i}",
            "batch": "gold",
            "kind": row["kind"],
            "fact": row["fact"],
            "versions": [{"style": "", **version} for version in row["variants"]],
        }
        for i, row in enumerate(map(json.loads, lines))
    ]


def read_criteria(path):
    """Criteria with the lines of an answer that the judge reads, as `criteria-pairs.ts` writes them."""
    rows = map(json.loads, open(path).read().splitlines() if path else [])
    return [(joined(row["fact"], row["memories"]), row["label"], "mem") for row in rows]


def read_answers(paths):
    """Answers of readers, as the judge reads them: the question with its gold beside the answer, and the other way round, beside what was
    said."""
    rows = [json.loads(line) for path in paths.split(",") if path for line in open(path).read().splitlines()]
    pairs = []
    for row in rows:
        for one in row["answers"]:
            label = 0 if one["label"] == "correct" else 1
            pairs.append((joined(f"{row['question']} {row['gold']}", one["answer"]), label, "mem"))
            pairs.append((joined(f"{row['question']} {one['answer']}", " | ".join([row["gold"], *row["turns"]])), label, "mem"))
    return pairs


def encoded(tokenizer, rows):
    return [(encoding.ids, *row[1:]) for encoding, row in zip(tokenizer.encode_batch([row[0] for row in rows]), rows)]


def batched(rows, size, rng):
    """Batches of one task and about one length."""
    out = []
    for task in ("nli", "mem"):
        same = sorted((row for row in rows if row[2] == task), key=lambda row: len(row[0]) + rng.random() * 8)
        out += [same[i : i + size] for i in range(0, len(same), size)]
    rng.shuffle(out)
    return out


def tensors(batch, device):
    longest = max(len(row[0]) for row in batch)
    ids = np.zeros((2, len(batch), longest), dtype=np.int64)
    for i, row in enumerate(batch):
        ids[0, i, : len(row[0])] = row[0]
        ids[1, i, : len(row[0])] = 1
    return torch.from_numpy(ids).to(device, non_blocking=True).unbind()


def ahead(batches, device):
    """Batches as tensors, made ready while others are trained on."""
    ready = queue.Queue(8)

    def fill():
        for batch in batches:
            labels = torch.tensor([row[1] for row in batch]).to(device, non_blocking=True)
            ready.put((batch, *tensors(batch, device), labels))

    threading.Thread(target=fill, daemon=True).start()
    while True:
        yield ready.get()


def loss_of(logits, labels, task):
    if task == "mem":
        entailed = F.log_softmax(logits, -1)[:, 0].exp().clamp(1e-5, 1 - 1e-5)
        return F.cross_entropy(logits, labels, label_smoothing=0.03) + 0.5 * F.binary_cross_entropy(entailed, (labels == 0).float())
    known = labels < 3
    loss = logits.new_zeros(())
    if known.any():
        loss = loss + F.cross_entropy(logits[known], labels[known], label_smoothing=0.05, reduction="sum")
    if (~known).any():
        entailed = F.log_softmax(logits[~known], -1)[:, 0].exp()
        loss = loss - torch.log1p(-entailed.clamp(max=0.9999)).sum()
    return loss / len(labels)


@torch.no_grad()
def logits_of(model, rows, device, heads=("nli", "mem")):
    """Logits of both heads for encoded rows, in their order."""
    model.eval()
    out = np.zeros((len(rows), 6), dtype=np.float32)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]))
    for start in range(0, len(order), 256):
        picked = order[start : start + 256]
        ids, mask = tensors([rows[i] for i in picked], device)
        vectors = model(ids, mask)
        out[picked] = torch.cat([model.heads[name](vectors) for name in heads], -1).float().cpu().numpy()
    model.train()
    return out


def softmax(logits):
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def figures(logits, labels):
    """Three labels, correct-or-not and the area under the curve of the memory head; the same curve for the entailment head."""
    labels = np.array(labels)
    own, entailed = softmax(logits[:, 3:])[:, 0], softmax(logits[:, :3])[:, 0]
    area = lambda score: (lambda p, n: float((p[:, None] > n[None]).mean()))(score[labels == 0], score[labels != 0])
    return {
        "three": round(float((logits[:, 3:].argmax(-1) == labels).mean()), 4),
        "correct": round(float(((own > 0.5) == (labels == 0)).mean()), 4),
        "damaged": round(float((own > 0.5)[labels == 1].mean()), 4),
        "auc": round(area(own), 4),
        "auc_nli": round(area(entailed), 4),
    }


def save(model, path):
    arrays = {}
    state = {**{k: v for k, v in model.bert.state_dict().items() if "position_ids" not in k}}
    state |= {f"heads.{k}": v for k, v in model.heads.state_dict().items()}
    for name, value in state.items():
        value = value.detach().float().cpu().numpy()
        arrays |= {name: value.astype(np.float32)} if name.startswith("heads") else quantized(name, value)
    names = sorted(arrays)
    parts = [[], [], []]
    for name in names:
        parts[0 if "word_embeddings" in name else 1 if name < "encoder.layer.5" else 2].append(name)
    for i, part in enumerate(parts):
        np.savez(f"{path}-{i}.npz", **{name: arrays[name] for name in part})


def main():
    o = options()
    rng = random.Random(o.seed)
    torch.manual_seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    tokenizer = Tokenizer.from_file(o.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(o.length)
    begun = time.time()
    say = lambda *words: print(f"[{o.name} {time.time() - begun:.0f}s]", *words, flush=True)

    pairs = None
    asked = read_criteria(o.criteria_test)
    if o.pairs:
        with open(o.pairs) as file:
            pairs = json.load(file)
        own = [tuple(row) for row in pairs["own"] + pairs["free"]]
        test = [tuple(row) for row in pairs["test"]]
        nli = [tuple(row) for row in pairs["nli_test"] + pairs["nli"]]
    else:
        written = corpus.read() + read_gold(o.gold)
        held = [row for row in written if row["batch"] in corpus.HELD_BACK]
        train = [row for row in written if row["batch"] not in corpus.HELD_BACK]
        train = random.Random(5).sample(train, int(len(train) * o.share))
        own = [(joined(fact, memory), label, "mem") for fact, memory, label in corpus.pairs(train, seed=7)]
        own += read_criteria(o.criteria) * o.criteria_repeats + read_answers(o.answers) * o.answers_repeats
        test = [(joined(fact, memory), label, "mem") for fact, memory, label in corpus.pairs(held, seed=8)]
        nli = read_nli(o.nli) if o.nli else []
        rng.shuffle(nli)
    if o.average:
        own, nli = [], nli[:2000]
    if o.limit:
        own, test, nli = own[: o.limit], test[: o.limit], nli[: o.limit]
    own, test, nli, asked = (encoded(tokenizer, rows) for rows in (own, test, nli, asked))
    tested = len(pairs["nli_test"]) if pairs else min(2000, len(nli) // 100)
    nli_test, nli = nli[:tested], nli[tested:]
    say(len(own), "pairs", len(test), "held back", len(nli), "nli")

    def measured(model):
        parts = [json.dumps(figures(logits_of(model, rows, device), [row[1] for row in rows])) for rows in (test, asked) if rows]
        return [*parts, "nli", figures_nli(model, nli_test, device)]

    model = Model(o.layers, dequantized(o.base)).to(device)
    say("base", *measured(model))
    teacher = None
    if o.taught:
        while not os.path.exists(o.taught):
            time.sleep(0.2)
        said = np.load(o.taught)
        teacher = torch.full((len(own), 6), float("nan"), device=device)  # what it did not read stays unknown
        teacher[pairs["read"]] = torch.tensor(said["asked"].astype(np.float32), device=device)
        teacher[len(pairs["own"]) :] = torch.tensor(said["free"].astype(np.float32), device=device)
        say("teacher", json.dumps(figures(said["test"].astype(np.float32), [row[1] for row in test])))
    if o.keep:
        teacher = torch.full((len(own), 6), float("nan"), device=device)
        seen = [*pairs["read"], *range(len(pairs["own"]), len(own))]
        teacher[seen] = torch.tensor(logits_of(model, [own[i] for i in seen], device), device=device)
        say("teaches itself", len(seen), "pairs")
    plain = [p for p in model.parameters() if p.ndim <= 1]
    matrices = [p for p in model.parameters() if p.ndim > 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, lr=1e-9, fused=device == "cuda")
    numbered = [(*row, i) for i, row in enumerate(own)]
    if pairs:  # criteria and answers are fewer than facts
        numbered += numbered[pairs["facts"] : len(pairs["own"])] * (o.criteria_repeats - 1)

    def of_others():
        while True:
            yield from batched(nli, o.batch, rng)

    def of_ours():
        # What holds a fact holds it in the words of the other head as well; damaged and absent are only known not to.
        both = [(ids, 3 if label > 0 else label, "nli", i) for ids, label, _, i in numbered]
        while True:
            again = rng.sample(nli, min(len(nli), int(len(own) * o.replay)))
            now = batched(numbered + rng.sample(both, int(len(both) * o.both)), o.batch, rng) + batched(again, o.batch, rng)
            rng.shuffle(now)
            yield from now

    def stage(name, batches, seconds, steps, top, floor):
        """Trains until the steps are done, or, when none are given, the time is up; the rate falls from `top` to `floor` of it."""
        start, step = time.time(), 0
        while True:
            done = step / steps if steps else (time.time() - start) / max(seconds, 1e-9)
            if done >= 1:
                break
            now = top * min(1, (step + 1) / 200) * (1 - (1 - floor) * done)
            for group in optimizer.param_groups:
                group["lr"] = now
            loss = train_step(next(batches))
            step += 1
            if step % 1000 == 0:
                say(name, step, f"of {steps or '?'}, rate {now:.1e}, loss {loss.item():.3f}")
        say(name, "ends after", step, "steps", *measured(model))

    def train_step(ready):
        batch, ids, mask, labels = ready
        task = batch[0][2]
        with torch.autocast(device, dtype=torch.bfloat16):
            vectors = model(ids, mask)
        logits = model.heads[task](vectors.float())
        known, heard, loss = labels >= 0, torch.zeros_like(labels, dtype=torch.bool), logits.new_zeros(())
        if teacher is not None and len(batch[0]) == 4:
            told = teacher[[row[3] for row in batch]]
            wanted = told[:, :3] if task == "nli" else told[:, 3:]
            heard = ~wanted[:, 0].isnan()
            wanted = F.softmax(wanted.nan_to_num() / o.heat, -1)
            gap = F.kl_div(F.log_softmax(logits / o.heat, -1), wanted, reduction="none").sum(-1)
            loss = o.told * (gap * heard).mean() * o.heat**2
        for rows, weight in ((known & ~heard, 1), (known & heard, 1 - o.told)):
            if rows.any():
                loss = loss + weight * rows.float().mean() * loss_of(logits[rows], labels[rows], task)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    def finish(model, what):
        """Writes the weights in eight bits, and what is left of the model then."""
        save(model, os.path.join(o.out, o.name))
        small = Model(o.layers, dequantized(",".join(os.path.join(o.out, f"{o.name}-{part}.npz") for part in range(3)))).to(device)
        say(what, *measured(small))
        if o.cases:
            cases = [(text, 0, "mem") for text in json.load(open(o.cases))]
            np.savez(os.path.join(o.out, f"{o.name}-cases.npz"), cases=logits_of(small, encoded(tokenizer, cases), device))

    if o.average:
        parts = [dequantized(",".join(f"{name}-{part}.npz" for part in range(3))) for name in o.average.split(",")]
        model = Model(o.layers, {name: sum(part[name] for part in parts) / len(parts) for name in parts[0]}).to(device)
        finish(model, f"mean of {len(parts)}")
        return
    model.train()
    counts = [int(n) for n in o.steps.split(",")] if o.steps else [0, 0]
    if o.until:
        o.seconds = o.until - begun
    left = o.seconds - (time.time() - begun)
    if nli and (o.steps or o.nli_share > 0):
        stage("entailment", ahead(of_others(), device), left * o.nli_share, counts[0], o.rate, 0.4)
    if o.nli_share < 1:
        stage("memories", ahead(of_ours(), device), o.seconds - (time.time() - begun), counts[1], o.mem_rate, 0)
    finish(model, "int8")


def figures_nli(model, rows, device):
    known = [row for row in rows if row[1] < 3]
    if not known:
        return None
    return round(float((logits_of(model, known, device)[:, :3].argmax(-1) == np.array([row[1] for row in known])).mean()), 4)


if __name__ == "__main__":
    main()
