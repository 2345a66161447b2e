"""What there is to give evidence of: the catalogue as tests/catalogue.hpp has it, typed apart from the
algorithms themselves."""

import re

from points import ROOT

_text = (ROOT / "tests/catalogue.hpp").read_text()
# Every algorithm, by its collective.
CATALOGUE = {}
for _collective, _algorithm in re.findall(r'^ *"(\w+)/(\w+)",$', _text, re.MULTILINE):
    CATALOGUE.setdefault(_collective, []).append(_algorithm)
COLLECTIVES = tuple(CATALOGUE)
# Those that know nodes.
AWARE = set(re.findall(r'^ *"\w+/(\w+)",$', _text.split("node_aware_catalogue")[1], re.MULTILINE))


def words(*left_out):
    """The collectives as `tutti bench --collectives` takes them, but those."""
    return ",".join(name for name in COLLECTIVES if name not in left_out)
