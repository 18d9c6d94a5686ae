"""AI Tools: the blue gel."""

import math

from kit import *

RIM = GELS["ai"]


def an_ai_assisted_video_editing_workflow():
    """A film reel; the strip it lets go has light in its frames."""
    floor(material((0.01, 0.011, 0.014), 0.12))
    wall(6)
    with group((0.85, 0.2, 1.25), (math.pi / 2, 0, -0.4)):
        for z in (-0.16, 0.16):
            ring(1.12, 0.05, (0, 0, z), steel(0.28))
            ring(0.4, 0.06, (0, 0, z), steel(0.28))
            for i in range(5):
                turn = i * 2 * math.pi / 5 + 0.3
                with group((0, 0, z), (0, 0, turn)):
                    plate([(0.3, -0.2), (1.1, -0.1), (1.1, 0.1), (0.3, 0.2)], 0.03, (0, 0, 0), steel(0.28), (math.pi / 2, 0, 0))
        rod(0.92, 0.26, (0, 0, 0), material((0.02, 0.012, 0.01), 0.3), bevel=0.01)
        rod(0.14, 0.5, (0, 0, 0), brass(), bevel=0.03)
        for i in range(8):
            ring(0.5 + i * 0.055, 0.006, (0, 0, -0.13), material((0.03, 0.02, 0.018), 0.3))
    def along(part):
        x = 1.0 - 3.4 * part
        return (x, 0.05 - 0.9 * part, 0.17 + 0.28 * math.sin(part * 6.2) ** 2 * (1 - part * 0.4))
    film, frame = material((0.015, 0.012, 0.012), 0.2), [glow(RIM, 1.5), glow((1, 0.62, 0.3), 1.1)]
    steps = 120
    strip = [along(i / steps) for i in range(steps + 1)]
    patch([[(x, y - w, z) for x, y, z in strip] for w in (-0.2, 0.2)], film, thick=0.008)
    for i in range(4, steps - 6, 6):
        (x, y, z), (u, v, w) = strip[i], strip[i + 4]
        patch([[(x, y - s, z + 0.012), (u, v - s, w + 0.012)] for s in (-0.13, 0.13)], frame[(i // 6) % 4 == 0])
        for j in range(i, i + 6, 2):
            for s in (-0.17, 0.17):
                x, y, z = strip[j]
                box((0.025, 0.022, 0.004), (x, y - s, z + 0.012), paper((0.5, 0.5, 0.5)), 0)
    spot((2.8, -4.2, 4.6), (0.8, 0, 1.1), 1400, WARM, 0.6)
    spot((-3.2, 2, 3.4), (0.8, 0, 1.2), 2000, RIM, 0.8)
    spot((3, 3, 4.4), (2, 6, 1.6), 1000, RIM, 1.1, 1)
    camera((-1.1, -6.6, 1.7), (0.0, 0, 1.1), 46, 1.6, (0.6, -0.2, 1.0))


def prompting_for_writers_and_directors():
    """A wave of keys, one of them lit."""
    cap, side = material((0.02, 0.022, 0.028), 0.32, coat=0.4), material((0.014, 0.015, 0.02), 0.5)
    floor(material((0.006, 0.007, 0.01), 0.3), -0.6)
    wall(9)
    for row in range(11):
        for i in range(-10, 11):
            x, y = i * 0.5 + (row % 2) * 0.2, row * 0.5 - 1.6
            z = 0.28 * math.sin(x * 0.9 + y * 0.7) + 0.18 * math.sin(y * 1.3 - x * 0.4)
            lit = (row, i) == (4, 1)
            tilt = (0.24 * math.cos(y * 1.3), -0.2 * math.cos(x * 0.9 + y * 0.7), 0)
            what = glow((1, 0.42, 0.1), 0.6) if lit else cap
            box((0.44, 0.44, 0.26), (x, y, z), side if not lit else what, 0.05, tilt)
            rod(0.27, 0.1, (x, y, z + 0.16), what, (tilt[0], tilt[1], math.pi / 4), 0.03, end=0.23, sides=4)
            if lit:
                point((x, y - 0.1, z + 0.6), 8, (1, 0.55, 0.2), 0.1)
    spot((-4, 4.5, 2.6), (0.2, 0.4, 0), 1700, RIM, 0.9)
    spot((4.5, 4.0, 3.4), (0.4, 0.4, 0), 900, RIM, 0.9)
    spot((1.5, -3.4, 5), (0.5, 0.4, 0), 420, WARM, 0.6)
    camera((-1.2, -4.6, 2.3), (0.05, 0.6, -0.02), 48, 1.2, (0.75, 0.4, 0.3))


def storyboards_and_look_books_with_image_models():
    """Storyboard cards stand in a row, each with its little scene."""
    floor(material((0.012, 0.013, 0.016), 0.14))
    wall(6)
    card, ink, grey = paper((0.86, 0.84, 0.78)), material((0.03, 0.035, 0.05), 0.9), material((0.3, 0.33, 0.4), 0.9)
    sun, sea = material((1, 0.45, 0.12), 0.8), material((0.06, 0.25, 0.5), 0.8)
    def scene(kind):
        box((1.5, 0.025, 1.0), (0, 0, 0.5), card, 0.008)
        box((1.34, 0.006, 0.76), (0, -0.014, 0.54), ink if kind == 1 else grey if kind == 2 else material((0.55, 0.6, 0.66), 0.9), 0)
        def piece(outline, what, layer):
            plate(outline, 0.004, (0, -0.018 - 0.004 * layer, 0), what, bevel=0)
        low, wide = 0.16, 0.67
        if kind == 0:
            piece([(-wide, low), (wide, low), (wide, 0.34), (-wide, 0.34)], ink, 1)
            piece([(0.08, 0.86), (0.2, 0.86), (0.52, 0.27), (-0.24, 0.27)], sun, 2)
            piece([(0.02, 0.92), (0.26, 0.92), (0.2, 0.84), (0.08, 0.84)], ink, 3)
            piece([(0.1, 0.27), (0.18, 0.27), (0.2, 0.52), (0.14, 0.57), (0.08, 0.52)], ink, 3)
            piece([(-0.55, 0.3), (-0.25, 0.3), (-0.25, 0.8), (-0.55, 0.8)], sea, 2)
        if kind == 1:
            rod(0.12, 0.004, (-0.3, -0.019, 0.72), card, (math.pi / 2, 0, 0))
            for x, h in ((-0.55, 0.2), (-0.2, 0.3), (0.15, 0.46), (0.45, 0.26)):
                piece([(x, low), (x + 0.26, low), (x + 0.26, low + h), (x, low + h)], sea, 1)
                for j in range(3):
                    box((0.03, 0.004, 0.03), (x + 0.06 + 0.07 * j, -0.027, low + h - 0.07), sun, 0)
        if kind == 2:
            piece([(-wide, low), (wide, low), (0.12, 0.56), (-0.12, 0.56)], ink, 1)
            piece([(-0.05, low), (0.05, low), (0.01, 0.56), (-0.01, 0.56)], sun, 2)
            piece([(-wide, 0.56), (wide, 0.56), (0.4, 0.66), (0.1, 0.6), (-0.3, 0.72)], sea, 1)
    for x, y, turn, kind in ((0.05, -0.5, 0.25, 0), (1.45, 0.2, -0.25, 1), (2.6, 1.5, 0.2, 2), (-0.7, 1.3, -0.35, 2), (0.85, 1.9, 0.15, 0)):
        with group((x, y, 0.01), (-0.14, 0, turn), 1.15):
            scene(kind)
            with group((0, 0.5, 0), (0.5, 0, 0)):
                box((0.3, 0.02, 0.8), (0, 0, 0.4), card, 0.004)
    with group((-0.95, -0.9, 0.05), (math.pi / 2, 0, 1.0)):
        rod(0.05, 1.1, (0, 0, 0), lacquer((0.02, 0.12, 0.3)), sides=6)
        rod(0.05, 0.16, (0, 0, 0.63), wood((0.4, 0.22, 0.1), (0.5, 0.3, 0.14)), end=0.008)
    spot((2.4, -4.4, 4.6), (0.7, 0, 0.5), 1000, WARM, 0.6)
    spot((-3.6, 2.6, 3), (0.6, 0.4, 0.5), 2200, RIM, 0.9)
    spot((3, 3.4, 4), (2, 6, 1.2), 900, RIM, 1.1, 1)
    camera((-1.0, -5.4, 1.45), (0.35, 0, 0.66), 44, 1.4, (0.2, -0.4, 0.6))


def music_production_with_ai():
    """The faders of a mixing desk, very close."""
    floor(None, -2)
    wall(9)
    with group((0, 0, 0), (0.1, 0, 0.32)):
        box((11, 7, 0.3), (0, 1, -0.15), material((0.02, 0.021, 0.025), 0.4, 0.6), 0.03)
        for i in range(-7, 10):
            x = i * 0.55
            box((0.006, 6.8, 0.004), (x - 0.275, 1, 0.003), steel(), 0)
            box((0.05, 1.9, 0.01), (x, -0.6, 0.002), material((0.002, 0.002, 0.002), 0.9), 0)
            for j in range(11):
                box((0.12, 0.01, 0.003), (x + 0.14, -1.45 + j * 0.17, 0.003), paper((0.4, 0.4, 0.4)), 0)
            y = -0.7 + 0.55 * math.sin(i * 0.75 + 0.6)
            box((0.24, 0.4, 0.2), (x, y, 0.13), material((0.6, 0.6, 0.62), 0.35) if i % 4 else lacquer((0.5, 0.12, 0.02)), 0.05)
            box((0.245, 0.02, 0.02), (x, y, 0.23), lacquer(), 0.003)
            for j in range(7):
                on = j < 4 + 2.4 * math.sin(i * 1.3 + 1)
                box((0.16, 0.05, 0.03), (x, 0.62 + j * 0.09, 0.012), glow(RIM if j < 5 else (1, 0.4, 0.12), 1.5) if on else lacquer(), 0.006)
            for j in range(4):
                with group((x, 1.6 + j * 0.55, 0), (0, 0, i * 1.1 + j)):
                    lathe([(0, 0.25), (0.11, 0.25), (0.13, 0.22), (0.15, 0.0)], (0, 0, 0), lacquer(), sides=28)
                    box((0.02, 0.12, 0.01), (0, 0.06, 0.252), paper(), 0)
    spot((2.4, -2.6, 4.2), (0.4, -0.3, 0), 420, WARM, 0.7)
    spot((-4, 3.2, 2.2), (0.2, 0.4, 0), 1500, RIM, 0.9)
    spot((4.5, 4.5, 2.4), (0.4, 0.8, 0), 500, RIM, 0.9)
    camera((-1.5, -3.5, 1.25), (0.2, 0.1, 0.0), 46, 0.9, (0.1, -0.9, 0.2))
