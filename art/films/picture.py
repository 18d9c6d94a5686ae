"""What is seen: camera moves over pictures, light that fades into other light, titles, and a plan of the room.

Every frame is sampled between the pixels, so a slow move does not jitter.
"""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WIDE, HIGH, RATE = 1280, 720, 24
FONTS = Path(__file__).resolve().parents[2] / "internal/site/card/fonts"
PALE, GOLD, FAINT, ACCENT = (246, 247, 249), (233, 189, 94), (150, 155, 166), (249, 139, 61)
LEFT = 84  # where titles begin

TO_LIGHT = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
TO_SCREEN = np.clip((np.arange(4096) / 4095.0) ** (1 / 2.2) * 255 + 0.5, 0, 255).astype(np.uint8)


def eased(t):
    """From 0 to 1, slow at both ends."""
    t = min(max(t, 0.0), 1.0)
    return t * t * t * (t * (6 * t - 15) + 10)


def finer(picture):
    """Larger than any frame of it: what lies between its pixels is worked out once, and well."""
    return picture.resize((2048, 1152), Image.LANCZOS)


def seen(picture, x, y, zoom):
    """The picture around a point of it (0 to 1), so many times as large as the frame."""
    width, height = picture.size
    wide, high = width / zoom, width / zoom * HIGH / WIDE
    left = min(max(x * width - wide / 2, 0), width - wide)
    top = min(max(y * height - high / 2, 0), height - high)
    return picture.transform((WIDE, HIGH), Image.AFFINE, (wide / WIDE, 0, left, 0, high / HIGH, top), Image.BILINEAR)


def mixed(a, b, part):
    """One light faded into another, as light adds up."""
    if part <= 0 or part >= 1:
        return np.asarray(a if part <= 0 else b)
    light = TO_LIGHT[np.asarray(a)] * (1 - part) + TO_LIGHT[np.asarray(b)] * part
    return TO_SCREEN[(light * 4095).astype(np.int16)]


def face(name, size):
    return ImageFont.truetype(str(FONTS / name), size)


def spaced(draw, at, text, font, colour, gap):
    x, y = at
    for letter in text:
        draw.text((x, y), letter, font=font, fill=colour)
        x += font.getlength(letter) + gap


class Title:
    """A kicker and up to three lines in the serif, that rise a little as they come."""

    def __init__(self, kicker, lines, size=68, top=None):
        serif, sans = face("instrument-serif-400.ttf", size * 2), face("geist-500.ttf", 34)
        step = size * 2.08
        self.parts = []  # drawn at twice the size, then made smaller
        top = top if top is not None else 300 - step / 2 * len(lines) / 2
        if kicker:
            self.parts.append((self.drawn(lambda d: spaced(d, (4, 20), kicker.upper(), sans, GOLD, 5.5)), top - 46))
        for i, line in enumerate(lines):
            self.parts.append((self.drawn(lambda d, line=line: d.text((0, 20), line, font=serif, fill=PALE)), top + i * step / 2))

        self.small = [layer.transform((900, 120), Image.AFFINE, (2, 0, 0, 0, 2, 0), Image.BICUBIC) for layer, _ in self.parts]

    @staticmethod
    def drawn(write):
        layer = Image.new("RGBA", (1800, 240), (246, 247, 249, 0))
        write(ImageDraw.Draw(layer))
        return layer

    def onto(self, frame, t, length):
        """t is the time since the shot began."""
        gone = 1 - eased((t - (length - 0.9)) / 0.7)
        for i, (layer, top) in enumerate(self.parts):
            here = eased((t - 0.7 - 0.22 * i) / 1.1)
            if here * gone <= 0:
                continue
            rise, shown = 16 * (1 - here), self.small[i]
            if rise:
                shown = layer.transform((900, 120), Image.AFFINE, (2, 0, 0, 0, 2, -2 * (rise % 1)), Image.BICUBIC)
            mask = shown.getchannel("A")
            if here * gone < 1:
                mask = mask.point(lambda a, k=here * gone: int(a * k))
            frame.paste(shown, (LEFT, int(top + rise // 1)), mask)


def shade(deep=0.62):
    """A soft dark behind the titles."""
    across = np.clip(1 - np.linspace(0, 1, WIDE) / 0.62, 0, 1) ** 1.3
    row = np.round((1 - deep * across) * 255).astype(np.uint8)
    return Image.fromarray(np.broadcast_to(row[None, :, None], (HIGH, WIDE, 3)).copy())


class Plan:
    """The room from above, drawn thing after thing: (second, what)."""

    def __init__(self, steps, top=400):
        self.steps, self.top = steps, top
        self.layers = {name: self.drawn(getattr(self, name)) for name, _, _ in steps}

    @staticmethod
    def drawn(write):
        layer = Image.new("RGBA", (900, 600), (246, 247, 249, 0))
        write(ImageDraw.Draw(layer))
        return layer.resize((414, 276), Image.LANCZOS)

    def onto(self, frame, t, fade):
        for name, start, end in self.steps:
            here = eased((t - start) / 0.8) * (1 - eased((t - end) / 0.6)) * fade
            if here <= 0:
                continue
            shown = self.layers[name]
            mask = shown.getchannel("A")
            frame.paste(shown, (LEFT - 28, self.top), mask if here == 1 else mask.point(lambda a, k=here: int(a * k)))

    # The sitter is at 470, 190; the lens looks up from below; the wall is at the top.
    word = staticmethod(lambda d, at, text, colour=FAINT: d.text(at, text, font=face("geist-500.ttf", 38), fill=colour))

    def room(self, d):
        d.line((60, 40, 860, 40), fill=FAINT, width=6)
        self.word(d, (60, 54), "wall")
        d.rounded_rectangle((420, 530, 520, 552), 8, outline=PALE, width=5)
        self.word(d, (424, 556), "phone")

    def you(self, d, y=130):
        d.ellipse((430, y - 40, 510, y + 40), fill=PALE)
        d.polygon([(456, y + 34), (484, y + 34), (470, y + 58)], fill=PALE)

    def near(self, d):
        self.you(d, 105)

    def far(self, d):
        self.you(d, 225)
        for y in range(52, 180, 24):
            d.line((470, y, 470, y + 10), fill=GOLD, width=4)
        self.word(d, (494, 92), "3 ft", GOLD)

    def overhead(self, d):
        for turn in range(0, 360, 45):
            x, y = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            d.line((470 + 62 * x, 105 + 62 * y, 470 + 84 * x, 105 + 84 * y), fill=ACCENT, width=5)
        self.word(d, (566, 120), "ceiling", ACCENT)

    def lamp(self, d):
        d.polygon([(250, 470), (436, 100), (520, 220)], fill=(*ACCENT, 46))
        d.ellipse((222, 442, 278, 498), fill=ACCENT)
        self.word(d, (130, 510), "lamp one", ACCENT)

    def sheet(self, d):
        d.line((236, 300, 396, 396), fill=PALE, width=9)
        self.word(d, (130, 262), "sheet", PALE)

    def second(self, d):
        d.line((800, 250, 860, 430), fill=FAINT, width=9)
        d.polygon([(700, 450), (806, 270), (850, 404)], fill=(*ACCENT, 40))
        d.polygon([(826, 330), (500, 170), (500, 250)], fill=(*PALE, 26))
        d.ellipse((676, 426, 724, 474), fill=ACCENT)
        self.word(d, (640, 492), "lamp two", ACCENT)
