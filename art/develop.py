"""From noisy light to a clean picture: what a denoiser would do, in a few lines of numpy."""

import numpy as np


def _moved(picture, down, right):
    return np.roll(picture, (down, right), (0, 1))


def _blurred(plane, reach):
    for axis in (0, 1):
        plane = sum(np.roll(plane, step, axis) for step in range(-reach, reach + 1)) / (2 * reach + 1)
    return plane


def without_sparks(picture):
    """Single pixels far brighter than all around them become like their neighbours."""
    light = picture.sum(2)
    around = np.sort([_moved(light, y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)], 0)
    spark = light > around[5] * 1.25 + 0.06
    steps = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    calm = np.median([_moved(picture, y, x) for y, x in steps], 0)
    return np.where(spark[..., None], calm, picture)


def clean(picture, strength, reach=5):
    """Non-local means: each pixel becomes the mean of those nearby whose surroundings look the same."""
    picture = without_sparks(without_sparks(picture)).astype(np.float32)
    light = _blurred(picture.mean(2), 2)
    width = 2 * (strength * (0.35 + 1.3 * np.sqrt(np.clip(light, 0, 1)))) ** 2
    total, weights = picture.copy(), np.ones(picture.shape[:2], np.float32)
    near = [(y, x) for y in range(reach + 1) for x in range(-reach, reach + 1) if (y, x) > (0, 0) and (y + x) % 2 == 0]
    for down, right in near:
        other = _moved(picture, down, right)
        change = picture - other
        unlike = _blurred(np.einsum("ijc,ijc->ij", change, change) / 3, 1)
        weight = np.exp(-np.maximum(unlike / width - 1, 0))
        total += other * weight[..., None]
        weights += weight
        total += _moved(picture * weight[..., None], -down, -right)
        weights += _moved(weight, -down, -right)
    return total / weights[..., None]


def _weights(before, after):
    """Lanczos weights of a change from one length to another."""
    scale = max(1.0, before / after)
    centre = (np.arange(after)[:, None] + 0.5) * before / after - 0.5
    far = (np.arange(before)[None] - centre) / scale
    taken = np.where(np.abs(far) < 3, np.sinc(far) * np.sinc(far / 3), 0)
    return (taken / taken.sum(1, keepdims=True)).astype(np.float32)


def tint(picture, columns=6):
    """What is shown until a picture is there: its colours from left to right, three hexadecimal digits each."""
    parts = np.array_split(picture.mean(0), columns)
    return "".join(f"{round(float(value) * 15):x}" for part in parts for value in np.clip(part.mean(0), 0, 1))


def resized(picture, width):
    height = width * 9 // 16
    rows, columns = _weights(picture.shape[0], height), _weights(picture.shape[1], width)
    return np.clip(np.einsum("ij,jkc->ikc", rows, np.einsum("lk,jkc->jlc", columns, picture, optimize=True), optimize=True), 0, 1)
