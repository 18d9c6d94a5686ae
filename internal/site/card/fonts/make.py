"""Makes the two font files of the share cards out of what npm has of the app's own families.

The app's woff2 files are variable and cut by script; Go's font package wants one plain TrueType file a face. This joins
the parts of one weight, keeps the kerning and leaves out hints and substitutions, which nothing here uses.

    npm pack @fontsource/geist@5.3.0 @fontsource/instrument-serif@5.3.0      # unpack each into a folder of its own
    python3 make.py GEIST/package/files INSTRUMENT-SERIF/package/files     # with Debian's fonttools and python3-brotli
"""

import pathlib
import sys
import tempfile

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

here = pathlib.Path(__file__).parent
geist, serif = map(pathlib.Path, sys.argv[1:3])


def make(parts, name):
    with tempfile.TemporaryDirectory() as folder:
        plain = []
        for number, part in enumerate(parts):
            font = TTFont(part)
            font.flavor = None
            plain.append(f"{folder}/{number}.ttf")
            font.save(plain[-1])
        font = Merger().merge(plain)
        options = subset.Options(hinting=False, layout_features=["kern"], name_IDs=["*"], notdef_outline=True)
        options.drop_tables += ["GSUB", "GDEF"]
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=font.getBestCmap().keys())
        subsetter.subset(font)
        font.save(here / name)


scripts = ("latin", "latin-ext", "cyrillic", "cyrillic-ext", "vietnamese")
make([geist / f"geist-{script}-500-normal.woff" for script in scripts], "geist-500.ttf")
make([serif / f"instrument-serif-{script}-400-normal.woff" for script in scripts[:2]], "instrument-serif-400.ttf")
