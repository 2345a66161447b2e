#!/usr/bin/env python3
"""web/dist/report.html is what web/src gives, byte for byte, and its types are right. Exits with 77 where
npm is missing or cannot reach its registry.

  tests/web/build.py --out build/core/web-build
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

WEB = pathlib.Path(__file__).resolve().parent.parent.parent / "web"
UNREACHABLE = ("E401", "E403", "E407", "E50", "EPROTO", "CERT", "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "ERR_SOCKET_TIMEOUT")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    if not shutil.which("npm"):
        print("skipped: no npm: install the packages nodejs and npm")
        sys.exit(77)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(WEB, out, ignore=shutil.ignore_patterns("node_modules", "dist"))
    for words in (["ci", "--no-audit", "--no-fund", "--fetch-retries=1"], ["run", "check"], ["run", "build"]):
        done = subprocess.run(["npm", *words], cwd=out, capture_output=True, text=True)
        if done.returncode and words[0] == "ci" and any(word in done.stderr for word in UNREACHABLE):
            print(f"skipped: npm cannot reach its registry: {done.stderr.strip()[-200:]}")
            sys.exit(77)
        if done.returncode:
            sys.exit(f"npm {' '.join(words)}: {done.stdout}{done.stderr}")
    made, kept = (out / "dist/report.html").read_bytes(), (WEB / "dist/report.html").read_bytes()
    if made != kept:
        sys.exit("web/dist/report.html is not what web/src gives: make page writes it again")
    print(f"the same {len(made)} bytes")


main()
