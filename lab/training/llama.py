"""A Llama in plain torch, for reading pairs: grouped keys, rotary positions, tensors under the names that GGUF gives them.

The sizes are those of TinyLlama 1.1B.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH = 2048
HEADS = 32
#: Keys and values are shared by several heads.
KEY_HEADS = 4
INNER = 5632
HEAD_WIDTH = WIDTH // HEADS
WORDS = 32000


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        whole = x.float()
        whole = whole * torch.rsqrt(whole.pow(2).mean(-1, keepdim=True) + 1e-5)
        return whole.to(x.dtype) * self.weight.to(x.dtype)


def linear(inputs, outputs):
    return nn.Linear(inputs, outputs, bias=False)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn_norm = Norm(WIDTH)
        self.ffn_norm = Norm(WIDTH)
        self.attn_q = linear(WIDTH, WIDTH)
        self.attn_k = linear(WIDTH, HEAD_WIDTH * KEY_HEADS)
        self.attn_v = linear(WIDTH, HEAD_WIDTH * KEY_HEADS)
        self.attn_output = linear(WIDTH, WIDTH)
        self.ffn_gate = linear(WIDTH, INNER)
        self.ffn_up = linear(WIDTH, INNER)
        self.ffn_down = linear(INNER, WIDTH)

    def forward(self, x, angles):
        count, length, _ = x.shape
        y = self.attn_norm(x)
        split = lambda projected, heads: projected.view(count, length, heads, HEAD_WIDTH).transpose(1, 2)
        queries = turned(split(self.attn_q(y), HEADS), angles)
        keys = turned(split(self.attn_k(y), KEY_HEADS), angles).repeat_interleave(HEADS // KEY_HEADS, 1)
        values = split(self.attn_v(y), KEY_HEADS).repeat_interleave(HEADS // KEY_HEADS, 1)
        x = x + self.attn_output(attended(queries, keys, values).transpose(1, 2).reshape(count, length, WIDTH))
        y = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))


def attended(queries, keys, values):
    """Every token looks at itself and those before it."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    length = queries.shape[2]
    scores = queries @ keys.transpose(-1, -2) / HEAD_WIDTH**0.5
    later = torch.ones(length, length, device=scores.device).triu(1).bool()
    return scores.masked_fill(later, -1e9).softmax(-1) @ values


def turned(x, angles):
    """Rotary positions; GGUF keeps the two numbers of a rotation side by side."""
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = angles
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


def rotations(length, device, dtype):
    speeds = 10000.0 ** (-torch.arange(0, HEAD_WIDTH, 2, device=device).float() / HEAD_WIDTH)
    angles = torch.outer(torch.arange(length, device=device).float(), speeds)
    return angles.cos().to(dtype), angles.sin().to(dtype)


class Llama(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.token_embd = nn.Embedding(WORDS, WIDTH)
        self.blk = nn.ModuleList(Layer() for _ in range(layers))
        self.output_norm = Norm(WIDTH)

    def forward(self, ids):
        x = self.token_embd(ids)
        if torch.is_autocast_enabled():
            x = x.to(torch.bfloat16)
        angles = rotations(ids.shape[1], ids.device, x.dtype)
        for layer in self.blk:
            x = layer(x, angles)
        return self.output_norm(x)
