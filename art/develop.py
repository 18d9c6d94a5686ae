"""From a clean picture to what is kept of it."""

import numpy as np


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
