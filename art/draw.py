"""Draws stills inside Blender: blender -b --python art/draw.py -- FOLDER WIDTH SAMPLES PASSES [slug…]

A scene is a function of a file in scenes/; its name with dashes is the slug. Each pass throws other dice; the passes of a
still are kept in FOLDER and added up, so a later call makes a picture finer and does not begin anew. The pictures are
FOLDER/slug-{1280,640,320}.png.
"""

import importlib.util
import sys
import time
from pathlib import Path

import bpy
import numpy as np

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import develop  # noqa: E402
import kit  # noqa: E402


def scenes():
    found = {}
    for file in sorted((here / "scenes").glob("*.py")):
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, made in vars(module).items():
            if callable(made) and getattr(made, "__module__", "") == file.stem and not name.startswith("_"):
                found[name.replace("_", "-")] = made
    return found


def pixels(file):
    picture = bpy.data.images.load(str(file))
    found = np.array(picture.pixels[:], np.float32).reshape(picture.size[1], picture.size[0], 4)[..., :3]
    bpy.data.images.remove(picture)
    return found


def write(found, file):
    height, width = found.shape[:2]
    picture = bpy.data.images.new("made", width, height)
    picture.pixels = np.dstack([found, np.ones((height, width))]).astype(np.float32).ravel()
    picture.filepath_raw, picture.file_format = str(file), "PNG"
    picture.save()
    bpy.data.images.remove(picture)


def draw(slug, scene, folder, width, samples, passes):
    started = time.time()
    kept, raw = folder / f"{slug}.npz", folder / f"{slug}-pass.png"
    total, count = 0, 0
    if kept.exists():
        before = np.load(kept)
        if before["total"].shape[1] == width:
            total, count = before["total"], int(before["count"])
    kit.empty_room(width, samples)
    scene()
    for _ in range(passes):
        bpy.context.scene.cycles.seed = count
        bpy.context.scene.render.filepath = str(raw)
        bpy.ops.render.render(write_still=True)
        total, count = total + pixels(raw), count + 1
    np.savez_compressed(kept, total=total, count=count)
    picture = develop.clean(total / count, 0.06 / count**0.5)
    (folder / f"{slug}.tint").write_text(develop.tint(picture))
    for size in (1280, 640, 320):
        write(develop.resized(picture, size), folder / f"{slug}-{size}.png")
    (folder / f"{slug}.drawn").touch()
    print(f"drawn {slug} pass {count} {time.time() - started:.0f} s, {time.process_time():.0f} s of the processor", flush=True)


folder, width, samples, passes, *slugs = sys.argv[sys.argv.index("--") + 1 :]
known = scenes()
for slug in slugs or known:
    draw(slug, known[slug], Path(folder), int(width), int(samples), int(passes))
