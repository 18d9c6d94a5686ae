"""The house's own pictures: the workshop."""

import math

from kit import *


def _script(wide=0.74, tall=0.96):
    """A bound screenplay that stands before one: its pages curl at the lower corner, three brads hold it at the left."""
    sheet, ink = paper((0.52, 0.47, 0.38)), material((0.012, 0.012, 0.014), 0.9)

    def lifted(x, z, page):
        """How far a page stands off the stack there."""
        corner = max(0.0, x / wide - 0.9 * z / tall - 0.12)
        return 0.012 + 0.006 * page + 0.05 * math.sin(math.pi * x / wide) * 0.3 + (0.15 + 0.07 * page) * corner**2

    def strip(left, right, low, high, page, what, off=0.0):
        across = [left + (right - left) * i / 14 for i in range(15)]
        rows = max(2, round((high - low) / 0.05))
        patch([[(x, -lifted(x, z, page) - off, z) for x in across] for z in [low + (high - low) * j / rows for j in range(rows + 1)]], what)

    for i in range(9):
        box((wide, 0.006, tall), (wide / 2 + 0.004 * math.sin(i * 2.4), 0.07 - i * 0.0085, tall / 2 + 0.003 * math.cos(i * 1.9)), sheet, 0.001)
    for page in range(3):
        strip(0, wide, 0, tall, page, sheet)
    # A scene's heading, what happens, a name, what is said: the shape of a screenplay's page.
    heading, action, name, speech = (0.12, 0.5), (0.12, 0.66), (0.33, 0.46), (0.25, 0.55)
    lines = (heading, None, action, action, (0.12, 0.44), None, name, speech, (0.25, 0.47), None, name, speech, speech, None, action, (0.12, 0.58), None, name, (0.25, 0.5), None, heading, None, action, (0.12, 0.52))
    for i, line in enumerate(lines):
        if line:
            z = tall - 0.1 - i * 0.035
            strip(line[0], line[1], z - 0.007, z + 0.007, 2, ink, 0.003)
    for z in (0.1, 0.5, 0.9):
        ball(0.024, (0.055, -0.038, z * tall), brass(0.18), (1, 0.45, 1))


def workshop():
    """An empty director's chair on a lit stage, and the script on it."""
    boards()
    curtain(5.4, (0.2, 0.008, 0.012), -12, 12, 11)
    dark = wood((0.05, 0.02, 0.01), (0.17, 0.07, 0.03), 0.3, along=2)
    cloth = material((0.006, 0.006, 0.007), 0.95, grain=0.5)
    with group((2.2, 0.4, 0), (0, 0, -0.42), 1.16):
        for y in (-0.42, 0.42):
            between((-0.62, y, 0.06), (0.62, y, 1.28), 0.042, dark)
            between((0.62, y, 0.06), (-0.62, y, 1.28), 0.042, dark)
        for x in (-0.66, 0.66):
            box((0.08, 1.1, 0.08), (x, 0, 0.05), dark, 0.02)
            box((0.075, 1.0, 0.075), (x, 0, 1.28), dark, 0.02)
            between((x, 0.44, 1.28), (x, 0.5, 2.6), 0.04, dark)
            between((x, -0.42, 1.28), (x, -0.42, 1.78), 0.036, dark)
            box((0.13, 1.06, 0.05), (x, -0.02, 1.8), dark, 0.02)
            ball(0.05, (x, 0.5, 2.62), brass())
            rod(0.05, 0.02, (x, -0.46, 1.28), brass(), (math.pi / 2, 0, 0))
            rod(0.056, 0.5, (x, 0.49, 2.27), cloth, (-0.045, 0, 0), 0.01)
        ball(0.055, (0, -0.46, 0.67), brass())
        patch([[(x, y, 1.31 - 0.07 * (1 - (x / 0.62) ** 2)) for x in (-0.62, -0.4, -0.2, 0, 0.2, 0.4, 0.62)] for y in (-0.42, 0.42)], cloth, thick=0.025)
        patch([[(x, 0.5 + 0.07 * (1 - (x / 0.66) ** 2), z) for x in (-0.68, -0.45, -0.2, 0, 0.2, 0.45, 0.68)] for z in (2.02, 2.52)], cloth, thick=0.025)
        with group((-0.36, 0.06, 1.27), (-0.42, 0, -0.08)):
            _script()
    spot((2.6, -1.2, 9.5), (2.1, 0.3, 0), 6500, WARM, 0.5, 0.35)
    spot((-3.5, 3.2, 5.5), (2.1, 0.4, 1.6), 2600, GELS["acting"], 0.5)
    spot((4.2, -5.8, 5.4), (2.1, 0.3, 1.7), 1500, WARM, 0.34)
    spot((3.4, 0.6, 9.5), (3.0, 5.4, 2.2), 2600, (1, 0.42, 0.3), 0.9, 0.9)
    camera((0.2, -8.6, 1.75), (0.45, 0, 1.7), 40, 1.6, (2.1, 0.0, 1.8))


def entrance():
    """A dressing-room door with a brass star stands ajar: warm light, and the bulbs of the mirror."""
    boards(width=0.3)
    plaster, panel_, trim = material((0.05, 0.012, 0.014), 0.7), wood((0.03, 0.012, 0.008), (0.085, 0.035, 0.02), 0.3, along=2), wood((0.04, 0.016, 0.01), (0.1, 0.045, 0.022), 0.25, along=2)
    for side in (-1, 1):
        box((6, 0.2, 6), (3.72 * side, 0.1, 3), plaster, 0)
        box((6, 0.06, 0.95), (3.86 * side, -0.02, 0.475), panel_, 0.01)
        box((6, 0.1, 0.07), (3.86 * side, -0.04, 0.98), trim, 0.02)
        box((0.16, 0.34, 2.72), (0.78 * side, 0.06, 1.36), trim, 0.02)
        for i in range(4):
            box((0.42, 0.03, 0.6), ((1.18 + 0.56 * i) * side, -0.06, 0.5), panel_, 0.012)
    box((1.44, 0.2, 4), (0, 0.1, 4.62), plaster, 0)
    box((1.72, 0.36, 0.17), (0, 0.06, 2.7), trim, 0.02)
    box((1.9, 0.4, 0.06), (0, 0.06, 2.81), trim, 0.02)
    green = lacquer((0.03, 0.075, 0.052))
    with group((0.7, 0.12, 0), (0, 0, -0.8)):
        box((1.38, 0.07, 2.58), (-0.69, 0, 1.31), green, 0.012)
        for z, tall in ((0.55, 0.7), (1.72, 1.36)):
            for x, wide, high in ((-0.69, 1.04, 0.05), (-0.69, 1.04, -0.05)):
                box((wide, 0.03, 0.05), (x, -0.04, z + math.copysign(tall / 2, high)), green, 0.015)
            for x in (-1.19, -0.19):
                box((0.05, 0.03, tall), (x, -0.04, z), green, 0.015)
        outline = []
        for i in range(10):
            far, turn = (0.34 if i % 2 == 0 else 0.14), math.pi / 2 + i * math.pi / 5
            outline.append((far * math.cos(turn), far * math.sin(turn)))
        for a, b in zip(outline, outline[1:] + outline[:1]):
            flat(((0, -0.12, 0), (a[0], -0.036, a[1]), (b[0], -0.036, b[1])), brass(0.22), (-0.69, 0, 1.86))
        rod(0.05, 0.03, (-1.29, -0.05, 1.2), brass(), (math.pi / 2, 0, 0), 0.01)
        rod(0.018, 0.1, (-1.29, -0.08, 1.2), brass(), (math.pi / 2, 0, 0))
        ball(0.06, (-1.29, -0.15, 1.2), brass(0.16))
    # The room behind: a lit wall, the table, the mirror's bulbs.
    box((8, 0.1, 6), (0, 4.2, 3), material((0.3, 0.13, 0.07), 0.8), 0)
    box((4, 0.7, 0.1), (-0.4, 3.7, 1.0), trim, 0.02)
    box((2.2, 0.12, 1.6), (0.06, 4.0, 2.0), lacquer((0.05, 0.02, 0.012)), 0.04)
    box((1.7, 0.02, 1.1), (0.06, 3.93, 2.0), material((0.3, 0.3, 0.32), 0.05, 1), 0)
    for x, z in [(x, z) for z in (1.33, 2.67) for x in (-0.9, -0.55, -0.2, 0.15)] + [(-0.9, z) for z in (1.66, 2.0, 2.34)]:
        ball(0.08, (x, 3.86, z), glow((1, 0.56, 0.24), 4))
    point((-0.4, 2.9, 2.4), 110, (1, 0.6, 0.3), 0.35).visible_glossy = False
    spot((-0.7, 3.4, 2.5), (-0.4, -2.0, 0), 1500, (1, 0.64, 0.34), 0.9, 0.4, 0.2)
    spot((-0.9, -4.2, 5.6), (0.15, 0.4, 1.7), 1100, WARM, 0.4, 0.9)
    spot((-4.2, -2.4, 0.8), (0.6, 0.2, 1.5), 300, GELS["acting"], 0.9, 1)
    camera((-0.05, -8.2, 1.75), (-0.03, 0, 1.36), 45, 2.0, (0.2, 0.3, 1.8))


def acting_performance():
    """A grand old microphone, whole, in a pool of light before the curtain."""
    rim = GELS["acting"]
    boards()
    curtain(4.6, (0.2, 0.007, 0.01))
    with group((1.5, 0, 0), (0, 0, -0.5)):
        between((0, 0, 0.1), (0, 0, 1.35), 0.045, chrome())
        lathe([(0, 0.1), (0.16, 0.1), (0.42, 0.05), (0.46, 0.0), (0, 0)], (0, 0, 0), chrome(0.2))
        with group((0, 0, 2.05), (-0.15, 0, 0)):
            outline = [(0.5 * math.cos(t) * (1 - 0.08 * math.sin(t)), 0.68 * math.sin(t)) for t in [i * math.pi / 24 for i in range(48)]]
            plate(outline, 0.56, (0, 0, 0), material((0.03, 0.03, 0.034), 0.4, 0.8), bevel=0.12)
            # The grille stays inside the outline, however the body is turned.
            for i in range(-3, 4):
                tall = 1.16 * math.sqrt(1 - (i * 0.105 / 0.42) ** 2)
                for y in (-0.28, 0.28):
                    box((0.05, 0.05, tall), (i * 0.105, y, 0), chrome(0.16), 0.02)
            for z in (0.11, -0.11):
                box((1.0, 0.64, 0.07), (0, 0, z), chrome(0.12), 0.03)
            box((0.1, 0.66, 1.3), (0, 0, 0), chrome(0.12), 0.04)
        rod(0.13, 0.2, (0, 0, 1.36), chrome(), bevel=0.03)
    spot((3.4, -4.4, 5), (1.5, 0, 1.8), 1500, WARM, 0.42, 0.6)
    spot((-2.0, 2.4, 4.0), (1.5, 0, 1.9), 2000, rim, 0.5)
    spot((2.6, 0.2, 7.5), (2.0, 4.6, 1.8), 1300, (1, 0.35, 0.22), 0.62, 1)
    panel((-0.4, -3, 2.6), (1.5, 0, 2.0), 30, WARM, 0.5, 2)
    camera((0.1, -6.6, 1.6), (0.6, 0, 1.66), 46, 1.5, (1.5, -0.3, 2.0))


def creator_economy():
    """A star of brass on its plinth."""
    rim = GELS["creator"]
    floor()
    curtain(4.6, (0.05, 0.03, 0.008))
    with group((0.8, 0, 0), (0, 0, -0.35)):
        box((1.1, 1.1, 0.5), (0, 0, 0.25), lacquer(), 0.04)
        box((0.9, 0.9, 0.12), (0, 0, 0.56), brass(0.3), 0.03)
        lathe([(0.32, 0.6), (0.14, 0.75), (0.08, 1.0), (0.07, 1.35), (0.1, 1.6), (0.14, 1.82)], (0, 0, 0), brass(0.2))
        outline = []
        for i in range(10):
            far, turn = (0.8 if i % 2 == 0 else 0.34), math.pi / 2 + i * math.pi / 5
            outline.append((far * math.cos(turn), far * math.sin(turn)))
        for side in (-1, 1):
            for a, b in zip(outline, outline[1:] + outline[:1]):
                flat(((0, 0.22 * side, 0), (a[0], 0, a[1]), (b[0], 0, b[1])), brass(0.18), (0, 0, 2.05))
    spot((2.6, -4.4, 5), (0.8, 0, 1.6), 1500, WARM, 0.6)
    spot((-3.2, 1.8, 3.6), (0.8, 0, 1.8), 1800, rim, 0.8)
    spot((2, 1.6, 6), (1.2, 4.6, 2), 1200, rim, 1.1, 1)
    panel((-2, -2.4, 3), (0.8, 0, 2), 60, COOL, 0.6, 2)
    camera((-0.9, -6.6, 1.4), (-0.05, 0, 1.55), 46, 1.6, (0.8, -0.2, 2))


def ai_tools():
    """Cubes of glass with light inside."""
    rim = GELS["ai"]
    floor(material((0.008, 0.01, 0.014), 0.1))
    wall(7)
    warm = (1, 0.55, 0.2)
    for x, y, z, size, turn, light in ((0.9, 0, 0.62, 1.2, 0.3, warm), (2.2, 0.7, 0.42, 0.8, 0.7, rim), (-0.35, 0.7, 0.36, 0.7, 0.1, rim), (1.0, 0.05, 1.55, 0.6, 0.75, rim), (1.75, -0.8, 0.24, 0.45, 0.4, rim), (0.4, 2.2, 0.5, 1.0, 0.5, rim), (3.0, 2.0, 0.6, 1.2, 0.2, rim)):
        shell = box((size, size, size), (x, y, z), None, 0.05, (0, 0, turn))
        shell.data.materials.append(glass((0.85, 0.93, 1), 0.85))
        frame = box((size * 0.99,) * 3, (x, y, z), chrome(), 0, (0, 0, turn))
        frame.modifiers.new("edges", "WIREFRAME").thickness = 0.02
        ball(size * 0.17, (x, y, z), glow(light, 3))
        for i in range(3):
            tilt = (i * 1.1 + 0.4, i * 0.9, turn)
            ring(size * (0.24 + 0.06 * i), 0.008, (x, y, z), brass(), tilt)
    point((0.9, -0.1, 0.62), 25, warm, 0.2)
    spot((2.6, -4.2, 4.6), (0.9, 0, 0.8), 500, WARM, 0.6)
    spot((-3.4, 2.4, 3.4), (0.9, 0, 0.8), 2000, rim, 0.9)
    spot((3, 3.6, 4.4), (2, 7, 1.4), 1300, rim, 1.1, 1)
    camera((-0.9, -5.6, 1.5), (0.3, 0, 0.82), 46, 1.4, (0.9, -0.5, 0.7))


def content_creation():
    """A reel of film leans on a stack of cans."""
    rim = GELS["content"]
    box((14, 9, 0.2), (0, 1.4, -0.1), wood((0.03, 0.016, 0.012), (0.09, 0.045, 0.03), 0.2), 0.02)
    wall(6)
    can = [(0, 0), (0.96, 0), (1.0, 0.03), (1.0, 0.14), (1.03, 0.15), (1.03, 0.27), (0.98, 0.3), (0.8, 0.3), (0.76, 0.27), (0.3, 0.27), (0.26, 0.3), (0, 0.3)]
    for i, (dx, dy) in enumerate([(0, 0), (0.09, -0.05), (-0.06, 0.03), (0.04, 0.06)]):
        lathe(can, (2.35 + dx, 0.7 + dy, i * 0.31), brass(0.34) if i == 2 else steel(0.24 + 0.04 * (i % 3)), (0, 0, i * 0.8))
    film = material((0.07, 0.026, 0.012), 0.2, coat=0.6)
    with group((1.25, -0.2, 0.98), (math.pi / 2 - 0.28, 0, -0.34)):
        metal = steel(0.2)
        cutters = [rod(0.24, 1, (0.58 * math.cos(t), 0.58 * math.sin(t), 0), None) for t in [0.3 + i * math.pi / 3 for i in range(6)]]
        for z in (-0.14, 0.14):
            holed(rod(0.98, 0.024, (0, 0, z), metal, bevel=0, sides=96), cutters)
            ring(0.98, 0.03, (0, 0, z), metal)
        rod(0.82, 0.22, (0, 0, 0), film, bevel=0.01, sides=96)
        for i in range(9):
            ring(0.36 + i * 0.055, 0.006, (0, 0, 0.112), material((0.16, 0.07, 0.03), 0.25))
        rod(0.12, 0.36, (0, 0, 0), brass(), bevel=0.03)
    spot((3.4, -4.2, 4.6), (1.6, 0, 0.8), 1700, WARM, 0.5, 0.7)
    spot((-2.4, 2.2, 3.4), (1.5, 0, 0.9), 2600, rim, 0.6)
    spot((3.4, 3, 4.4), (2.6, 6, 1.5), 1500, rim, 1.0, 1)
    panel((0.2, -3, 2.4), (1.4, 0, 1.0), 24, WARM, 0.5, 1.6)
    camera((-0.2, -6.2, 1.8), (0.75, 0, 0.82), 46, 1.6, (1.3, -0.4, 0.9))


def business_networking():
    """Two cups of coffee, a table for two."""
    rim = GELS["business"]
    rod(2.6, 0.12, (0.6, 0.4, -0.06), wood((0.05, 0.022, 0.012), (0.15, 0.065, 0.03), 0.16), bevel=0.04, sides=96)
    wall(6)
    china, coffee = material((0.75, 0.72, 0.66), 0.18, coat=1), material((0.05, 0.018, 0.006), 0.1)
    for x, y, turn, what in ((-0.1, -0.3, 0.6, china), (1.5, 0.7, 2.6, lacquer((0.01, 0.05, 0.035)))):
        with group((x, y, 0), (0, 0, turn)):
            lathe([(0, 0.02), (0.3, 0.02), (0.42, 0.04), (0.72, 0.12), (0.73, 0.14), (0.4, 0.08), (0.3, 0.06), (0, 0.06)], (0, 0, 0), what)
            lathe([(0, 0.08), (0.24, 0.08), (0.26, 0.12), (0.38, 0.3), (0.46, 0.62), (0.47, 0.64), (0.44, 0.64), (0.36, 0.32), (0.2, 0.14), (0, 0.14)], (0, 0, 0), what)
            rod(0.425, 0.01, (0, 0, 0.56), coffee)
            tube([(0.42, 0, 0.56), (0.62, 0, 0.58), (0.7, 0, 0.42), (0.56, 0, 0.26), (0.38, 0, 0.3)], 0.04, what)
            between((-0.1, -0.56, 0.15), (0.5, -0.46, 0.14), 0.018, brass())
            ball(0.08, (-0.16, -0.57, 0.15), brass(), (1.3, 0.8, 0.3))
    box((0.7, 0.42, 0.012), (0.75, -0.75, 0.01), paper(), 0.002, (0, 0, 0.5))
    box((0.7, 0.42, 0.012), (0.8, -0.7, 0.022), paper((0.5, 0.4, 0.25)), 0.002, (0, 0, 0.2))
    spot((2.4, -3.8, 4.4), (0.6, 0, 0.3), 800, WARM, 0.5)
    spot((-3.2, 2.4, 2.6), (0.6, 0.2, 0.4), 1800, rim, 0.9)
    spot((3, 3, 4), (1.8, 6, 1.2), 1200, rim, 1.1, 1)
    camera((-1.0, -4.6, 1.6), (0.4, 0, 0.4), 46, 1.2, (-0.1, -0.5, 0.5), aside=0.17)


def marketing_growth():
    """A brass megaphone on its side."""
    rim = GELS["marketing"]
    boards()
    wall(6)
    with group((0.9, 0.2, 1.0), (0, -1.72, -0.55)):
        horn = [(0.14, -1.4), (0.16, -1.3), (0.2, -0.9), (0.3, -0.3), (0.46, 0.35), (0.72, 0.85), (0.98, 1.1)]
        bell = lathe(horn, (0, 0, 0), brass(0.2))
        bell.modifiers.new("thick", "SOLIDIFY").thickness = 0.02
        ring(0.98, 0.035, (0, 0, 1.1), brass(0.15))
        ring(0.32, 0.03, (0, 0, -0.25), lacquer())
        ring(0.21, 0.03, (0, 0, -0.9), lacquer())
        lathe([(0.12, -1.4), (0.26, -1.62), (0.28, -1.66), (0.24, -1.66), (0.1, -1.42)], (0, 0, 0), lacquer())
        tube([(-0.2, 0, -0.9), (-0.55, 0, -0.85), (-0.6, 0, -0.5), (-0.55, 0, -0.2), (-0.3, 0, -0.2)], 0.05, leather())
    spot((2.6, -4.4, 4.8), (0.8, 0, 0.9), 1500, WARM, 0.6)
    spot((-3.2, 2.2, 3.2), (0.8, 0, 1.0), 2000, rim, 0.9)
    spot((3, 3, 4.4), (1.8, 6, 1.4), 1200, rim, 1.1, 1)
    camera((-1.0, -6.0, 1.5), (0.25, 0, 0.95), 46, 1.6, (0.3, -0.3, 1.0))
