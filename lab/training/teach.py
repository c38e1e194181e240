"""A large reader learns to tell what memories hold, and says what it makes of pairs that the small one is trained on.

    python3 lab/training/teach.py prepare --weights FOLDER --pairs pairs.json --out OUT
    python3 lab/training/teach.py teach --weights FOLDER --library libggml-base.so --out OUT --nli-until TIME --own-until TIME

The teacher is a Llama (TinyLlama 1.1B, Apache-2.0, as npm carries it in two bits; FOLDER is what `gguf_parts.py` wrote). It reads the
memories, then the fact, and all its weights are trained: on pairs of others until `--nli-until`, then on ours until `--own-until` (seconds
since 1970). What it says of labelled pairs, of pairs without labels and of those held back is written to `OUT/taught.npz`, for
`train.py --taught`; what it says of the texts of `pairs.py --cases` to `OUT/teacher-cases.npz`. `prepare` turns pairs into tokens; both may
run at once: `teach` waits for what it needs. The library is the one in @node-llama-cpp/linux-x64 3.22.1; its functions unpack the weights.
"""

import argparse
import ctypes
import json
import math
import os
import pickle
import random
import time

import numpy as np
import torch
import torch.nn as nn
from tokenizers import Tokenizer, models, normalizers

import train as small
from llama import WIDTH, Llama

#: Packed types: the function of the library that unpacks them, and the bytes of a block of 256 weights. 0 is not packed.
PACKED = {
    10: ("dequantize_row_q2_K", 84),
    12: ("dequantize_row_q4_K", 144),
    13: ("dequantize_row_q5_K", 176),
    16: ("dequantize_row_iq2_xxs", 66),
}
BLOCK = 256
BEGIN, END = 1, 2
#: Most tokens of a pair, and how many of them are its last ones: the fact stands there.
LONGEST, LAST = 224, 90


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["prepare", "teach"])
    for name in ("weights", "library", "pairs", "out"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--layers", type=int, default=16, help="of the teacher, from the first on")
    parser.add_argument("--nli-until", type=float, default=0, help="the time at which pairs of others end")
    parser.add_argument("--own-until", type=float, default=0, help="the time at which training ends")
    parser.add_argument("--rate", type=float, default=2e-5)
    parser.add_argument("--tokens", type=int, default=16000, help="of a step, padding included")
    return parser.parse_args()


# The teacher ----------------------------------------------------------------------------------------------------------------------


def unpacked(folder, library):
    """Tensors of the file that `gguf_parts.py` took apart."""
    unpack = ctypes.CDLL(library)
    with open(os.path.join(folder, "tensors.json")) as file:
        about = json.load(file)
    data = np.concatenate([np.fromfile(os.path.join(folder, f"part{i}"), np.uint8) for i in range(about["parts"])])
    out = {}
    for name, shape, kind, at in about["tensors"]:
        count = math.prod(shape)
        if kind == 0:
            array = data[at : at + 4 * count].view(np.float32).copy()
        else:
            function, size = PACKED[kind]
            raw = data[at : at + count // BLOCK * size].copy()
            array = np.empty(count, np.float32)
            places = [one.ctypes.data_as(ctypes.c_void_p) for one in (raw, array)]
            getattr(unpack, function)(*places, ctypes.c_int64(count))
        out[name] = torch.from_numpy(array.reshape(shape[::-1]))
    return out


def tokenizer_in(folder):
    """The tokenizer of the file; merges are not in it, but follow from the scores of the words."""
    with open(os.path.join(folder, "tokens.json")) as file:
        known = json.load(file)
    numbers = {token: i for i, token in enumerate(known["tokens"])}
    merges = []
    for token, score in zip(known["tokens"], known["scores"]):
        if len(token) > 1 and not token.startswith("<"):
            cuts = [(token[:i], token[i:], score) for i in range(1, len(token)) if token[:i] in numbers and token[i:] in numbers]
            merges += sorted(cuts, key=lambda cut: (numbers[cut[0]], numbers[cut[1]]))
    merges.sort(key=lambda cut: -cut[2])
    merges = [(left, right) for left, right, _ in merges]
    tokenizer = Tokenizer(models.BPE(numbers, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return tokenizer


class Teacher(nn.Module):
    def __init__(self, weights, layers):
        super().__init__()
        self.llama = Llama(layers)
        kept = {name: value for name, value in weights.items() if not name.startswith("blk.") or int(name.split(".")[1]) < layers}
        missing, unknown = self.llama.load_state_dict(kept, strict=False)
        assert not missing and not unknown, (missing, unknown)
        self.heads = nn.ModuleDict({"nli": nn.Linear(WIDTH, 3), "mem": nn.Linear(WIDTH, 3)})
        for head in self.heads.values():
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, ids, last):
        hidden = self.llama(ids)
        return hidden[torch.arange(len(ids), device=ids.device), last].float()


# Pairs ----------------------------------------------------------------------------------------------------------------------------


def prompt(row):
    """A pair as the teacher reads it; the rows of `train.py` are `fact [SEP] memories`."""
    fact, memories = row[0].split(" [SEP] ", 1)
    return f"Memory: {memories}\nFact: {fact}\nIs it held?"


def encoded(tokenizer, rows, at_once=20000):
    out = []
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        for encoding, row in zip(tokenizer.encode_batch([prompt(row) for row in some]), some):
            ids = encoding.ids
            if len(ids) > LONGEST:
                ids = ids[: LONGEST - LAST] + ids[-LAST:]
            out.append(([BEGIN] + ids, *row[1:]))
    return out


def batched(rows, tokens, rng, shuffle=True):
    """Batches of one task and about one length, as places of rows; each has at most so many tokens, padding included."""
    out = []
    for task in ("nli", "mem"):
        same = [i for i in range(len(rows)) if rows[i][2] == task]
        same.sort(key=lambda i: len(rows[i][0]) + (rng.random() * 6 if shuffle else 0))
        batch, longest = [], 0
        for i in same:
            length = len(rows[i][0])
            if batch and max(longest, length) * (len(batch) + 1) > tokens:
                out.append(batch)
                batch, longest = [], 0
            batch.append(i)
            longest = max(longest, length)
        if batch:
            out.append(batch)
    if shuffle:
        rng.shuffle(out)
    return out


def tensors(rows, picked, device):
    """Tokens, their number a multiple of eight, and the place of the last one of each row."""
    longest = max(len(rows[i][0]) for i in picked)
    ids = np.full((len(picked), (longest + 7) // 8 * 8), END, dtype=np.int64)
    last = np.zeros(len(picked), dtype=np.int64)
    for k, i in enumerate(picked):
        ids[k, : len(rows[i][0])] = rows[i][0]
        last[k] = len(rows[i][0]) - 1
    return torch.from_numpy(ids).to(device, non_blocking=True), torch.from_numpy(last).to(device, non_blocking=True)


@torch.no_grad()
def logits_of(model, rows, device, tokens=60000):
    """Logits of both heads for encoded rows, in their order."""
    model.eval()
    out = np.zeros((len(rows), 6), dtype=np.float32)
    for picked in batched(rows, tokens, random.Random(0), shuffle=False):
        ids, last = tensors(rows, picked, device)
        with torch.autocast(device, dtype=torch.bfloat16):
            vectors = model(ids, last)
        out[picked] = torch.cat([model.heads[name](vectors) for name in ("nli", "mem")], -1).float().cpu().numpy()
    model.train()
    return out


def save(folder, name, rows):
    """Under another name first: who waits for the file finds all of it."""
    path = os.path.join(folder, f"{name}.pickle")
    with open(f"{path}.new", "wb") as file:
        pickle.dump(rows, file)
    os.rename(f"{path}.new", path)


def load(folder, name):
    path = os.path.join(folder, f"{name}.pickle")
    while not os.path.exists(path):
        time.sleep(0.2)
    with open(path, "rb") as file:
        return pickle.load(file)


# Both steps -----------------------------------------------------------------------------------------------------------------------


def prepare(o, say):
    """Everything that is read and learned, as tokens of the teacher, what is needed first before the rest."""
    tokenizer = tokenizer_in(o.weights)
    with open(o.pairs) as file:
        pairs = json.load(file)
    say("read")
    pairs["asked"] = [pairs["own"][i] for i in pairs["read"]]
    for name in ("nli_test", "nli", "own", "test", "cases", "free", "asked"):
        save(o.out, name, encoded(tokenizer, pairs[name]))
        say(name, len(pairs[name]))
    say("prepared")


def teach(o, say):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = True
    rng = random.Random(0)
    weights = unpacked(o.weights, o.library)
    say("weights", len(weights))
    nli, nli_test = load(o.out, "nli"), load(o.out, "nli_test")
    model = Teacher(weights, o.layers).to(device)
    del weights
    # The heads begin at nothing, and learn faster.
    groups = [
        {"params": [p for p in model.llama.parameters() if p.ndim > 1], "weight_decay": 0.01, "times": 1},
        {"params": [p for p in model.llama.parameters() if p.ndim <= 1], "weight_decay": 0, "times": 1},
        {"params": list(model.heads.parameters()), "weight_decay": 0, "times": 20},
    ]
    optimizer = torch.optim.AdamW(groups, lr=1e-9, betas=(0.9, 0.98), **({"fused": True} if device == "cuda" else {}))

    def train_step(rows, picked, rate):
        for group in optimizer.param_groups:
            group["lr"] = rate * group["times"]
        ids, last = tensors(rows, picked, device)
        labels = torch.tensor([rows[i][1] for i in picked], device=device)
        task = rows[picked[0]][2]
        with torch.autocast(device, dtype=torch.bfloat16):
            vectors = model(ids, last)
        loss = small.loss_of(model.heads[task](vectors), labels, task)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    def stage(name, batches, until, floor, warm):
        """Trains until the time has come; the rate rises in the first `warm` steps, and falls to `floor` of its top."""
        start, step = time.time(), 0
        total = torch.zeros((), device=device)
        while True:
            done = (time.time() - start) / max(until - start, 1e-9)
            if done >= 1:
                break
            rows, picked = next(batches)
            total += train_step(rows, picked, o.rate * min(1, (step + 1) / warm) * (1 - (1 - floor) * done))
            step += 1
            if step % 200 == 0:
                say(name, step, f"loss {total.item() / 200:.3f}")
                total.zero_()
            if step % 20 == 0 and device == "cuda":
                torch.cuda.synchronize()  # steps are only queued otherwise, and the time is not theirs
        say(name, "ends after", step, "steps")

    def rounds(*parts):
        """Batches of all parts, each part in its share, drawn anew every round."""
        while True:
            now = []
            for rows, share in parts:
                some = rows if share >= 1 else rng.sample(rows, int(len(rows) * share))
                now += [(some, picked) for picked in batched(some, o.tokens, rng)]
            rng.shuffle(now)
            say("round of", len(now))
            yield from now

    model.train()
    stage("others", rounds((nli, 1)), o.nli_until, 0.6, 80)
    known = [row for row in nli_test if row[1] < 3]
    say("nli", float((logits_of(model, known, device)[:, :3].argmax(-1) == np.array([row[1] for row in known])).mean()))
    stage("ours", rounds((load(o.out, "own"), 1), (nli, 0.1)), o.own_until, 0.02, 40)
    test = load(o.out, "test")
    said = {"test": logits_of(model, test, device)}
    say("held back", json.dumps(small.figures(said["test"], [row[1] for row in test])))
    for name in ("asked", "free"):
        said[name] = logits_of(model, load(o.out, name), device)
        say(name, "read")
    # Under another name first: `train.py` may wait for it.
    np.savez(os.path.join(o.out, "new.npz"), **{name: logits.astype(np.float16) for name, logits in said.items()})
    os.rename(os.path.join(o.out, "new.npz"), os.path.join(o.out, "taught.npz"))
    say("done")
    np.savez(os.path.join(o.out, "teacher-cases.npz"), cases=logits_of(model, load(o.out, "cases"), device))
    say("cases read")


def main():
    o = options()
    begun = time.time()
    say = lambda *words: print(f"[teach {time.time() - begun:.0f}s]", *words, flush=True)
    os.makedirs(o.out, exist_ok=True)
    {"prepare": prepare, "teach": teach}[o.what](o, say)


if __name__ == "__main__":
    main()
