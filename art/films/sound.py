"""What is heard: slow chords, a few soft notes, the click of a lamp, and a room around them. No samples, no noise."""

import numpy as np

RATE = 48000
dice = np.random.default_rng(7)


def pitch(note):
    return 440 * 2 ** ((note - 69) / 12)


def swell(note, seconds, rise=2.6, fall=3.4):
    """A pad: three voices a little out of tune with each other, that never begin anywhere."""
    t = np.arange(int((seconds + fall) * RATE)) / RATE
    out = np.zeros((len(t), 2))
    for detune, pan in ((-0.06, 0.25), (0.0, 0.5), (0.07, 0.75)):
        f, phase = pitch(note + detune), dice.uniform(0, 6.28)
        wave = sum(np.sin(2 * np.pi * f * k * t + phase * k) / k**2.3 for k in range(1, 6) if f * k < 5000)
        wave *= 1 + 0.12 * np.sin(2 * np.pi * (0.11 + 0.05 * pan) * t + phase)
        out += wave[:, None] * np.array([np.cos(pan * np.pi / 2), np.sin(pan * np.pi / 2)])
    shape = np.clip(t / rise, 0, 1) * np.clip((seconds + fall - t) / fall, 0, 1)
    return out * (np.sin(shape * np.pi / 2) ** 2)[:, None]


def touch(note, pan=0.5, long=2.8):
    """A felt piano, from far."""
    t = np.arange(int(long * 2 * RATE)) / RATE
    f = pitch(note)
    wave = sum(np.sin(2 * np.pi * f * k * (1 + 0.0004 * k * k) * t) * np.exp(-t * (1.1 + 0.8 * k) * 2.2 / long) / k**1.7 for k in range(1, 7) if f * k < 6000)
    wave *= np.clip(t / 0.012, 0, 1)
    return wave[:, None] * np.array([np.cos(pan * np.pi / 2), np.sin(pan * np.pi / 2)])


def click():
    """A lamp's switch: two small knocks."""
    t = np.arange(int(0.12 * RATE)) / RATE
    knock = np.sin(2 * np.pi * 1650 * t) * np.exp(-t * 420) + 0.7 * np.sin(2 * np.pi * 420 * t) * np.exp(-t * 130)
    out = knock.copy()
    late = int(0.028 * RATE)
    out[late:] += 0.6 * knock[:-late]
    return np.stack([out, out], 1)


def room(dry, seconds=2.4, wet=0.4):
    """The room answers: a smooth tail without a single echo in it."""
    t = np.arange(int(seconds * RATE)) / RATE
    size = 1 << int(np.ceil(np.log2(len(dry) + len(t))))
    out = np.zeros_like(dry)
    for side in (0, 1):
        tail = dice.standard_normal(len(t)) * np.exp(-t * 6.9 / seconds) * np.clip(t / 0.02, 0, 1)
        tail = np.convolve(tail, np.hanning(25) / np.hanning(25).sum(), "same")  # dull, as a room with curtains is
        tail /= np.sqrt((tail**2).sum())
        out[:, side] = np.fft.irfft(np.fft.rfft(dry[:, side], size) * np.fft.rfft(tail, size), size)[: len(dry)]
    return dry * (1 - wet * 0.5) + out * wet


def bed(length, chords, touches=(), clicks=()):
    """chords are (second, notes), touches (second, note), clicks seconds."""
    all_of_it = np.zeros((int((length + 8) * RATE), 2))

    def lay(at, sound, loud):
        start = int(at * RATE)
        end = min(len(all_of_it), start + len(sound))
        all_of_it[start:end] += sound[: end - start] * loud

    starts = [at for at, _ in chords] + [length]
    for (at, notes), until in zip(chords, starts[1:]):
        for i, note in enumerate(notes):
            lay(max(0, at - 1.2), swell(note, until - at + 1.2), 0.19 if i == 0 else 0.105)
    for i, (at, note) in enumerate(touches):
        lay(at, touch(note, 0.36 + 0.28 * (i % 2)), 0.17)
    wet = room(all_of_it)
    all_of_it[:] = 0
    for at in clicks:
        lay(at, click(), 0.16)
    wet = (wet + room(all_of_it, 0.5, 0.25))[: int(length * RATE)]
    t = np.arange(len(wet)) / RATE
    wet *= (np.clip(t / 0.6, 0, 1) * np.clip((length - t) / 2.2, 0, 1) ** 1.5)[:, None]
    return wet / np.abs(wet).max() * 0.7
