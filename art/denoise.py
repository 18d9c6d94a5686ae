"""From noisy light to a clean picture: Intel's Open Image Denoise, its network for pictures with albedo and normals.

Debian's Blender is built without it. The network is small, and numpy is enough for it; the weights come from a package.
"""

import struct

import numpy as np

ROWS = 16  # as many are multiplied at once: more do not stay in the cache


def weights(file):
    """The tensors of a .tza archive by name."""
    blob = file.read_bytes()
    magic, major, _, table = struct.unpack_from("<HBBQ", blob, 0)
    if (magic, major) != (0x41D7, 2):
        raise ValueError(f"{file} holds no weights")
    (count,), at, found = struct.unpack_from("<I", blob, table), table + 4, {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", blob, at)
        name, at = blob[at + 2 : at + 2 + length].decode(), at + 2 + length
        sides = blob[at]
        shape = struct.unpack_from(f"<{sides}I", blob, at + 1)
        kind, start = struct.unpack_from("<cQ", blob, at + 1 + 5 * sides)
        at += 1 + 5 * sides + 9
        values = np.frombuffer(blob, {b"f": "<f4", b"h": "<f2"}[kind], int(np.prod(shape)), start)
        found[name] = values.reshape(shape).astype(np.float32)
    return found


def _convolved(planes, kernel, bias):
    """A 3 x 3 convolution and what is above zero of it."""
    deep, height, width = planes.shape
    padded = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
    flat = np.ascontiguousarray(kernel.transpose(0, 2, 3, 1).reshape(len(kernel), -1))
    out = np.empty((len(kernel), height, width), np.float32)
    for top in range(0, height, ROWS):
        rows = min(ROWS, height - top)
        seen = [padded[:, top + y : top + y + rows, x : x + width] for y in range(3) for x in range(3)]
        product = flat @ np.concatenate(seen).reshape(-1, rows * width)
        out[:, top : top + rows] = np.maximum(product + bias[:, None], 0).reshape(-1, rows, width)
    return out


def _pooled(planes):
    deep, height, width = planes.shape
    return planes.reshape(deep, height // 2, 2, width // 2, 2).max((2, 4))


def _grown(planes):
    return planes.repeat(2, 1).repeat(2, 2)


def clean(picture, albedo, normal, network):
    """All three are rows of pixels: the picture as shown on a screen, the surfaces' own colours, and where they face."""
    height, width = picture.shape[:2]

    def layer(planes, name):
        return _convolved(planes, network[f"{name}.weight"], network[f"{name}.bias"])

    planes = np.dstack([np.clip(picture, 0, 1), np.clip(albedo, 0, 1), np.clip(normal, -1, 1) * 0.5 + 0.5])
    planes = np.pad(planes, ((0, -height % 16), (0, -width % 16), (0, 0)), "edge")
    given = np.ascontiguousarray(planes.transpose(2, 0, 1), np.float32)
    first = _pooled(layer(layer(given, "enc_conv0"), "enc_conv1"))
    second = _pooled(layer(first, "enc_conv2"))
    third = _pooled(layer(second, "enc_conv3"))
    found = layer(layer(_pooled(layer(third, "enc_conv4")), "enc_conv5a"), "enc_conv5b")
    for step, skipped in (("4", third), ("3", second), ("2", first), ("1", given)):
        joined = np.concatenate([_grown(found), skipped])
        found = layer(layer(joined, f"dec_conv{step}a"), f"dec_conv{step}b")
    return layer(found, "dec_conv0").transpose(1, 2, 0)[:height, :width]
