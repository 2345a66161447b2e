#!/usr/bin/env python3
"""An algorithm that was added with a file and a line in the catalogue is known wherever others are.

  tests/algorithms/added.py --tutti TUTTI --added TUTTI_WITH_IT COLLECTIVE/NAME
"""

import argparse
import json
import subprocess


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tutti", required=True, help="the command without it")
    parser.add_argument("--added", required=True, help="the command with it")
    parser.add_argument("name")
    options = parser.parse_args()
    collective, name = options.name.split("/")

    # Listed, and nothing else changed.
    before = json.loads(printed(options.tutti, "list", "--json"))
    after = json.loads(printed(options.added, "list", "--json"))
    new = [row for row in after if row not in before]
    assert [row for row in after if row in before] == before, "other rows changed"
    assert [(row["collective"], row["algorithm"]) for row in new] == [(collective, name)], new
    assert new[0]["file"] == f"src/algorithms/{collective}/{name}.cpp", new[0]["file"]

    # In the documents.
    lines = printed(options.added, "list", "--markdown").splitlines()
    assert sum(f"[{name}](../src/algorithms/{options.name}.cpp)" in line for line in lines) == 1

    # Proved; drawn; predicted, among the others and by itself.
    printed(options.added, "check", options.name)
    assert options.name in printed(options.added, "show", options.name, "-p", "6")
    known = printed(options.added, "predict", collective, "-p", "6", "-n", "6K")
    assert name in known and name not in printed(options.tutti, "predict", collective, "-p", "6", "-n", "6K")
    print(f"{options.name} is listed, documented, proved, drawn and predicted")


if __name__ == "__main__":
    main()
