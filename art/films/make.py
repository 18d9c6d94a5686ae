"""Makes the films: python3 art/films/make.py FOLDER OUT [name…]   (art/film calls it)

FOLDER holds the pictures as PNG. A film is a list of shots; the camera moves through each with ease, and one fades into the next.
"""

import json
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import sound
from PIL import ImageChops
from picture import HIGH, RATE, WIDE, Image, eased, finer, mixed, seen, shade
from scripts import FILMS

FADE = 1.1  # seconds in which one shot becomes the next


class Shot:
    """`pictures` is one name, or (second, name) pairs for light that changes while the camera moves on."""

    def __init__(self, folder, start, length, pictures, move, title=None, plan=None, deep=0.62, change=1.3):
        self.start, self.length, self.title, self.plan, self.change = start, length, title, plan, change
        pairs = [(0, pictures)] if isinstance(pictures, str) else pictures
        self.lights = [(at, self.opened(folder, name)) for at, name in pairs]
        self.begin, self.end = move
        self.dark = shade(deep)

    @staticmethod
    def opened(folder, name):
        if name == "black":
            return Image.new("RGB", (WIDE, HIGH))
        return finer(Image.open(folder / f"{name}.png").convert("RGB"))

    def frame(self, t):
        """What the camera sees, t seconds into the shot."""
        way = eased_move((t + FADE / 2) / (self.length + FADE))
        place = [a + (b - a) * way for a, b in zip(self.begin, self.end)]
        now = max(i for i, (at, _) in enumerate(self.lights) if at <= max(t, 0))
        light = seen(self.lights[now][1], *place)
        if now and t - self.lights[now][0] < self.change:
            light = mixed(seen(self.lights[now - 1][1], *place), light, eased((t - self.lights[now][0]) / self.change))
            light = Image.fromarray(light)
        shown = ImageChops.multiply(light, self.dark)
        if self.plan:
            self.plan.onto(shown, t, 1 - eased((t - self.length + 0.9) / 0.7))
        if self.title:
            for title, at, length in self.title:
                title.onto(shown, t - at, length)
        return shown


def eased_move(t):
    """A move that is never quite still: mostly even, soft at both ends."""
    return 0.55 * t + 0.45 * eased(t)


def frames(shots, length):
    black = Image.new("RGB", (WIDE, HIGH))
    for n in range(int(length * RATE)):
        t = n / RATE
        on = [s for s in shots if s.start - FADE / 2 <= t < s.start + s.length + FADE / 2]
        first = on[0].frame(t - on[0].start)
        if len(on) > 1:
            first = mixed(first, on[1].frame(t - on[1].start), eased((t - on[1].start + FADE / 2) / FADE))
        out = min(eased(t / 1.4), eased((length - t) / 1.8))
        yield np.asarray(mixed(black, first, out)).tobytes()


def stamp(t):
    return f"{int(t // 3600):02}:{int(t // 60) % 60:02}:{t % 60:06.3f}"


def captions(cues):
    blocks = [f"{stamp(start)} --> {stamp(end)}\n{text}\n" for start, end, text in cues]
    return "WEBVTT\n\n" + "\n".join(blocks)


def loud(file):
    """The filter that brings a sound to -16 LUFS without changing its shape."""
    told = subprocess.run(
        ["ffmpeg", "-hide_banner", "-i", file, "-af", "loudnorm=I=-16:TP=-1.5:LRA=11:print_format=json", "-f", "null", "-"],
        capture_output=True, text=True, check=True,
    ).stderr
    m = json.loads(told[told.rindex("{") : told.rindex("}") + 1])
    return (
        f"loudnorm=I=-16:TP=-1.5:LRA=20:linear=true:measured_I={m['input_i']}:measured_TP={m['input_tp']}"
        f":measured_LRA={m['input_lra']}:measured_thresh={m['input_thresh']},aresample=48000"
    )


def make(name, folder, out):
    length, shots, cues, music = FILMS[name]()
    shots = [Shot(folder, *shot[:2], **shot[2]) for shot in shots]
    heard = folder / f"{name}.wav"
    with wave.open(str(heard), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(sound.RATE)
        file.writeframes((sound.bed(length, **music) * 32767).astype("<i2").tobytes())
    coder = subprocess.Popen(
        f"ffmpeg -y -v error -f rawvideo -pix_fmt rgb24 -s {WIDE}x{HIGH} -r {RATE} -i - -i".split() + [str(heard)]
        + ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-af", loud(str(heard))]
        + "-c:v libx264 -preset medium -crf 30 -g 240 -profile:v high -level 3.1 -x264-params aq-mode=3:aq-strength=0.7:deblock=1,1:bframes=5".split()
        + "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:a aac -b:a 56k -ac 2 -shortest -movflags +faststart".split()
        + "-map_metadata -1 -fflags +bitexact -threads 1".split() + [str(out / f"{name}.mp4")],
        stdin=subprocess.PIPE,
    )
    for frame in frames(shots, length):
        coder.stdin.write(frame)
    coder.stdin.close()
    if coder.wait():
        sys.exit(f"{name}: ffmpeg failed")
    if cues:
        (out / f"{name}.vtt").write_text(captions(cues))
    print("made", name, (out / f"{name}.mp4").stat().st_size, flush=True)


def still(name, folder, out, seconds):
    """Single frames, to look at."""
    _, shots, _, _ = FILMS[name]()
    shots = [Shot(folder, *shot[:2], **shot[2]) for shot in shots]
    for t in seconds:
        on = next(s for s in shots if s.start <= t < s.start + s.length)
        on.frame(t - on.start).save(out / f"{name}-{t:05.1f}.png")


if __name__ == "__main__":
    folder, out, *names = sys.argv[1:]
    for name in names or FILMS:
        name, _, at = name.partition("@")  # name@3,7.5 draws the frames of these seconds
        if at:
            still(name, Path(folder), Path(out), [float(t) for t in at.split(",")])
        else:
            make(name, Path(folder), Path(out))
