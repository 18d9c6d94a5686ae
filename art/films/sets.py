"""Draws what the films show and no still does: blender -b --python art/films/sets.py -- FOLDER WIDTH SAMPLES [name…]

A sitter of clay before a wall, in every light that the lesson speaks of. The camera stays where it is, so that one light can be
faded into the next.
"""

import math
import sys
from pathlib import Path

import bpy
import numpy as np

art = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(art))
import denoise  # noqa: E402
from kit import *  # noqa: E402, F403


def solid(parts, cuts, what, grain=0.011, rounds=14):
    """One body of ellipsoids that melt into each other, (centre, radii) each, without the cuts."""
    bpy.ops.object.select_all(action="DESELECT")
    made = [ball(1, at, None, size) for at, size in parts]
    for thing in made:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = made[0]
    bpy.ops.object.join()
    body = bpy.context.object
    melt = body.modifiers.new("melt", "REMESH")
    melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", grain, True
    holed(body, [ball(1, at, None, size) for at, size in cuts])
    again = body.modifiers.new("again", "REMESH")
    again.mode, again.voxel_size, again.use_smooth_shade = "VOXEL", grain, True
    soft = body.modifiers.new("soft", "SMOOTH")
    soft.factor, soft.iterations = 0.5, rounds
    body.data.materials.append(what)
    return body


def both(at, size):
    x, y, z = at
    return [((x, y, z), size), ((-x, y, z), size)]


def sitter():
    """A head and shoulders that look past the lens; the head is one unit high and its middle is the origin."""
    clay = material((0.27, 0.145, 0.09), 0.4, sheen=0.2)
    head = [((0, 0.06, 0.1), (0.335, 0.42, 0.4)), ((0, -0.04, -0.12), (0.272, 0.32, 0.42)), ((0, -0.16, -0.39), (0.15, 0.15, 0.13))]
    head += both((0.1, -0.285, 0.078), (0.1, 0.05, 0.034))
    head += [((0, -0.32 - 0.0105 * i, 0.07 - 0.0205 * i), (0.026 + 0.0014 * i, 0.05, 0.03)) for i in range(12)]
    head += [((0, -0.43, -0.165), (0.045, 0.045, 0.035))] + both((0.042, -0.385, -0.17), (0.03, 0.045, 0.028))
    head += [((0, -0.322, -0.272), (0.075, 0.035, 0.02)), ((0, -0.318, -0.313), (0.06, 0.036, 0.024))]
    head += [((0, 0.12, -0.55), (0.16, 0.15, 0.4))]
    cuts = both((0.128, -0.365, -0.012), (0.092, 0.09, 0.06)) + [((0, -0.38, -0.293), (0.07, 0.05, 0.004))]
    solid(head, cuts, clay, rounds=30)
    eye = material((0.035, 0.02, 0.014), 0.08, coat=1.0)
    for x in (-0.124, 0.124):
        ball(1, (x, -0.268, -0.02), eye, (0.062, 0.04, 0.03))
    cloth = material((0.03, 0.055, 0.075), 0.85, sheen=0.5)
    body = [((0, 0.16, -1.16), (0.74, 0.27, 0.28)), ((0, 0.12, -1.5), (0.6, 0.33, 0.6)), ((0, 0.13, -0.86), (0.2, 0.21, 0.1))]
    body += both((0.26, 0.17, -0.95), (0.3, 0.2, 0.14)) + both((0.62, 0.16, -1.3), (0.2, 0.22, 0.35))
    solid([((x, y, z + 0.17), size) for (x, y, z), size in body], [], cloth, 0.02, 30)


def scene(wall_at=0.75):
    """The corner at home: a wall, and somebody before it."""
    wall(wall_at, material((0.05, 0.07, 0.09), 0.9, grain=0.05))
    with group((0, 0, 0), (0, 0, 0.2)):
        sitter()
    camera((0.12, -5.2, -0.05), (0.0, 0, -0.2), 58, 4, (0, -0.35, 0), aside=0.17)


def ceiling():
    scene()
    panel((0.1, 0.1, 2.6), (0, 0.12, 0), 62, (1, 0.78, 0.5), 0.5, 0.5)
    point((0, -3, 0.5), 4, COOL, 1)


def lamp():
    scene()
    spot((-2.3, -2.5, 0.9), (0, 0, -0.2), 520, WARM, 0.9, 0.6, 0.05)


def sheet():
    scene()
    panel((-1.7, -2.0, 0.75), (0, 0, -0.15), 120, WARM, 1.7, 1.7)


def fill():
    scene()
    panel((-1.7, -2.0, 0.75), (0, 0, -0.15), 120, WARM, 1.7, 1.7)
    panel((2.4, -1.6, 0.2), (0, 0, -0.1), 34, (0.95, 0.9, 0.84), 2.4, 2.4)


def away():
    scene(3.6)
    panel((-1.7, -2.0, 0.75), (0, 0, -0.15), 120, WARM, 1.7, 1.7)
    panel((2.4, -1.6, 0.2), (0, 0, -0.1), 34, (0.95, 0.9, 0.84), 2.4, 2.4)
    spot((-0.6, 0.9, 2.6), (0.1, 3.6, 0.3), 300, GELS["ai"], 1.25, 1)


SETS = {made.__name__: made for made in (ceiling, lamp, sheet, fill, away)}


def pixels(file):
    picture = bpy.data.images.load(str(file))
    picture.colorspace_settings.name = "Non-Color"
    found = np.array(picture.pixels[:], np.float32).reshape(picture.size[1], picture.size[0], 4)[..., :3]
    bpy.data.images.remove(picture)
    return found


def draw(name, folder, width, samples, network):
    empty_room(width, samples, folder)
    SETS[name]()
    seen = bpy.context.scene
    seen.render.filepath = str(folder / f"{name}.png")
    bpy.ops.render.render(write_still=True)
    kinds = [pixels(folder / f"{name}.png")] + [pixels(folder / f"{kind}{seen.frame_current:04d}.exr") for kind in GUIDES]
    found = np.clip(denoise.clean(*kinds, network), 0, 1)
    picture = bpy.data.images.new("made", found.shape[1], found.shape[0])
    picture.pixels = np.dstack([found, np.ones(found.shape[:2])]).astype(np.float32).ravel()
    picture.filepath_raw, picture.file_format = str(folder / f"{name}.png"), "PNG"
    picture.save()
    print("drawn", name, flush=True)


if __name__ == "__main__":
    folder, width, samples, *names = sys.argv[sys.argv.index("--") + 1 :]
    network = denoise.weights(Path(folder) / "denoiser.tza")
    for name in names or SETS:
        draw(name, Path(folder), int(width), int(samples), network)
