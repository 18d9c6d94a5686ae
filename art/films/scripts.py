"""The films, shot by shot: length, shots, captions, music. A shot is (start, length, what)."""

from picture import Plan, Title

# Places for the camera: the middle of what it sees (0 to 1) and how near it is.
WHOLE = (0.5, 0.5, 1.0)


def first_seven_seconds():
    """What a casting office notices, in its order."""
    starts = [0, 7, 14, 21, 28, 35, 42.5, 49.5, 56.5, 65]
    looks = [
        ("entrance", (WHOLE, (0.44, 0.52, 1.2)), "Lesson one", ["The first", "seven seconds"], 84),
        ("content-creation", ((0.5, 0.5, 1.0), (0.43, 0.5, 1.12)), "", ["Four hundred", "tapes.", "One role."], 66),
        ("cinematography-masterclass", ((0.47, 0.5, 1.0), (0.55, 0.46, 1.14)), "Second one", ["The picture."], 80),
        ("voice-acting-from-booth-to-booking", ((0.52, 0.62, 1.2), (0.5, 0.42, 1.1)), "Second three", ["The sound."], 80),
        ("scene-study-for-the-camera", ((0.5, 0.55, 1.02), (0.52, 0.42, 1.16)), "Second five", ["The slate."], 80),
        ("storytelling-for-ten-minute-videos", ((0.52, 0.4, 1.14), (0.47, 0.56, 1.06)), "Second seven", ["They lean in,", "or they lean back."], 68),
        ("improv-for-actors-who-freeze", ((0.42, 0.5, 1.16), (0.5, 0.5, 1.02)), "", ["Now", "the scene", "begins."], 72),
        ("the-working-actors-toolkit", ((0.5, 0.5, 1.0), (0.43, 0.5, 1.16)), "", ["None", "of that", "was talent."], 70),
        ("workshop", (WHOLE, (0.5, 0.47, 1.16)), "", ["Make the setup boring.", "Save the risk", "for the scene."], 62),
    ]
    shots = []
    for (picture, move, kicker, lines, size), start, end in zip(looks, starts, starts[1:]):
        long = end - start
        shots.append((start, long, {"pictures": picture, "move": move, "title": [(Title(kicker, lines, size), 0.1, long)]}))
    cues = [
        (1.0, 3.6, "It is nine in the evening."),
        (3.7, 6.8, "Somebody in a casting office\nopens your tape."),
        (7.4, 10.4, "It is number two hundred and six."),
        (10.5, 13.7, "There is a sandwich involved."),
        (14.4, 17.3, "First they see\nwhether there is a face,"),
        (17.4, 20.7, "and whether it is\nthe right way around."),
        (21.4, 24.0, "Then the sound starts."),
        (24.1, 27.7, "If a hand goes to the volume,\nit is halfway to the next tape."),
        (28.4, 30.8, "Then your name."),
        (30.9, 34.7, "You said what they asked for,\nor you told them about your year."),
        (35.4, 38.4, "Seven seconds are over."),
        (38.5, 42.0, "Nobody has seen you act yet."),
        (42.9, 45.6, "Now the scene begins,"),
        (45.7, 49.2, "and what they look at\nis somebody listening."),
        (49.9, 52.6, "Nothing until then was talent."),
        (52.7, 56.2, "It was two lamps, a blanket\nand a file name."),
        (57.0, 60.2, "So make the setup boring."),
        (60.3, 63.8, "Save the risk for the scene."),
    ]
    chords = [(0, (38, 57, 60, 65, 69)), (14, (34, 53, 57, 62, 69)), (28, (41, 57, 60, 67, 69)), (42.5, (36, 55, 60, 64, 67)), (49.5, (34, 53, 58, 62, 69)), (56.5, (41, 53, 60, 64, 69))]
    touches = [(t + 0.9 + late, note) for t, notes in zip(starts, [(77, 81), (74, 77), (81,), (79,), (77,), (72, 69), (76, 79), (74, 77), (81, 84)]) for late, note in zip((0, 0.45), notes)]
    return 65, shots, cues, {"chords": chords, "touches": touches}


def two_lamps():
    """One sitter in five lights. The camera never stops, and only the light changes."""
    at = {"ceiling": 0, "black": 9, "lamp": 10.6, "sheet": 20.5, "fill": 30, "away": 39.5}
    lights = [(second, name) for name, second in at.items()]
    end = 49
    titles = [
        (Title("Before", ["The ceiling light", "takes your eyes."], 60, 150), 0.2, 8.6),
        (Title("Lamp one", ["Beside the lens,", "just above your eyes."], 60, 150), at["lamp"], 9.7),
        (Title("The bedsheet", ["Big light", "is soft light."], 60, 150), at["sheet"], 9.3),
        (Title("Lamp two", ["Turn its back", "on you."], 60, 150), at["fill"], 9.3),
        (Title("Three feet", ["Step away", "from the wall."], 60, 150), at["away"], 9.3),
    ]
    plan = Plan([
        ("room", 1.6, 99), ("near", 1.6, at["away"]), ("overhead", 2.0, at["black"]), ("lamp", at["lamp"] + 0.4, 99),
        ("sheet", at["sheet"] + 0.4, 99), ("second", at["fill"] + 0.4, 99), ("far", at["away"] + 0.3, 99),
    ], 350)
    shots = [
        (0, 6.5, {"pictures": "the-self-tape-lab", "move": ((0.5, 0.5, 1.0), (0.46, 0.46, 1.12)), "title": [(Title("Lesson two", ["Two lamps", "and a bedsheet"], 84), 0.1, 6.4)]}),
        (6.5, end, {"pictures": lights, "move": ((0.46, 0.5, 1.0), (0.56, 0.42, 1.17)), "title": titles, "plan": plan, "deep": 0.5}),
        (55.5, 6, {"pictures": "away", "move": ((0.6, 0.34, 1.5), (0.62, 0.33, 2.1)), "title": [(Title("", ["Both eyes,", "and a light in each."], 60), 0, 6)], "deep": 0.55}),
        (61.5, 6.5, {"pictures": "the-working-actors-toolkit", "move": ((0.5, 0.5, 1.0), (0.43, 0.52, 1.16)), "title": [(Title("", ["Now write", "it down."], 72), 0, 6.4)]}),
    ]
    cues = [
        (1.0, 5.9, "You can light a face for the price\nof two lamps and some laundry."),
        (7.2, 10.6, "This is a ceiling light.\nIt does the top of your head well."),
        (10.7, 14.6, "Your eyes are in there somewhere."),
        (15.2, 17.0, "So switch it off."),
        (17.4, 21.4, "Lamp one goes beside the lens,\na hand's width above your eyes."),
        (21.5, 26.2, "It is honest, and a bit rude.\nLook at that shadow on the wall."),
        (27.2, 30.8, "Hang a bedsheet\nbetween the lamp and you."),
        (30.9, 35.6, "The sheet is your lamp now,\nand every hard edge turns into a slope."),
        (36.7, 40.4, "Lamp two looks the other way,\nat a white wall."),
        (40.5, 45.2, "What comes back\nfinds your other eye."),
        (46.2, 49.4, "Last, walk away from the wall."),
        (49.5, 54.6, "Your shadow drops out of the frame,\nand the wall becomes a color."),
        (55.8, 60.9, "Check it at arm's length: both eyes,\nand a small light in each."),
        (62.0, 66.8, "Then measure all of it and write it down.\nFriday comes back."),
    ]
    chords = [(0, (41, 57, 60, 64, 67)), (6.5, (38, 53, 57, 60, 64)), (17.1, (34, 53, 57, 62, 65)), (27, (41, 57, 60, 64, 69)), (36.5, (36, 55, 59, 64, 67)), (46, (41, 57, 60, 67, 72)), (55.5, (34, 53, 58, 62, 69)), (61.5, (41, 53, 60, 64, 69))]
    touches = [(1.0, 76), (1.5, 79), (7.6, 69), (17.6, 77), (27.5, 76), (28.0, 81), (37.0, 79), (46.5, 77), (47.0, 84), (56.2, 81), (62.3, 76), (62.9, 79)]
    clicks = [6.5 + at["black"], 6.5 + at["lamp"], 6.5 + at["fill"]]
    return 68, shots, cues, {"chords": chords, "touches": touches, "clicks": clicks}


def trailer():
    """Twenty seconds for the course's page."""
    shots = [
        (0, 4.4, {"pictures": "entrance", "move": (WHOLE, (0.5, 0.5, 1.14)), "title": [(Title("", ["The audition", "came by email."], 68), -0.2, 4.6)]}),
        (4.4, 3.6, {"pictures": "storytelling-for-ten-minute-videos", "move": ((0.5, 0.42, 1.12), (0.47, 0.55, 1.04)), "title": [(Title("", ["It is due", "tonight."], 72), -0.3, 3.9)]}),
        (8, 6, {"pictures": [(0, "ceiling"), (1.5, "lamp"), (2.9, "sheet"), (4.2, "away")], "move": ((0.47, 0.48, 1.04), (0.56, 0.42, 1.2)), "title": [(Title("", ["You have two lamps,", "a bedsheet", "and a friend."], 60), -0.2, 6.2)], "deep": 0.5, "change": 0.9}),
        (14, 7, {"pictures": "the-self-tape-lab", "move": ((0.5, 0.5, 1.0), (0.46, 0.47, 1.1)), "title": [(Title("with Imani Okafor", ["The", "Self-Tape Lab"], 88), -0.2, 9)]}),
    ]
    chords = [(0, (38, 57, 60, 65, 69)), (8, (34, 53, 58, 62, 69)), (14, (41, 53, 60, 64, 69))]
    touches = [(0.8, 77), (1.3, 81), (4.8, 74), (8.4, 77), (9.7, 79), (11.0, 81), (12.4, 84), (14.5, 81), (15.1, 88)]
    return 21, shots, [], {"chords": chords, "touches": touches, "clicks": [9.5]}


FILMS = {"first-seven-seconds": first_seven_seconds, "two-lamps": two_lamps, "trailer": trailer}
