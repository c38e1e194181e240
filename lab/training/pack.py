"""Writes a trained model as the one file that ships.

    python3 lab/training/pack.py m-0.npz,m-1.npz,m-2.npz src/gateway/entailment/model.bin

Length of the head (four bytes, little-endian), a head in JSON (tensors with name, shape, type and place, the linear heads), then the tensors: int8 with
a 32-bit scale for each row, or 16-bit floats.
"""

import hashlib
import json
import struct
import sys

import numpy as np


def main(sources, target):
    arrays = {}
    for path in sources.split(","):
        arrays |= dict(np.load(path))
    tensors, data, at = [], [], 0

    def put(array):
        nonlocal at
        data.append(array.tobytes())
        at += array.nbytes
        return at - array.nbytes

    for name in sorted({name.split("::")[0] for name in arrays if not name.startswith("heads")}):
        if f"{name}::q" in arrays:
            weights, scale = arrays[f"{name}::q"], arrays[f"{name}::s"].astype("<f4")
            tensors.append({"name": name, "shape": list(weights.shape), "type": "int8", "at": put(weights), "scales": put(scale)})
        else:
            weights = arrays[name].astype("<f2")
            tensors.append({"name": name, "shape": list(weights.shape), "type": "fp16", "at": put(weights)})
    heads = {
        name: {"weight": np.round(arrays[f"heads.{name}.weight"] * 10, 6).tolist(), "bias": np.round(arrays[f"heads.{name}.bias"], 6).tolist()}
        for name in ("nli", "mem")
    }
    head = json.dumps({"tensors": tensors, "heads": heads}, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 4)
    whole = struct.pack("<I", len(head)) + head + b"".join(data)
    with open(target, "wb") as file:
        file.write(whole)
    print(len(whole), "bytes, sha256", hashlib.sha256(whole).hexdigest())


if __name__ == "__main__":
    main(*sys.argv[1:])
