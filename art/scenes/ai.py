"""AI Tools: the blue gel."""

import math

from kit import *

RIM = GELS["ai"]


def an_ai_assisted_video_editing_workflow():
    """A reel lets its film go: it stands in curves on the floor, light in its frames, and a sun rises from one to the next."""
    floor(material((0.01, 0.011, 0.014), 0.12))
    wall(7)
    metal = steel(0.26)
    with group((1.95, 1.25, 1.2), (math.pi / 2, 0, -0.42)):
        cutters = [rod(0.27, 1, (0.66 * math.cos(t), 0.66 * math.sin(t), 0), None) for t in [0.3 + i * 2 * math.pi / 5 for i in range(5)]]
        for z in (-0.2, 0.2):
            holed(rod(1.14, 0.03, (0, 0, z), metal, bevel=0, sides=96), cutters)
            ring(1.14, 0.035, (0, 0, z), metal)
            ring(0.26, 0.03, (0, 0, z), metal)
        rod(0.98, 0.3, (0, 0, 0), material((0.03, 0.016, 0.012), 0.3), bevel=0.01, sides=96)
        rod(0.12, 0.5, (0, 0, 0), brass(), bevel=0.03)
        for i in range(8):
            ring(0.45 + i * 0.062, 0.008, (0, 0, 0.15), material((0.05, 0.03, 0.024), 0.3))

    way = _evenly([(1.7, 1.05), (1.0, 1.0), (0.35, 0.75), (0.02, 0.25), (0.3, -0.3), (1.0, -0.5), (1.7, -0.42), (2.4, -0.62), (3.0, -1.1), (3.4, -1.8)], 0.02)
    film, perforation, tall = material((0.012, 0.01, 0.01), 0.18, coat=0.5), glow((0.7, 0.82, 1), 0.35), 0.66
    hill, sun = material((0.004, 0.005, 0.008), 0.8), glow((1, 0.7, 0.36), 2.0)
    patch([[(x, y, z) for x, y, _, _ in way] for z in (0.03, 0.03 + tall)], film)

    def band(start, long, low, high, off, what):
        """A piece of a frame between two lines, on either side of the film; the lines are functions of the way along it."""
        for side in (-1, 1):
            rows = []
            for line in (low, high):
                row = []
                for i in range(33):
                    u = (1 - math.cos(math.pi * i / 32)) / 2
                    at = min(len(way) - 1.001, start + long * u)
                    x, y, nx, ny = (a + (b - a) * (at % 1) for a, b in zip(way[int(at)], way[int(at) + 1]))
                    row.append((x + nx * side * off, y + ny * side * off, 0.03 + tall * line(u)))
                rows.append(row)
            patch(rows, what)

    frame, gap = 40, 6
    count = (len(way) - 10) // (frame + gap)
    for i in range(count):
        start, part = 5 + i * (frame + gap), i / (count - 1)
        for j in range(6):
            # The sky, from the night's blue to the morning's orange, paler towards the hills.
            warm, pale = min(1, max(0, part * 1.7 - 0.35)), 1 - j / 5
            colour = tuple((1 - warm) * night + warm * day for night, day in zip((0.02 + 0.08 * pale, 0.1 + 0.2 * pale, 0.36 + 0.2 * pale), (0.5 + 0.5 * pale, 0.12 + 0.3 * pale, 0.1 + 0.02 * pale)))
            band(start, frame, lambda u, j=j: 0.18 + 0.64 * j / 6, lambda u, j=j: 0.18 + 0.64 * (j + 1) / 6, 0.004, glow(colour, 0.7))
        height, middle = 0.26 + 0.36 * part, 0.66 - 0.3 * part

        def half(u):
            return 0.16 * max(0.0, 1 - ((u - 0.5) / 0.5) ** 2) ** 0.5

        band(start + frame * (middle - 0.13), frame * 0.26, lambda u: height - half(u), lambda u: height + half(u), 0.006, sun)
        band(start, frame, lambda u: 0.18, lambda u: 0.36 + 0.1 * math.sin(5 * u + 0.6) * math.sin(2.2 * u + 1.4) + 0.02 * math.sin(19 * u), 0.008, hill)
    for at in range(3, len(way) - 8, 10):
        for low in (0.055, 0.88):
            band(at, 5, lambda u: low, lambda u: low + 0.065, 0.004, perforation)
    spot((3.4, -4.4, 4.8), (1.3, 0, 0.9), 1300, WARM, 0.6)
    spot((-2.8, 3.0, 3.6), (1.2, 0.2, 0.9), 2200, RIM, 0.7)
    spot((3.2, 3.4, 4.6), (2.6, 7, 1.8), 1500, RIM, 1.0, 1)
    camera((-0.6, -6.6, 2.2), (0.12, 0, 0.98), 44, 1.8, (0.9, -0.5, 0.5))


def _evenly(bends, step):
    """Points and normals in equal steps along a soft line through bends."""
    fine = []
    ends = [bends[0], *bends, bends[-1]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:]):
        for i in range(60):
            t = i / 60
            fine.append(tuple(0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t**3) for p, q, r, s in zip(a, b, c, d)))
    found, left = [], 0.0
    for (x, y), (u, v) in zip(fine, fine[1:]):
        far = math.hypot(u - x, v - y)
        while left < far:
            found.append((x + (u - x) * left / far, y + (v - y) * left / far, -(v - y) / far, (u - x) / far))
            left += step
        left -= far
    return found


def prompting_for_writers_and_directors():
    """A wave of keys comes out of the dark, one of them lit from inside."""
    cap, side = material((0.02, 0.022, 0.028), 0.3, coat=0.5), material((0.012, 0.013, 0.018), 0.5)
    floor(material((0.004, 0.004, 0.006), 0.5), -0.8)
    wall(9, material((0.012, 0.013, 0.018), 0.9))
    for row in range(9):
        for i in range(-5, 9):
            x, y = i * 0.62 + (row % 2) * 0.25, row * 0.62 - 1.4
            z = 0.26 * math.sin(x * 0.9 + y * 0.5) + 0.12 * math.sin(y * 1.1 - x * 0.4)
            lit = (row, i) == (2, 2)
            tilt = (0.16 * math.cos(y * 1.1), -0.18 * math.cos(x * 0.9 + y * 0.5), 0)
            with group((x, y, z + (0.1 if lit else 0)), tilt):
                box((0.54, 0.54, 0.16), (0, 0, 0), side, 0.04)
                rod(0.37, 0.2, (0, 0, 0.16), glow((1, 0.45, 0.12), 1.1) if lit else cap, (0, 0, math.pi / 4), 0.05, end=0.31, sides=4)
            if lit:
                point((x, y - 0.05, z + 0.75), 16, (1, 0.5, 0.18), 0.12)
                point((x - 0.4, y - 0.3, z + 0.2), 3, (1, 0.5, 0.18), 0.1)
    spot((4.6, 4.2, 2.6), (1.8, 0.6, 0), 1500, RIM, 0.62, 0.9)
    spot((0.2, 5.2, 3.2), (2.4, 1.4, 0), 1100, RIM, 0.5, 1)
    spot((3.4, -3.4, 5), (2.0, 0, 0), 260, WARM, 0.45, 0.9)
    camera((0.2, -4.9, 2.5), (1.35, 0.4, 0.02), 46, 1.4, (1.3, -0.2, 0.3), aside=0.16)


def _panel(kind, light=0.0):
    """A storyboard's card: a drawn shot in grey, the camera's move as an arrow, lines of notes. With light it is in colour."""
    def tone(grey, colour):
        return glow(colour, light) if light else material((grey, grey, grey * 1.04), 0.9)

    layers = iter(range(100))
    def piece(shape, what):
        y = -0.016 - 0.0015 * next(layers)
        flat([(x, y, z) for x, z in shape], what)

    def disc(x, z, r):
        return [(x + r * math.cos(t), z + r * math.sin(t)) for t in [i * math.pi / 18 for i in range(36)]]

    def figure(x, z, tall, what):
        """Somebody in a long coat, far away, seen from behind."""
        coat = [(-0.17, 0.12), (-0.07, 0.12), (-0.06, 0), (-0.01, 0), (0, 0.12), (0.02, 0.12), (0.05, 0), (0.1, 0), (0.08, 0.12), (0.18, 0.12), (0.13, 0.55), (0.15, 0.7), (0.09, 0.8), (-0.09, 0.8), (-0.15, 0.7), (-0.12, 0.5)]
        piece([(x + tall * u, z + tall * v) for u, v in coat], what)
        piece(disc(x, z + tall * 0.88, tall * 0.085), what)
        piece([(x + tall * u, z + tall * v) for u, v in ((-0.13, 0.9), (0.13, 0.9), (0.08, 0.93), (0.07, 1), (-0.07, 1), (-0.08, 0.93))], what)

    ink = material((0.012, 0.013, 0.018), 0.9)
    box((1.76, 0.03, 1.36), (0, 0, 0.68), paper((0.62, 0.59, 0.52)), 0.008)
    left, right, low, high = -0.8, 0.8, 0.38, 1.28
    piece([(left - 0.012, low - 0.012), (right + 0.012, low - 0.012), (right + 0.012, high + 0.012), (left - 0.012, high + 0.012)], ink)
    dark, mid, pale = tone(0.035, (0.012, 0.03, 0.07)), tone(0.14, (0.06, 0.14, 0.3)), tone(0.42, (0.75, 0.3, 0.1))
    if kind == "road":
        for i in range(12):
            part = i / 11
            shade = tone(0.55 - 0.3 * part, (1 - 0.86 * part, 0.42 - 0.26 * part, 0.12 + 0.2 * part))
            bottom, top = 0.66 + 0.62 * i / 12, 0.66 + 0.62 * (i + 1) / 12
            piece([(left, bottom), (right, bottom), (right, top), (left, top)], shade)
        piece(disc(0.2, 0.86, 0.17), tone(0.7, (1.6, 1.0, 0.5)))
        piece([(left, 0.7), (left, 0.92), (-0.66, 0.98), (-0.52, 1.08), (-0.4, 0.98), (-0.22, 0.86), (-0.02, 0.8), (0.1, 0.74), (0.3, 0.78), (0.46, 0.9), (0.58, 0.98), (0.7, 0.9), (right, 0.98), (right, 0.7)], tone(0.2, (0.2, 0.09, 0.14)))
        piece([(left, 0.68), (left, 0.8), (-0.5, 0.86), (-0.2, 0.76), (0.1, 0.72), (0.5, 0.78), (right, 0.84), (right, 0.68)], tone(0.11, (0.07, 0.05, 0.12)))
        piece([(left, low), (right, low), (right, 0.72), (left, 0.72)], dark)
        piece([(-0.5, low), (0.34, low), (0.2, 0.72), (0.18, 0.72)], tone(0.3, (0.42, 0.17, 0.07)))
        for bottom, top in ((0.39, 0.46), (0.5, 0.55), (0.585, 0.62), (0.645, 0.67)):
            middle = [-0.08 + 0.27 * (z - low) / (0.72 - low) for z in (bottom, top)]
            wide = [0.022 * (0.74 - z) / 0.36 for z in (bottom, top)]
            piece([(middle[0] - wide[0], bottom), (middle[0] + wide[0], bottom), (middle[1] + wide[1], top), (middle[1] - wide[1], top)], tone(0.6, (0.9, 0.6, 0.3)))
        figure(-0.24, 0.42, 0.46, ink)
    elif kind == "door":
        piece([(left, low), (right, low), (right, high), (left, high)], dark)
        piece([(0.1, 0.5), (0.46, 0.5), (0.46, 1.16), (0.1, 1.16)], tone(0.62, (1, 0.6, 0.25)))
        piece([(0.1, 0.5), (0.46, 0.5), (0.1, low), (-0.62, low)], tone(0.3, (0.5, 0.24, 0.1)))
        figure(0.26, 0.46, 0.5, ink)
    else:
        piece([(left, low), (right, low), (right, high), (left, high)], mid)
        piece(disc(-0.42, 1.06, 0.13), tone(0.62, (0.9, 0.85, 0.7)))
        for i, (x, wide, tall) in enumerate(((-0.8, 0.26, 0.34), (-0.5, 0.2, 0.5), (-0.26, 0.3, 0.3), (0.08, 0.22, 0.66), (0.34, 0.26, 0.44), (0.62, 0.18, 0.56))):
            piece([(x, low), (x + wide, low), (x + wide, low + tall), (x, low + tall)], dark)
            for j in range(3):
                piece([(x + 0.05 + 0.05 * (j % 2), low + tall - 0.1 - 0.1 * j), (x + 0.08 + 0.05 * (j % 2), low + tall - 0.1 - 0.1 * j), (x + 0.08 + 0.05 * (j % 2), low + tall - 0.06 - 0.1 * j), (x + 0.05 + 0.05 * (j % 2), low + tall - 0.06 - 0.1 * j)], pale)
    mark = material((0.75, 0.16, 0.02), 0.7)
    if not light:
        z = 0.5
        piece([(-0.66, z), (-0.3, z + 0.05), (-0.3, z + 0.01), (-0.12, z + 0.1), (-0.31, z + 0.16), (-0.3, z + 0.115), (-0.66, z + 0.05)], mark)
    for i, long in enumerate((1.3, 1.5, 0.8)):
        piece([(left, 0.27 - 0.085 * i), (left + long, 0.27 - 0.085 * i), (left + long, 0.295 - 0.085 * i), (left, 0.295 - 0.085 * i)], material((0.2, 0.2, 0.22), 0.9))


def storyboards_and_look_books_with_image_models():
    """Storyboard cards stand on the floor, drawn in grey; one of them has become a picture full of light."""
    floor(material((0.012, 0.013, 0.016), 0.12))
    wall(7)
    for x, y, turn, kind, light in ((1.0, -0.4, -0.2, "road", 0.62), (2.75, 0.35, 0.24, "door", 0), (0.2, 1.35, -0.3, "city", 0), (1.85, 2.3, 0.1, "road", 0)):
        with group((x, y, 0.005), (-0.12, 0, turn)):
            _panel(kind, light)
            box((0.3, 0.02, 1.0), (0, 0.3, 0.5), paper((0.4, 0.38, 0.34)), 0.004, (0.5, 0, 0))
    for x, y, turn, colour in ((2.05, -1.35, 1.15, (0.4, 0.07, 0.01)), (2.3, -1.15, 0.95, (0.02, 0.02, 0.022))):
        with group((x, y, 0.05), (math.pi / 2, 0, turn)):
            rod(0.045, 1.0, (0, 0, 0), lacquer(colour), sides=6)
            rod(0.045, 0.16, (0, 0, 0.58), wood((0.4, 0.22, 0.1), (0.5, 0.3, 0.14)), end=0.01, sides=24)
            rod(0.014, 0.04, (0, 0, 0.65), lacquer(colour), end=0.002, sides=16)
            rod(0.047, 0.1, (0, 0, -0.5), brass(), sides=24)
    point((1.0, -1.0, 0.9), 8, (1, 0.6, 0.3), 0.4)
    spot((3.6, -4.6, 4.8), (1.4, 0, 0.6), 900, WARM, 0.6)
    spot((-2.6, 3.2, 3.2), (1.0, 0.3, 0.6), 2000, RIM, 0.8)
    spot((3.2, 3.6, 4.6), (2.6, 7, 1.4), 1300, RIM, 1.0, 1)
    camera((-0.3, -6.4, 2.1), (0.42, 0, 0.72), 46, 1.5, (1.0, -0.5, 0.8))


def music_production_with_ai():
    """The faders of a mixing desk, very close: its right half plays, its left lies in the dark."""
    floor(None, -2)
    wall(9, material((0.012, 0.013, 0.018), 0.9))
    with group((0, 0, 0), (0.1, 0, 0.32)):
        box((11, 7, 0.3), (0, 1, -0.15), material((0.02, 0.021, 0.025), 0.4, 0.6), 0.03)
        for i in range(-7, 10):
            x = i * 0.55
            box((0.006, 6.8, 0.004), (x - 0.275, 1, 0.003), steel(), 0)
            box((0.05, 1.9, 0.01), (x, -0.6, 0.002), material((0.002, 0.002, 0.002), 0.9), 0)
            for j in range(11):
                box((0.12, 0.01, 0.003), (x + 0.14, -1.45 + j * 0.17, 0.003), paper((0.4, 0.4, 0.4)), 0)
            y = -0.7 + 0.55 * math.sin(i * 0.75 + 0.6)
            box((0.24, 0.4, 0.2), (x, y, 0.13), material((0.5, 0.5, 0.52), 0.35) if i != 2 else lacquer((0.6, 0.14, 0.02)), 0.05)
            box((0.245, 0.02, 0.02), (x, y, 0.23), lacquer(), 0.003)
            for j in range(7):
                on = i > -1 and j < 4 + 2.4 * math.sin(i * 1.3 + 1)
                box((0.16, 0.05, 0.03), (x, 0.62 + j * 0.09, 0.012), glow(RIM if j < 5 else (1, 0.4, 0.12), 1.5) if on else lacquer(), 0.006)
            for j in range(4):
                with group((x, 1.6 + j * 0.55, 0), (0, 0, i * 1.1 + j)):
                    lathe([(0, 0.25), (0.11, 0.25), (0.13, 0.22), (0.15, 0.0)], (0, 0, 0), lacquer(), sides=28)
                    box((0.02, 0.12, 0.01), (0, 0.06, 0.252), paper(), 0)
    spot((3.0, -2.4, 4.2), (1.5, -0.4, 0), 520, WARM, 0.36, 0.9)
    spot((1.2, 4.4, 2.6), (1.7, 0.3, 0), 900, RIM, 0.5, 1)
    spot((5.0, 4.0, 2.4), (2.0, 0.8, 0), 700, RIM, 0.6, 1)
    camera((-0.5, -3.9, 1.55), (1.15, 0.1, 0.0), 46, 1.1, (1.3, -0.7, 0.2), aside=0.14)
