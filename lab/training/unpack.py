"""Takes the file that ships apart again, so that training can go on from it.

    python3 lab/training/unpack.py src/gateway/entailment/model.bin before.npz
"""

import json
import struct
import sys

import numpy as np


def main(source, target):
    with open(source, "rb") as file:
        whole = file.read()
    size = struct.unpack("<I", whole[:4])[0]
    head, data, arrays = json.loads(whole[4 : 4 + size]), whole[4 + size :], {}
    for tensor in head["tensors"]:
        count = int(np.prod(tensor["shape"]))
        if tensor["type"] == "int8":
            arrays[tensor["name"] + "::q"] = np.frombuffer(data, np.int8, count, tensor["at"]).reshape(tensor["shape"])
            arrays[tensor["name"] + "::s"] = np.frombuffer(data, "<f4", tensor["shape"][0], tensor["scales"]).reshape(-1, 1)
        else:
            arrays[tensor["name"]] = np.frombuffer(data, "<f2", count, tensor["at"]).reshape(tensor["shape"])
    for name, head_weights in head["heads"].items():
        arrays[f"heads.{name}.weight"] = np.array(head_weights["weight"], np.float32) / 10
        arrays[f"heads.{name}.bias"] = np.array(head_weights["bias"], np.float32)
    np.savez(target, **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
