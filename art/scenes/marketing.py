"""Marketing & Growth: the orange gel."""

import math

from kit import *

RIM = GELS["marketing"]


def short_form_growth_without_burning_out():
    """A seedling in an open film can."""
    floor(material((0.014, 0.012, 0.011), 0.14))
    wall(6)
    leaf = material((0.1, 0.34, 0.04), 0.4, coat=0.3)
    with group((0.7, 0, 0)):
        lathe([(0, 0), (0.95, 0), (1.0, 0.04), (1.0, 0.42), (0.96, 0.44), (0.94, 0.42), (0.94, 0.1), (0, 0.1)], (0, 0, 0), steel(0.25))
        ring(1.0, 0.02, (0, 0, 0.06), steel())
        soil = material((0.03, 0.016, 0.01), 0.95, grain=1)
        ball(0.94, (0, 0, 0.3), soil, (1, 1, 0.2))
        for i in range(70):
            turn, r = i * 2.4, 0.1 * math.sqrt(i)
            ball(0.05 + 0.03 * (i % 3), (r * math.cos(turn), r * math.sin(turn), 0.5 - 0.18 * r * r), soil)
        tube([(0, 0, 0.4), (0.03, 0, 0.9), (-0.04, 0, 1.4), (0.02, 0, 1.95)], 0.04, leaf)
        def blade(at, turn, length, lift):
            rows = []
            for i in range(11):
                part = i / 10
                wide = 0.36 * length * math.sin(math.pi * part**0.8) + 0.002
                rows.append([(length * part, wide * s, lift * part - 0.5 * length * part**2 + 0.14 * abs(s) * wide * 3) for s in (-1, -0.5, 0, 0.5, 1)])
            patch(rows, leaf, at, (0, 0, turn), 0.012)
        blade((0.02, 0, 1.93), 0.3, 0.85, 0.8)
        blade((0.02, 0, 1.93), 3.3, 0.8, 0.75)
        blade((0.0, 0, 1.9), 1.9, 0.5, 0.6)
        blade((-0.02, 0, 1.3), 4.4, 0.6, 0.5)
        blade((-0.02, 0, 1.2), -0.5, 0.62, 0.5)
    lathe([(0, 0), (0.98, 0), (1.03, 0.03), (1.03, 0.16), (1.0, 0.16), (1.0, 0.05), (0, 0.05)], (-0.85, 0.95, 0.5), steel(0.25), (-0.9, 0.35, 0))
    spot((2.6, -4, 5), (0.7, 0, 1.2), 1500, WARM, 0.6)
    spot((-3.2, 2.2, 3.4), (0.7, 0, 1.2), 1800, RIM, 0.8)
    spot((2.8, 2.6, 4.6), (1.6, 6, 1.6), 1100, RIM, 1.1, 1)
    camera((-0.8, -6.9, 1.4), (-0.1, 0, 1.22), 46, 1.5, (0.7, -0.4, 1.2))


def email_lists_that_pay_the_rent():
    """Sealed envelopes, thrown down in a fan."""
    box((14, 9, 0.2), (0, 1.4, -0.1), material((0.02, 0.012, 0.01), 0.2), 0.02)
    wall(7)
    wax, cream, kraft = material((0.5, 0.03, 0.015), 0.28, coat=0.4), paper((0.62, 0.55, 0.43)), paper((0.34, 0.2, 0.1))
    def envelope(what):
        box((1.7, 0.05, 1.1), (0, 0, 0.55), what, 0.012)
        plate([(-0.84, 0.0), (0, 0.62), (0.84, 0.0)], 0.012, (0, -0.03, 0.01), what, bevel=0.004)
        plate([(-0.85, 1.09), (0.85, 1.09), (0, 0.4)], 0.014, (0, -0.042, 0), what, bevel=0.004)
        with group((0, -0.056, 0.5), (math.pi / 2, 0, 0)):
            lathe([(0, 0.02), (0.1, 0.02), (0.11, 0.035), (0.15, 0.035), (0.17, 0.01), (0.165, -0.01)], (0, 0, 0), wax, sides=26)
    places = [(0.25, -0.7, 0.05, -1.45, 0.5), (1.25, -0.3, 0.06, -1.35, -0.3), (0.75, 0.75, 0.0, -0.35, 0.35), (1.65, 0.55, 0.0, -0.2, -0.2), (2.45, 0.35, 0.0, -0.28, -0.75), (2.15, -0.85, 0.04, -1.42, 0.9)]
    for i, (x, y, z, lean, turn) in enumerate(places):
        with group((x, y, z), (lean, 0, turn)):
            envelope(kraft if i in (1, 4) else cream)
    with group((1.55, 0.3, 1.2), (-0.4, 0.4, 0.2)):
        envelope(cream)
    spot((3.6, -4.0, 5), (1.6, 0.2, 0.6), 420, WARM, 0.46, 0.8)
    spot((-2.6, 1.6, 3.0), (1.3, 0.3, 0.6), 420, RIM, 0.5, 1)
    spot((3.4, 3.2, 4.4), (2.8, 7, 1.5), 900, RIM, 0.9, 1)
    camera((-0.3, -6.6, 2.3), (0.75, 0, 0.9), 46, 1.6, (1.4, -0.1, 0.9), aside=0.06)


def audience_research_for_creators():
    """Rows of theatre seats; the light has chosen one."""
    floor(material((0.02, 0.014, 0.012), 0.8))
    wall(9)
    cloth, frame = velvet((0.02, 0.06, 0.085)), wood((0.06, 0.025, 0.012), (0.16, 0.07, 0.03), 0.3, along=2)
    def seat(at):
        with group(at):
            box((0.72, 0.16, 0.86), (0, 0.34, 1.0), cloth, 0.07, (-0.16, 0, 0))
            box((0.78, 0.06, 0.95), (0, 0.43, 1.0), frame, 0.04, (-0.16, 0, 0))
            box((0.7, 0.62, 0.17), (0, 0.0, 0.55), cloth, 0.07, (0.08, 0, 0))
            for x in (-0.42, 0.42):
                box((0.08, 0.66, 0.07), (x, 0.02, 0.86), frame, 0.03)
                box((0.06, 0.5, 0.8), (x, 0.06, 0.44), lacquer(), 0.02)
    for row in range(5):
        for i in range(-5, 7):
            seat((i * 0.86 + 0.43 * (row % 2), row * 1.25, row * 0.3))
        box((14, 1.25, 0.3), (0, row * 1.25 + 1.0, row * 0.3 + 0.13), material((0.014, 0.012, 0.012), 0.8), 0.01)
    spot((2.0, -2.6, 7.6), (1.72, 0.16, 0.8), 3600, WARM, 0.19, 0.4)
    spot((6, 5.5, 4.6), (2.3, 1.4, 0.9), 3200, RIM, 0.5, 1)
    spot((4.8, -4.6, 4.0), (2.6, 1.2, 0.8), 800, RIM, 0.5, 1)
    camera((0.3, -5.0, 2.6), (1.72, 0.5, 0.86), 46, 1.8, (1.72, 0.1, 0.9), aside=0.2)


def the_launch_week_playbook():
    """Seven paper planes, one ahead."""
    floor(material((0.014, 0.012, 0.011), 0.12), -1.6)
    wall(8)
    def plane(what):
        nose, tail = (1.3, 0, 0), -1.0
        flat((nose, (tail, -0.85, 0.16), (tail, -0.06, 0.02)), what)
        flat((nose, (tail, 0.06, 0.02), (tail, 0.85, 0.16)), what)
        flat((nose, (tail, -0.06, 0.02), (tail, 0, -0.42)), what)
        flat((nose, (tail, 0.06, 0.02), (tail, 0, -0.42)), what)
    white, gold = paper((0.7, 0.66, 0.6)), material((1, 0.5, 0.14), 0.45, 0.3)
    with group((0.35, -0.7, 1.15), (0.5, -0.25, 3.5), 0.95):
        plane(gold)
    for x, y, z, s in ((1.9, 0.7, 1.7, 0.8), (2.2, 0.3, 0.25, 0.75), (3.3, 2.2, 2.3, 0.8), (3.5, 1.8, 1.1, 0.8), (1.0, 2.6, 2.9, 0.7), (4.2, 3.0, 0.0, 0.8)):
        with group((x, y, z), (0.45 + 0.1 * math.sin(x * 5), -0.2, 3.45 + 0.12 * math.sin(y * 7)), s):
            plane(white)
    spot((1.2, -3.4, 7.5), (1.4, 0.6, 1.2), 3000, WARM, 0.9)
    spot((-4, -2, 0.4), (1.2, 0.4, 1.2), 900, RIM, 0.9)
    spot((1.0, 4.5, 6), (2.4, 8, 2), 1500, RIM, 1.1, 1)
    camera((-0.6, -5.8, 0.7), (0.75, 0, 1.1), 42, 1.6, (0.4, -0.7, 1.15))
