"""Draws stills inside Blender: blender -b --python art/draw.py -- FOLDER WIDTH SAMPLES PASSES [slug…]

A scene is a function of a file in scenes/; its name with dashes is the slug. Each pass throws other dice; the passes of a
still are kept in FOLDER and added up, so a later call makes a picture finer and does not begin anew. The pictures are
FOLDER/slug-{1280,640,320}.png, and for what fills a large screen slug-2560.png.
"""

import importlib.util
import sys
import time
from pathlib import Path

import bpy
import numpy as np

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import denoise  # noqa: E402
import develop  # noqa: E402
import kit  # noqa: E402

LARGE = {"workshop", "entrance"}  # drawn twice as wide as the others


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
    picture.colorspace_settings.name = "Non-Color"
    found = np.array(picture.pixels[:], np.float32).reshape(picture.size[1], picture.size[0], 4)[..., :3]
    bpy.data.images.remove(picture)
    return found


def drawn_once(raw, seed):
    """One noisy picture, and beside it the colours and the directions of what is seen."""
    bpy.context.scene.cycles.seed = seed
    bpy.context.scene.render.filepath = str(raw.with_suffix(".png"))
    bpy.ops.render.render(write_still=True)
    kinds = [pixels(raw.with_suffix(".png"))]
    for name in kit.GUIDES:
        file = raw.parent / f"{name}{bpy.context.scene.frame_current:04d}.exr"
        kinds.append(pixels(file))
        file.unlink()
    return np.stack(kinds)


def write(found, file):
    height, width = found.shape[:2]
    picture = bpy.data.images.new("made", width, height)
    picture.pixels = np.dstack([found, np.ones((height, width))]).astype(np.float32).ravel()
    picture.filepath_raw, picture.file_format = str(file), "PNG"
    picture.save()
    bpy.data.images.remove(picture)


def draw(slug, scene, folder, width, samples, passes):
    started = time.time()
    kept, total, count = folder / f"{slug}.npz", 0, 0
    if kept.exists():
        before = np.load(kept)
        if before["total"].shape[-2] == width:
            total, count = before["total"], int(before["count"])
    kit.empty_room(width, samples, folder)
    scene()
    for _ in range(passes):
        total, count = total + drawn_once(folder / f"{slug}-pass", count), count + 1
    np.savez_compressed(kept, total=total, count=count)
    picture = denoise.clean(*(total / count), network)
    (folder / f"{slug}.tint").write_text(develop.tint(picture))
    for size in (2560, 1280, 640, 320):
        if size <= width:
            write(develop.resized(picture, size), folder / f"{slug}-{size}.png")
    (folder / f"{slug}.drawn").touch()
    print(f"drawn {slug} pass {count} {time.time() - started:.0f} s, {time.process_time():.0f} s of the processor", flush=True)


folder, width, samples, passes, *slugs = sys.argv[sys.argv.index("--") + 1 :]
known, network = scenes(), denoise.weights(Path(folder) / "denoiser.tza")
for slug in slugs or known:
    draw(slug, known[slug], Path(folder), int(width) * (2 if slug in LARGE else 1), int(samples), int(passes))
