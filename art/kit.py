"""What the stills share: the dark room, the materials, the light, and shapes with bevelled edges."""

import math
import random

import bmesh
import bpy
from mathutils import Euler, Vector

WARM, COOL = (1, 0.84, 0.62), (0.7, 0.82, 1)
UP = (0, 0, 1)


def oklch(lightness, chroma, degrees):
    """The linear sRGB of a colour of the design."""
    a, b = chroma * math.cos(math.radians(degrees)), chroma * math.sin(math.radians(degrees))
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
    return tuple(
        max(0.0, value)
        for value in (
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
        )
    )


GELS = {
    "acting": oklch(0.62, 0.19, 25),
    "creator": oklch(0.78, 0.13, 90),
    "ai": oklch(0.70, 0.135, 235),
    "content": oklch(0.62, 0.195, 300),
    "business": oklch(0.72, 0.15, 160),
    "marketing": oklch(0.70, 0.18, 45),
}


# --- the renderer ---------------------------------------------------------------------------------------------------


GUIDES = ("albedo", "normal")


def _guides(scene, folder):
    """The colours and the directions of what is seen are written beside the picture: they guide the denoiser."""
    scene.view_layers[0].cycles.denoising_store_passes = scene.use_nodes = True
    nodes, links = scene.node_tree.nodes, scene.node_tree.links
    nodes.clear()
    seen, shown, files = (nodes.new(f"CompositorNode{kind}") for kind in ("RLayers", "Composite", "OutputFile"))
    links.new(seen.outputs["Image"], shown.inputs[0])
    files.base_path, files.format.file_format = str(folder), "OPEN_EXR"
    files.file_slots.clear()
    for name in GUIDES:
        files.file_slots.new(name)
        links.new(seen.outputs[f"Denoising {name.title()}"], files.inputs[name])


def empty_room(width, samples, folder):
    """An empty dark room, and a renderer whose noise is taken out afterwards."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = width, width * 9 // 16
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look, scene.view_settings.exposure = "Medium High Contrast", 0.75
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_denoising = "CPU", samples, False
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.08, 5
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transparent_max_bounces = 4, 2, 3, 12
    cycles.sample_clamp_indirect, cycles.blur_glossy = 2, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    _guides(scene, folder)
    scene.world = bpy.data.worlds.new("dark")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.07, 0.07, 0.085, 1)
    # Metal needs something to mirror; eye and cloth stay in the dark.
    scene.world.cycles_visibility.camera = scene.world.cycles_visibility.diffuse = False
    random.seed(7)
    MADE.clear()


# --- materials ------------------------------------------------------------------------------------------------------

MADE = {}


def material(colour, rough=0.5, metal=0.0, glow=0.0, coat=0.0, sheen=0.0, grain=0.0):
    """A surface; `grain` is the depth of a fine unevenness."""
    key = (colour, rough, metal, glow, coat, sheen, grain)
    if key in MADE:
        return MADE[key]
    made = bpy.data.materials.new("m")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = rough, metal
    shader.inputs["Clearcoat"].default_value, shader.inputs["Sheen"].default_value = coat, sheen
    if glow:
        shader.inputs["Emission"].default_value = (*colour, 1)
        shader.inputs["Emission Strength"].default_value = glow
        made.cycles.sample_as_light = False  # lamps light the set; a bulb is only seen
    if grain:
        noise, bump = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
        noise.inputs["Scale"].default_value = 90
        bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = grain, 0.02
        links.new(noise.outputs["Fac"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    MADE[key] = made
    return made


def glow(colour, strength):
    return material(tuple(colour), 0.5, 0, strength)


def glass(tint=(1, 1, 1), clear=0.9):
    """Thin glass: light goes straight through it, so that its shadow is light too."""
    made = bpy.data.materials.new("glass")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    out, mix = nodes.new("ShaderNodeOutputMaterial"), nodes.new("ShaderNodeMixShader")
    through, shine = nodes.new("ShaderNodeBsdfTransparent"), nodes.new("ShaderNodeBsdfGlossy")
    edge = nodes.new("ShaderNodeLayerWeight")
    edge.inputs["Blend"].default_value = 1 - clear + 0.12
    through.inputs[0].default_value = (*tint, 1)
    shine.inputs["Roughness"].default_value = 0.05
    links.new(edge.outputs["Fresnel"], mix.inputs[0])
    links.new(through.outputs[0], mix.inputs[1])
    links.new(shine.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], out.inputs[0])
    return made


def brass(rough=0.24):
    return material((0.86, 0.52, 0.18), rough, 1)


def chrome(rough=0.14):
    return material((0.78, 0.79, 0.82), rough, 1)


def steel(rough=0.35):
    return material((0.32, 0.33, 0.36), rough, 1)


def lacquer(colour=(0.012, 0.012, 0.014)):
    return material(colour, 0.25, 0, coat=0.8)


def rubber():
    return material((0.018, 0.018, 0.02), 0.6, grain=0.3)


def leather(colour=(0.06, 0.022, 0.012)):
    return material(colour, 0.42, grain=0.6)


def velvet(colour=(0.26, 0.008, 0.012)):
    return material(colour, 0.8, sheen=0.6)


def paper(colour=(0.82, 0.77, 0.66)):
    return material(colour, 0.75)


def wood(dark=(0.07, 0.03, 0.014), light=(0.2, 0.09, 0.04), rough=0.35, along=0):
    """Boards with a grain that runs along one axis."""
    key = ("wood", dark, light, rough, along)
    if key in MADE:
        return MADE[key]
    made = material(dark, rough, grain=0.0, coat=0.011 * (along + 1))
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where, stretch = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    noise, ramp = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeValToRGB")
    scale = [14.0, 14.0, 14.0]
    scale[along] = 0.9
    stretch.inputs["Scale"].default_value = scale
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 1.4, 6
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[0].color = 0.35, (*dark, 1)
    ramp.color_ramp.elements[1].position, ramp.color_ramp.elements[1].color = 0.68, (*light, 1)
    links.new(where.outputs["Object"], stretch.inputs["Vector"])
    links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    MADE[key] = made
    return made


# --- shapes ---------------------------------------------------------------------------------------------------------


def _finish(thing, what, bevel=0.0, smooth=True, segments=3):
    if what is not None:
        thing.data.materials.append(what)
    if smooth:
        for face in thing.data.polygons:
            face.use_smooth = True
        thing.data.use_auto_smooth, thing.data.auto_smooth_angle = True, 0.7
    if bevel:
        edge = thing.modifiers.new("bevel", "BEVEL")
        edge.width, edge.segments, edge.limit_method, edge.angle_limit = bevel, segments, "ANGLE", 0.6
        edge.harden_normals = True
    return thing


def box(size, at, what, bevel=0.02, turn=(0, 0, 0)):
    mesh = bmesh.new()
    bmesh.ops.create_cube(mesh, size=1)
    bmesh.ops.scale(mesh, vec=size, verts=mesh.verts)
    return _finish(_linked(mesh, at, turn), what, min(bevel, min(size) * 0.49))


def rod(radius, length, at, what, turn=(0, 0, 0), bevel=0.0, end=None, sides=48):
    """A cylinder, or a cone where `end` is the other radius; its axis is z before the turn."""
    mesh = bmesh.new()
    far = radius if end is None else end
    bmesh.ops.create_cone(mesh, cap_ends=True, segments=sides, radius1=radius, radius2=far, depth=length)
    return _finish(_linked(mesh, at, turn), what, bevel)


def between(a, b, radius, what):
    """A round bar from one point to another."""
    a, b = Vector(a), Vector(b)
    return rod(radius, (b - a).length, (a + b) / 2, what, (b - a).to_track_quat("Z", "Y").to_euler(), radius * 0.2, sides=24)


def ball(radius, at, what, flat=(1, 1, 1)):
    mesh = bmesh.new()
    bmesh.ops.create_uvsphere(mesh, u_segments=48, v_segments=24, radius=radius)
    bmesh.ops.scale(mesh, vec=flat, verts=mesh.verts)
    return _finish(_linked(mesh, at, (0, 0, 0)), what)


def ring(major, minor, at, what, turn=(0, 0, 0)):
    bpy.ops.mesh.primitive_torus_add(
        major_radius=major, minor_radius=minor, location=at, rotation=turn, major_segments=72, minor_segments=18
    )
    return _finish(bpy.context.object, what)


def lathe(profile, at, what, turn=(0, 0, 0), sides=64):
    """A body turned about z from (radius, height) pairs."""
    mesh = bmesh.new()
    rows = []
    for radius, height in profile:
        corners = [2 * math.pi * i / sides for i in range(sides)]
        rows.append([mesh.verts.new((radius * math.cos(c), radius * math.sin(c), height)) for c in corners])
    for low, high in zip(rows, rows[1:]):
        for i in range(sides):
            j = (i + 1) % sides
            mesh.faces.new((low[i], low[j], high[j], high[i]))
    bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
    return _finish(_linked(mesh, at, turn), what)


def plate(outline, depth, at, what, turn=(0, 0, 0), bevel=0.01):
    """A flat piece cut from an outline in the x-z plane, as thick as `depth` along y."""
    mesh = bmesh.new()
    face = mesh.faces.new([mesh.verts.new((x, -depth / 2, z)) for x, z in outline])
    pushed = bmesh.ops.extrude_face_region(mesh, geom=[face])
    moved = [part for part in pushed["geom"] if isinstance(part, bmesh.types.BMVert)]
    bmesh.ops.translate(mesh, verts=moved, vec=(0, depth, 0))
    bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
    return _finish(_linked(mesh, at, turn), what, bevel)


def patch(rows, what, at=(0, 0, 0), turn=(0, 0, 0), thick=0.0):
    """A surface through rows of points: cloth, paper, leaves."""
    mesh = bmesh.new()
    made = [[mesh.verts.new(point) for point in row] for row in rows]
    for near, far in zip(made, made[1:]):
        for i in range(len(near) - 1):
            mesh.faces.new((near[i], near[i + 1], far[i + 1], far[i]))
    thing = _finish(_linked(mesh, at, turn), what)
    if thick:
        thing.modifiers.new("thick", "SOLIDIFY").thickness = thick
    return thing


def flat(corners, what, at=(0, 0, 0)):
    """One flat face through its corners: folded paper, facets."""
    mesh = bmesh.new()
    mesh.faces.new([mesh.verts.new(corner) for corner in corners])
    return _finish(_linked(mesh, at, (0, 0, 0)), what, smooth=False)


def tube(points, radius, what, closed=False, soft=True):
    """A cable or a bent bar along points."""
    curve = bpy.data.curves.new("tube", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution, curve.resolution_u = "3D", radius, 4, 8
    curve.use_fill_caps = True
    line = curve.splines.new("NURBS" if soft else "POLY")
    line.points.add(len(points) - 1)
    for knot, point in zip(line.points, points):
        knot.co = (*point, 1)
    line.use_cyclic_u = closed
    if soft:
        line.use_endpoint_u, line.order_u = not closed, min(4, len(points))
    thing = bpy.data.objects.new("tube", curve)
    bpy.context.collection.objects.link(thing)
    curve.materials.append(what)
    return thing


def arc(centre, radius, start, end, steps=24, plane="xz"):
    """Points of an arc; the angles are in radians."""
    x, y, z = centre
    found = []
    for i in range(steps + 1):
        turn = start + (end - start) * i / steps
        a, b = radius * math.cos(turn), radius * math.sin(turn)
        found.append({"xz": (x + a, y, z + b), "xy": (x + a, y + b, z), "yz": (x, y + a, z + b)}[plane])
    return found


def holed(thing, cutters):
    """The thing without what the cutters take out of it; they are not seen themselves."""
    for cutter in cutters:
        cut = thing.modifiers.new("hole", "BOOLEAN")
        cut.object, cut.operation, cut.solver = cutter, "DIFFERENCE", "EXACT"
        cutter.hide_render = True
    return thing


def _linked(mesh, at, turn):
    data = bpy.data.meshes.new("made")
    mesh.to_mesh(data)
    mesh.free()
    thing = bpy.data.objects.new("made", data)
    thing.location, thing.rotation_euler = at, turn
    bpy.context.collection.objects.link(thing)
    return thing


class group:
    """Everything made inside the block moves, turns and grows together."""

    def __init__(self, at=(0, 0, 0), turn=(0, 0, 0), size=1.0):
        self.place = at, turn, size

    def __enter__(self):
        self.before = set(bpy.data.objects)
        return self

    def __exit__(self, *_):
        at, turn, size = self.place
        holder = bpy.data.objects.new("group", None)
        bpy.context.collection.objects.link(holder)
        for thing in set(bpy.data.objects) - self.before - {holder}:
            if thing.parent is None:
                thing.parent = holder
        holder.location, holder.rotation_euler, holder.scale = at, turn, (size, size, size)


def again(thing, at, turn=None):
    """The same thing once more, elsewhere."""
    copy = thing.copy()
    copy.location = at
    if turn is not None:
        copy.rotation_euler = turn
    bpy.context.collection.objects.link(copy)
    return copy


# --- the set --------------------------------------------------------------------------------------------------------


def floor(what=None, height=0.0):
    bpy.ops.mesh.primitive_plane_add(size=60, location=(0, 0, height))
    bpy.context.object.data.materials.append(what or material((0.012, 0.012, 0.014), 0.16, grain=0.02))


def boards(height=0.0, width=0.42, rough=0.22):
    """A stage of planks that run away from the camera."""
    what = wood((0.022, 0.012, 0.008), (0.075, 0.038, 0.02), rough, along=1)
    for i in range(-24, 25):
        box((width - 0.008, 26, 0.1), (i * width, 4, height - 0.05), what, 0.006)


def wall(distance=5.0, what=None):
    bpy.ops.mesh.primitive_plane_add(size=60, location=(0, distance, 0), rotation=(math.pi / 2, 0, 0))
    bpy.context.object.data.materials.append(what or material((0.03, 0.03, 0.036), 0.9))


def curtain(distance=3.2, colour=(0.26, 0.008, 0.012), left=-9.0, right=9.0, top=9.0, fold=0.28):
    """Heavy cloth in folds."""
    steps = int((right - left) * 22)
    rows = []
    for z in (0, top * 0.5, top):
        row = []
        for i in range(steps + 1):
            x = left + (right - left) * i / steps
            y = distance + fold * math.sin(x * 10.2 + 0.5 * math.sin(x * 1.7)) + fold * 0.45 * math.sin(x * 3.9 + 1)
            row.append((x, y, z))
        rows.append(row)
    patch(rows, velvet(colour))


def aim(thing, at):
    thing.rotation_euler = (Vector(at) - Vector(thing.location)).to_track_quat("-Z", "Y").to_euler()


def spot(at, towards, watts, colour=WARM, angle=0.7, soft=0.5, size=0.2):
    bpy.ops.object.light_add(type="SPOT", location=at)
    lamp = bpy.context.object
    lamp.data.energy, lamp.data.color = watts, colour
    lamp.data.spot_size, lamp.data.spot_blend, lamp.data.shadow_soft_size = angle, soft, size
    aim(lamp, towards)
    return lamp


def panel(at, towards, watts, colour=WARM, width=1.5, height=1.5):
    """A soft box: it gives metal and glass a long highlight."""
    bpy.ops.object.light_add(type="AREA", location=at)
    lamp = bpy.context.object
    lamp.data.energy, lamp.data.color, lamp.data.shape = watts, colour, "RECTANGLE"
    lamp.data.size, lamp.data.size_y = width, height
    aim(lamp, towards)
    return lamp


def point(at, watts, colour=WARM, size=0.1):
    bpy.ops.object.light_add(type="POINT", location=at)
    lamp = bpy.context.object
    lamp.data.energy, lamp.data.color, lamp.data.shadow_soft_size = watts, colour, size
    return lamp


def camera(at, towards, lens=50, stop=2.0, focus=None, roll=0.0, aside=0.0):
    """`aside` moves everything to the right by that part of the width and leaves the perspective as it is."""
    bpy.ops.object.camera_add(location=at)
    view = bpy.context.object
    bpy.context.scene.camera = view
    aim(view, towards)
    if roll:
        view.rotation_euler = (view.rotation_euler.to_matrix() @ Euler((0, 0, roll)).to_matrix()).to_euler()
    view.data.shift_x = -aside
    view.data.lens, view.data.dof.use_dof, view.data.dof.aperture_fstop = lens, True, stop
    view.data.dof.focus_distance = (Vector(focus or towards) - Vector(at)).length
