#!/usr/bin/env python3
"""The pages of `tutti report` and `tutti show --format html` in Chromium: what they show, how they are
operated, how they look. Exits with 77 where there is no Chromium.

  tests/web/run.py --tutti build/core/bin/tutti --out build/core/web [TEST...]

Screenshots go to the folder of --out.
"""

import argparse
import inspect
import json
import math
import pathlib
import re
import subprocess
import sys

import browser
import sample

PROFILE = {
    "name": "bed", "source": "made for this test", "alpha_us": 2.5, "beta_ns_per_byte": 0.4, "alpha_uni_us": 2,
    "beta_uni_ns_per_byte": 0.4, "gamma_ns_per_byte": 0.2,
    "measured_on": {"mpi": "Open MPI 4.1.4", "processor": "a processor", "cores": 4},
    "decisions": [
        {"collective": "allreduce", "topology": "2x4", "choices": [
            {"from": 0, "algorithm": "recursive_doubling", "us": 9.5, "measured": True},
            {"from": 65536, "algorithm": "native", "us": 410, "measured": False}]},
        {"collective": "bcast", "topology": "2x4", "choices": [
            {"from": 0, "algorithm": "binomial", "us": 5.25, "measured": True},
            {"from": 4096, "algorithm": "chain:segment=32K", "us": 44, "measured": True}]}]}
SCHEDULES = {"ring": "allgather/ring -p 8 -n 64K", "rabenseifner": "allreduce/rabenseifner -p 13 --count 16",
             "bruck": "alltoall/bruck -p 6 -n 6K", "barrier": "barrier/dissemination -p 5",
             "large": "allgather/bruck -p 64 -n 64K"}


class Wrong(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def near(a, b, share=1e-6):
    return abs(a - b) <= share * max(abs(a), abs(b), 1e-300)


class Site:
    """The files, the pages made of them, and the browser."""

    def __init__(self, tutti, out, chromium):
        self.tutti, self.out, self.chromium = tutti, out, chromium
        self.results, self.regret, self.rules = sample.results(), sample.results((8,), True, seed=4), sample.rules()
        self.record = sample.record()
        documents = {"results": self.results, "regret": self.regret, "rules": self.rules, "bed": PROFILE,
                     "record": self.record, "trace": sample.trace()}
        files = []
        for name, document in documents.items():
            files.append(out / f"{name}.json")
            files[-1].write_text(json.dumps(document))
        for name, words in SCHEDULES.items():
            files.append(out / f"{name}.json")
            self.run("show", *words.split(), "--format", "json", "-o", files[-1])
        self.report, self.one, self.player = out / "report.html", out / "one.html", out / "player.html"
        self.run("report", *files, "-o", self.report)
        self.run("report", files[0], "-o", self.one)
        self.run("show", *SCHEDULES["large"].split(), "--format", "html", "-o", self.player)

    def run(self, *words):
        done = subprocess.run([str(self.tutti), *map(str, words)], capture_output=True, text=True)
        expect(done.returncode == 0, f"tutti {' '.join(map(str, words))}: {done.stderr}")

    def open(self, path, width=1280, dark=False):
        page = self.chromium.page(width, 900, dark)
        page.open(path)
        if page.run("localStorage.length"):  # the theme that a test before chose
            page.run("localStorage.clear()")
            page.open(path)
        return page


def values(page, selector):
    return page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.dataset.value === undefined ? null : +e.dataset.value)")


def row_of(cell, wanted):
    return next(row for row in cell["rows"] if (row["chosen"] if wanted == "chosen" else row["algorithm"] == wanted))


def opens(site):
    """From a file, without a complaint or a wish for the network; every kind of data has its section."""
    for path in (site.report, site.one, site.player):
        page = site.open(path)
        page.settle()
        expect(page.errors() == [], f"{path.name}: {page.errors()}")
        page.close()
    page = site.open(site.report)
    ids = page.run("[...document.querySelectorAll('main > section')].map(e => e.id)")
    expect(ids == ["summary", "curves", "decisions", "regret", "table", "guidelines", "records", "timeline", "schedules", "profiles", "provenance"], ids)
    command = page.run("document.querySelector('#provenance').textContent")
    expect("</script><b>&\"'" in command, "the command line is not shown as it was")
    page.close()
    page = site.open(site.one)
    ids = page.run("[...document.querySelectorAll('main > section')].map(e => e.id)")
    expect(ids == ["summary", "curves", "decisions", "table", "provenance"], ids)
    page.close()


def curves_hold_the_numbers(site):
    """Every collective and number of ranks: the table and the places of the points are those of the JSON."""
    page = site.open(site.one)
    page.run("document.querySelector('#curves .values').open = true")
    for p in (4, 8):
        for collective in sample.ALGORITHMS:
            page.run(f"""(() => {{
                const list = document.querySelector('#curves select'); list.value = {json.dumps(collective)};
                list.dispatchEvent(new Event('change'));
                document.querySelector('#curves input[value="{p}"]').click(); }})()""")
            page.settle()
            cells = [cell for cell in site.results["cells"] if (cell["collective"], cell["p"]) == (collective, p)]
            shown = page.run("""Object.fromEntries([...document.querySelectorAll('#curves .values tr[data-algorithm]')].map(
                row => [row.dataset.algorithm, [...row.querySelectorAll('td')].map(cell => +cell.dataset.value)]))""")
            wanted = {row["algorithm"]: [row_of(cell, row["algorithm"])["us"][0] for cell in cells] for row in cells[0]["rows"]}
            expect(shown == wanted, f"{collective}, {p} ranks: {shown}")
            bound = values(page, "#curves .values tbody tr:first-child td")
            expect(bound == [cell["bound_us"] for cell in cells], f"bound of {collective}: {bound}")
            middle = cells[(len(cells) - 1) // 2]
            read = values(page, "#curves .readout tbody tr td:nth-child(2)")
            expect(read == sorted(row["us"][0] for row in middle["rows"]), f"readout of {collective}: {read}")
            if len(cells) > 1:
                check_places(page, cells)
    page.close()


def check_places(page, cells):
    """The heights of the points, in the first chart: their logarithms lie on one line."""
    dots = page.run("""[...document.querySelector('#curves .chart').querySelectorAll('[aria-label*=" bytes: "]')].map(e => {
        const m = new DOMMatrix(getComputedStyle(e).transform), b = e.tagName === 'circle' ? [+e.getAttribute('cx'), +e.getAttribute('cy')] : null;
        const t = e.getAttribute('transform')?.match(/translate\\(([^,]+),([^)]+)\\)/);
        return [e.getAttribute('aria-label'), ...(b ?? (t ? [+t[1], +t[2]] : [m.e, m.f]))]; })""")
    wanted = sorted((cell["bytes"], row["us"][0]) for cell in cells for row in cell["rows"])
    expect(len(dots) == len(wanted), f"{len(dots)} points instead of {len(wanted)}")
    columns = sorted({x for _, x, _ in dots})
    expect(len(columns) == len(cells), f"points in {len(columns)} columns")
    at = {}
    for _, x, y in dots:
        at.setdefault(columns.index(x), []).append(y)
    found = []
    for column, cell in enumerate(cells):
        times = sorted(row["us"][0] for row in cell["rows"])
        found += list(zip(map(math.log, times), sorted(at[column], reverse=True)))
    (a, ya), (b, yb) = min(found), max(found)
    for time, y in found:
        expect(abs(ya + (time - a) / (b - a) * (yb - ya) - y) < 0.5, f"a point at {y}, its time is {math.exp(time)} us")
    # The bound is a line through its own heights.
    path = page.run("document.querySelector('#curves .chart [aria-label=\"Lower bound\"]')?.getAttribute('d') ?? ''")
    heights = [float(point.split(",")[1]) for point in re.split("[ML]", path)[1:]]
    expect(len(heights) == len(cells), f"the bound is drawn as '{path}'")
    for cell, y in zip(cells, heights):
        expect(abs(ya + (math.log(cell["bound_us"]) - a) / (b - a) * (yb - ya) - y) < 0.5, f"the bound {cell['bound_us']} at {y}")
    logs = [math.log(cell["bytes"]) for cell in cells]
    for log, x in zip(logs, columns):
        expect(abs(columns[0] + (log - logs[0]) / (logs[-1] - logs[0]) * (columns[-1] - columns[0]) - x) < 0.5, "sizes are not on a log axis")


def tables_hold_the_numbers(site):
    page = site.open(site.one)
    cells = site.results["cells"]
    page.click("#table .more")
    rows = page.run("""[...document.querySelectorAll('#table tbody tr')].map(row => [...row.children].map(e => e.dataset.value))""")
    expect(len(rows) == len(cells), f"{len(rows)} rows, {len(cells)} cells")
    shown = {(row[0], int(row[1]), int(row[2])): row for row in rows}
    for cell in cells:
        row = shown[cell["collective"], cell["p"], cell["bytes"]]
        chosen, best = row_of(cell, "chosen"), row_of(cell, cell["best"])
        wanted = [row_of(cell, "native")["us"][0], chosen["us"][0], chosen["speed_up"][0], best["us"][0], best["speed_up"][0], best["over_bound"]]
        expect([float(row[i]) for i in (4, 5, 7, 11, 12, 13)] == wanted, f"{row}: {wanted}")
        expect(row[6] == chosen["algorithm"].split("/")[1] and row[10] == cell["best"].split("/")[1], row)
        low, high = chosen["speed_up"][1:]
        expect(row[9] == ("faster" if low > 1 else "slower" if high < 1 else "even"), row)
    ratios = [row_of(cell, "chosen")["speed_up"][0] for cell in cells]
    tiles = values(page, ".tile-value")
    expect(near(tiles[0], math.exp(sum(map(math.log, ratios)) / len(ratios))), tiles)
    counts = values(page, ".bar-key li")
    expect(sum(counts) == len(cells) and counts[0] == sum(row[9] == "faster" for row in rows), counts)
    shown = values(page, "#decisions td[data-value]")
    expect(sorted(shown) == sorted(ratios), "the decision map has other numbers")
    page.close()
    page = site.open(site.report)
    rules = site.rules["guidelines"]
    for who in ("native", "tutti"):
        shown = values(page, f"#guidelines li[data-who={who}]")
        expect(shown == [sum(rule["violated"] for rule in rules if rule["who"] == who)], f"{who}: {shown}")
    expect(len(values(page, "#guidelines tbody tr")) == sum(rule["violated"] for rule in rules), "violations")
    shown = values(page, "#regret td[data-value]")[:len(site.regret["cells"])]
    expect(sorted(shown) == sorted(cell["regret"]["with_native"] for cell in site.regret["cells"]), "the regret map has other numbers")
    text = page.run("document.querySelector('#profiles').textContent")
    for word in ("recursive_doubling", "MPI's own", "chain:segment=32K", "9.50 µs measured", "410 µs predicted", "2x4"):
        expect(word in text, f"the profile's decisions lack {word}")
    page.close()


def timelines_hold_the_numbers(site):
    """Bars, arrows and tables of a trace; the call is chosen by list, by button and by keys."""
    page = site.open(site.report)
    title = "document.querySelector('#timeline figcaption').textContent"

    def shown():
        bars = page.run("""[...document.querySelector('#timeline .timeline').querySelectorAll('.row')].map(
            row => [...row.querySelectorAll('rect')].map(e => [e.getAttribute('class').slice(5), +e.dataset.begin, +e.dataset.end]))""")
        numbers = page.run("[...document.querySelectorAll('#timeline .numbers tbody tr')].map(r => [...r.children].map(e => +e.dataset.value))")
        return bars, numbers

    # The longest call comes first: all data in one message.
    bars, numbers = shown()
    for rank, row in enumerate(bars):
        expect(row[0][1] == 0 and row[-1][2] == 320 and all(a[2] == b[1] for a, b in zip(row, row[1:])), f"rank {rank}: {row}")
        begin, end = 10 + 100 * (rank - 1 if rank else 0), 10 + 100 * (rank + 1 if rank < 3 else rank)
        expect(["communication", begin, end] in row, f"rank {rank} communicates {row}, not from {begin} to {end}")
        end_of_call = 320 - 2 * rank
        wanted = [rank, end - begin, 0, end_of_call - rank - (end - begin), 320 - end_of_call + rank]
        expect(all(near(a, b) for a, b in zip(numbers[rank], wanted)), f"rank {rank}: {numbers[rank]}, not {wanted}")
        expect(near(numbers[rank][5], 1 - (end - begin) / 320), numbers[rank])
        # By the model a hop takes 20 us and 600 bytes of 100 ns.
        expect(near(numbers[rank][6], 80 * (2 if 0 < rank < 3 else 1)), f"rank {rank}: {numbers[rank]}")
    expect(page.run("document.querySelectorAll('#timeline .timeline').length") == 2, "not measured and planned")
    expect("320 µs" in page.run(title), page.run(title))
    places = page.run("""[...document.querySelector('#timeline .timeline').querySelectorAll('.row:first-of-type rect')].map(
        e => [+e.dataset.begin, +e.dataset.end, +e.getAttribute('x'), +e.getAttribute('width')])""")
    for begin, end, x, width in places:
        scale = places[-1][2] + places[-1][3] - places[0][2]
        expect(abs(x - places[0][2] - begin / 320 * scale) < 0.5 and abs(width - (end - begin) / 320 * scale) < 0.5, places)
    arrows = "document.querySelector('#timeline .timeline').querySelectorAll('.arrows line').length"
    expect(page.run(arrows) == 3, page.run(arrows))
    page.click("#timeline input[value=no]")
    expect(page.run(arrows) == 0, "the arrows are still there")
    text = page.run("document.querySelector('#timeline').textContent")
    for word in ("7 events and 1 calls did not fit", "within 2.50 µs", "on bed"):
        expect(word in text, f"no word of: {word}")
    # The other call.
    page.focus("#timeline .trace > .table-block tbody tr:nth-child(2) .open")
    page.key("Enter")
    bars, numbers = shown()
    expect(len(bars) == 4 and near(bars[0][-1][2], 8 * 100 / 6 + 20, 1e-4) and page.run("document.querySelector('#timeline select').value") == "1", bars[0])
    page.run("(() => { const e = document.querySelector('#timeline select'); e.value = '0'; e.dispatchEvent(new Event('change')); })()")
    expect("320 µs" in page.run(title), page.run(title))
    page.point("#timeline .does-communication")
    expect("Rank 0 communicates" in page.run("document.querySelector('#tip').textContent"), "no values")
    expect(page.errors() == [], page.errors())
    page.close()
    # More messages than arrows can show: the page says so.
    many = site.out / "many.json"
    many.write_text(json.dumps(sample.trace(pieces=300)))
    site.run("report", many, "-o", site.out / "many.html")
    page = site.open(site.out / "many.html")
    page.run("(() => { const e = document.querySelector('#timeline select'); e.value = '1'; e.dispatchEvent(new Event('change')); })()")
    note = page.run("document.querySelector('#timeline .too-many')?.textContent ?? ''")
    expect("900 messages" in note and page.run(arrows) == 0, f"{note!r}, {page.run(arrows)} arrows")
    page.close()


def records_hold_the_numbers(site):
    """A program's collectives, with their calls, time and waiting; what ran; and advice."""
    page = site.open(site.report)
    rows, ranks = site.record["rows"], site.record["ranks"]
    shown = page.run("""Object.fromEntries([...document.querySelectorAll('#records .spent tbody tr')].map(
        row => [row.dataset.collective, [...row.querySelectorAll('[data-value]')].map(cell => +cell.dataset.value)]))""")
    names = {row["collective"] for row in rows}
    expect(set(shown) == names, f"{sorted(shown)}")
    for name in names:
        mine = [row for row in rows if row["collective"] == name]
        wanted = [sum(row["calls"] for row in mine), sum(row["seconds"] for row in mine) / ranks]
        if any(row["waiting_seconds"] is not None for row in mine):
            wanted.append(sum(row["waiting_seconds"] or 0 for row in mine) / ranks)
        expect(len(shown[name]) == len(wanted) and all(map(near, shown[name], wanted)), f"{name}: {shown[name]}, not {wanted}")
    parts = page.run("""[...document.querySelectorAll('#records .spent-bar')].slice(0, 2).map(bar => [bar, ...bar.children].map(e => e.getBoundingClientRect().width))""")
    whole, transfer, waiting = parts[0]  # allreduce, the longest
    expect(near(waiting / (waiting + transfer), 6.525 / 8.25, 0.02) and near(parts[1][0] / whole, 4.125 / 8.25, 0.02), f"the bars are {parts}")
    table = page.run("""[...document.querySelectorAll('#records .table-block tbody tr')].map(row => [...row.children].map(e => e.textContent))""")
    expect([row[0] for row in table] == [row["collective"] for row in rows], f"the order is {table}")
    expect(table[1][9] == "MPI's own" and table[1][10:13] == ["off", "–", "circulant"], f"{table[1]}")
    expect(table[0][11] == "20.5 µs", f"what ran is predicted to take {table[0]}")
    expect(table[3][1] == "ranks 1,3" and table[3][9] == "chain:segment=32K", f"{table[3]}")
    # 4 s / 1000 calls are 4000 us, of which 20.5 would be left.
    gain = page.run("+[...document.querySelectorAll('#records .table-block tbody tr')][1].lastElementChild.dataset.value")
    expect(near(gain, 1 - 20.5 / 4000), f"the gain is {gain}")
    advice = page.run("[...document.querySelectorAll('#records .advice li')].map(e => e.textContent)")
    expect(any("of the time of allreduce is waiting for the last rank, mostly for rank 3" in line for line in advice)
           and any("ran natively (off): circulant is predicted" in line for line in advice), f"{advice}")
    expect(page.run("document.querySelector('#records h3').textContent") == "heat <b>", "the program's name")
    page.close()


def mouse(site):
    page = site.open(site.report)
    # A theme.
    page.click("header input[value=dark]")
    expect(page.run("document.documentElement.dataset.theme") == "dark", "the switch does not change the theme")
    # Sorting, both ways.
    column = "#table thead th:nth-child(4) button"
    page.click(column)
    sizes = [value for value in values(page, "#table tbody td:nth-child(4)")]
    expect(sizes == sorted(sizes, reverse=True), f"not sorted: {sizes[:9]}")
    page.click(column)
    expect(page.run("document.querySelector('#table thead th:nth-child(4)').ariaSort") == "ascending", "aria-sort")
    # The rows that a filter leaves.
    page.run("(() => { const e = document.querySelector('#table input'); e.value = 'allreduce 4K'; e.dispatchEvent(new Event('input')); })()")
    expect(page.run("[...document.querySelectorAll('#table tbody tr')].every(r => r.textContent.includes('allreduce') && r.textContent.includes('4K'))"), "filter")
    # A curve that hides.
    count = "document.querySelector('#curves .chart').querySelectorAll('[aria-label*=\" bytes: \"]').length"
    before = page.run(count)
    page.click("#curves .legend button:nth-child(2)")
    expect(page.run(count) < before, "the curve is still there")
    page.click("#curves .legend button:nth-child(2)")
    expect(page.run(count) == before, "the curve does not come back")
    # The cursor goes where the mouse is.
    page.point("#curves .chart", 0.98)
    right = page.run("document.querySelector('#curves .readout h3').textContent")
    page.point("#curves .chart", 0.12)
    left = page.run("document.querySelector('#curves .readout h3').textContent")
    expect("2M" in right and " 8 " in left, f"{left}; {right}")
    # Values of a cell of the map.
    page.point("#decisions td[data-value]")
    expect("Lower bound" in page.run("getComputedStyle(document.querySelector('#tip')).display === 'block' && document.querySelector('#tip').textContent"), "no values")
    # The fastest instead of the chosen.
    caption = page.run("document.querySelector('#decisions caption').textContent")
    page.click("#decisions input[value=best]")
    expect(page.run("document.querySelector('#decisions caption').textContent") != caption, "the map does not change")
    # All rules.
    page.click("#guidelines input[value=all]")
    expect(len(values(page, "#guidelines tbody tr")) == len(site.rules["guidelines"]), "not all rules")
    expect(page.errors() == [], page.errors())
    page.close()


def keyboard(site):
    page = site.open(site.report)
    heading = "document.querySelector('#curves .readout h3').textContent"
    page.focus("#curves .slider")
    page.key("End")
    expect("2M" in page.run(heading), page.run(heading))
    page.key("Home")
    page.key("ArrowRight")
    expect(" 64 " in page.run(heading), page.run(heading))
    expect("64 bytes: fastest" in page.run("document.querySelector('#curves .slider').getAttribute('aria-valuetext')"), "no words for the value")
    page.focus("#decisions td[tabindex='0']")
    page.key("ArrowDown", 2)
    page.key("ArrowRight", 1)
    place = page.run("[document.activeElement.closest('tr').rowIndex, document.activeElement.cellIndex]")
    expect(place[0] == 3, place)
    expect(page.run("getComputedStyle(document.querySelector('#tip')).display") == "block", "focus shows no values")
    name = page.run("document.activeElement.closest('tr').cells[0].firstChild.textContent")
    page.key("Enter")
    expect(page.run(heading).startswith(name + ","), f"Enter opens {page.run(heading)}, not {name}")
    page.focus("#table thead th:nth-child(3) button")
    page.key("Enter")
    expect(page.run("document.querySelector('#table thead th:nth-child(3)').ariaSort") == "descending", "Enter does not sort")
    page.focus("header input[value=auto]")
    page.key("ArrowRight")
    expect(page.run("document.documentElement.dataset.theme") == "light", "arrow keys do not change the theme")
    # All that can be operated is reached by Tab, in the order of the page.
    page.run("document.activeElement.blur()")
    seen = []
    for _ in range(60):
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        seen.append(page.run("document.activeElement.closest('section, nav, header, a.skip')?.id ?? ''"))
    for part in ("curves", "decisions", "regret", "table"):
        expect(part in seen, f"Tab does not reach {part}: {seen}")
    page.close()


def plays(site):
    """A schedule's steps by mouse and keys; data and times are those of the command."""
    page = site.open(site.player)
    title = "document.querySelector('.scene-title').textContent"
    arrows = "document.querySelectorAll('.stage .message').length"
    last = page.run("+document.querySelector('.player input[type=range]').max")
    expect(page.run(title).startswith("start") and page.run(arrows) == 0, page.run(title))
    page.click(".transport button:nth-child(4)")
    expect(page.run(title).startswith("step 1 ") and page.run(arrows) == 64, page.run(title))
    page.click(".transport button:nth-child(5)")
    total = page.run("+document.querySelector('.cost strong').dataset.value")
    done = subprocess.run([str(site.tutti), "predict", "allgather", "-p", "64", "-n", "64K", "--json"], capture_output=True, text=True)
    wanted = next(each["seconds"] for each in json.loads(done.stdout)["points"][0]["predictions"] if each["algorithm"] == "bruck")
    expect(near(total, wanted * 1e6), f"{total} us in the page, {wanted * 1e6} predicted")
    page.run("document.querySelector('.player details').open = true")
    page.settle()
    held = page.run("[...document.querySelectorAll('.tables table:last-child tbody td.wrap')].map(e => e.textContent)")
    expect(len(held) == 64 and all(each == "0–63" for each in held), held[:3])
    page.focus(".player input[type=range]")
    page.key("Home")
    expect(page.run(title).startswith("start"), page.run(title))
    page.key("ArrowRight", 2)
    expect(page.run(title).endswith(f"2 of {last})"), page.run(title))
    page.key("ArrowLeft")
    expect(page.run(title).endswith(f"1 of {last})"), page.run(title))
    page.key("End")
    expect(page.run(title).endswith(f"{last} of {last})"), page.run(title))
    page.key("Home")
    page.key(" ")
    expect("Pause" in page.run("document.querySelector('.play').textContent"), "space does not play")
    page.run(f"""new Promise((done, fail) => {{ const end = performance.now() + 30000; const look = () =>
        document.querySelector('.player input[type=range]').value === '2' ? done() : performance.now() > end ? fail('it stands still') : setTimeout(look, 50); look(); }})""")
    page.key(" ")
    expect("Play" in page.run("document.querySelector('.play').textContent"), "space does not pause")
    page.click(".player input[value=line]")
    expect(page.run("document.querySelectorAll('.stage .rank').length") == 64, "ranks")
    expect(page.errors() == [], page.errors())
    page.close()
    # Every kind of schedule, to its end.
    page = site.open(site.report)
    for number, name in enumerate(SCHEDULES):
        page.run(f"(() => {{ const e = document.querySelector('#schedules > .controls select'); e.value = '{number}'; e.dispatchEvent(new Event('change')); }})()")
        page.run("document.querySelector('.player details').open = true")
        page.focus(".player input[type=range]")
        steps = page.run("+document.querySelector('.player input[type=range]').max")
        page.key("ArrowRight", steps)
        expect(page.run(title).endswith(f"{steps} of {steps})"), f"{name}: {page.run(title)}")
        held = page.run("[...document.querySelectorAll('.tables table:last-child tbody td.wrap')].map(e => e.textContent)")
        words = {"ring": "0–7", "rabenseifner": "over ranks 0-12", "large": "0–63", "barrier": "nothing"}
        expect(name not in words or all(words[name] in each for each in held), f"{name}: {held[:2]}")
    expect(page.errors() == [], page.errors())
    page.close()


LAYOUT = """(() => {
    const found = [];
    const box = e => e.getBoundingClientRect();
    const visible = e => e.checkVisibility() && box(e).width > 0 && box(e).height > 0;
    const name = e => `${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''} "${(e.textContent ?? '').trim().slice(0, 30)}"`;
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    // Nothing stands out of the section it is in, but what scrolls there.
    for (const part of document.querySelectorAll('main > section, header, footer')) {
        const outer = box(part);
        for (const e of part.querySelectorAll('*')) {
            if (!visible(e) || e.closest('.scroll') && !e.classList.contains('scroll') || e.closest('svg') && e.tagName !== 'svg') continue;
            const b = box(e);
            if (b.left < outer.left - 1 || b.right > outer.right + 1) found.push(`${name(e)} stands out of ${part.id || part.tagName}`);
        }
    }
    const overlap = (a, b) => { const x = box(a), y = box(b);
        return Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1; };
    const apart = (elements, where) => { const list = [...elements].filter(visible);
        for (let i = 0; i < list.length; ++i) for (let j = i + 1; j < list.length; ++j)
            if (overlap(list[i], list[j])) found.push(`${where}: ${name(list[i])} and ${name(list[j])} overlap`); };
    // Children that stand side by side or below each other.
    for (const e of document.querySelectorAll('body, main, main > section, header, nav, .controls, .legend, .tiles, .tile, .transport, .plots, .screen, .scene, .player, figure, dl, .bar-key, .ramp, .stage-key, .advice, .card'))
        apart([...e.children].filter(c => !['fixed', 'sticky', 'absolute'].includes(getComputedStyle(c).position)), e.id || e.className || e.tagName);
    // Labels of axes, and numbers of ranks.
    for (const e of document.querySelectorAll('.chart, .timeline')) apart(e.querySelectorAll('text'), e.getAttribute('class'));
    for (const e of document.querySelectorAll('svg text')) {
        const size = parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM()?.a ?? 1);
        if (visible(e) && size < 8.5) found.push(`${name(e)} is ${size.toFixed(1)} px high`);
    }
    const ranks = [...document.querySelectorAll('.stage .rank circle')].map(box);
    ranks.forEach((a, i) => ranks.slice(i + 1).forEach(b => {
        if (Math.hypot(a.x - b.x, a.y - b.y) < (a.width + b.width) / 2) found.push('two ranks overlap'); }));
    for (const e of document.querySelectorAll('.map tbody tr')) if (box(e).height > 100) found.push(`${name(e)} is ${box(e).height} high`);
    // Words that are cut off, but where an ellipsis says so.
    for (const e of document.querySelectorAll('button, h1, h2, h3, p, figcaption, th, td'))
        if (visible(e) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible' && getComputedStyle(e).textOverflow !== 'ellipsis') found.push(`${name(e)} is cut off`);
    return found.slice(0, 12);
})()"""

CONTRAST = """(() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgb = (...layers) => { canvas.clearRect(0, 0, 1, 1); for (const c of layers) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); } return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const light = ([r, g, b]) => { const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
    const ground = e => { const layers = []; for (; e; e = e.parentElement) { const s = getComputedStyle(e); const image = s.backgroundImage.match(/(?:rgba?|oklab|color)\\([^()]*\\)/); if (image) layers.push(image[0]); layers.push(s.backgroundColor); } return ['#fff', ...layers.reverse()]; };
    const found = [];
    for (const e of document.querySelectorAll('h1, h2, h3, p, td, th, td small, td span, button, label span, dt, dd, a, summary, li, .tile-note, .tile-name')) {
        if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || e.matches(':disabled, [aria-pressed=false]')) continue;
        const below = ground(e);
        const a = light(rgb(...below)), b = light(rgb(...below, getComputedStyle(e).color));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${e.tagName} ${e.className} "${e.textContent.slice(0, 30)}"`);
    }
    return found.slice(0, 8);
})()"""


def layout(site):
    """At several widths nothing overlaps or stands out; pictures are kept."""
    for path in (site.report, site.one, site.player):
        for width in (400, 800, 1600):
            page = site.open(path, width)
            if path == site.player:
                page.click(".transport button:nth-child(4)")
            found = page.run(LAYOUT)
            expect(found == [], f"{path.name} at {width}: {found}")
            page.picture(site.out / f"{path.stem}-{width}.png")
            # With all that can be unfolded.
            page.run("document.querySelectorAll('details').forEach(e => e.open = true)")
            page.settle()
            found = page.run(LAYOUT)
            expect(found == [], f"{path.name} at {width}, unfolded: {found}")
            page.close()


def themes(site):
    """The system's and the switch's; words can be read on both."""
    grounds = {}
    for dark in (False, True):
        for path in (site.report, site.player):
            page = site.open(path, 1600, dark)
            grounds[dark] = page.run("getComputedStyle(document.body).backgroundColor")
            found = page.run(CONTRAST)
            expect(found == [], f"{path.name}, {'dark' if dark else 'light'}: {found}")
            if dark:
                page.picture(site.out / f"{path.stem}-dark.png")
            page.close()
    expect(grounds[True] != grounds[False], grounds)
    for dark in (False, True):  # the switch has the last word
        page = site.open(site.one, 1600, dark)
        page.click(f"header input[value={'light' if dark else 'dark'}]")
        expect(page.run("getComputedStyle(document.body).backgroundColor") == grounds[not dark], "the switch")
        page.close()


def names(site):
    """What a screen reader meets has a name; tables have captions and heads; headings are in order."""
    page = site.open(site.report)
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    wanted = {"button", "link", "combobox", "radio", "slider", "searchbox", "textbox", "region", "image", "img", "table", "grid", "group", "navigation"}
    anonymous = [node["role"]["value"] for node in nodes if not node.get("ignored") and node["role"]["value"] in wanted - {"group"}
                 and not node.get("name", {}).get("value")]
    expect(anonymous == [], f"without a name: {anonymous[:10]}")
    bad = page.run("[...document.querySelectorAll('table')].filter(t => !t.caption?.textContent || !t.querySelector('thead th[scope=col]') || !t.querySelector('tbody th[scope=row]') && t.tBodies[0].rows.length > 0).length")
    expect(bad == 0, f"{bad} tables without caption or heads")
    levels = page.run("[...document.querySelectorAll('h1, h2, h3')].map(e => +e.tagName[1])")
    expect(levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), levels)
    expect(page.run("document.documentElement.lang") == "en", "lang")
    page.close()


def prints(site):
    """On paper every collective is there, in light colours."""
    page = site.open(site.one, 1280, True)
    page.run("dispatchEvent(new Event('beforeprint'))")
    figures = page.run("document.querySelectorAll('.paper figure').length")
    expect(figures == 2 * len(sample.ALGORITHMS), figures)
    expect(page.run("document.querySelectorAll('.paper-pair').length") == figures - 2  # a barrier has no sizes
           and page.run("[...document.querySelectorAll('.paper-pair')].every(e => e.querySelectorAll('svg.chart').length === 2)"),
           "no speed-up beside the time")
    page.run("dispatchEvent(new Event('afterprint'))")
    expect(page.run("document.querySelectorAll('.paper *').length") == 0, "paper's figures stay")
    page.paper(site.out / "one.pdf")
    text = (site.out / "one.pdf").read_bytes()
    pages = len(re.findall(rb"/Type\s*/Page\b", text))
    expect(text.startswith(b"%PDF") and pages >= 3, f"{pages} pages")
    page.close()
    # Whole tables, every call of a trace, every step of a schedule.
    page = site.open(site.report, 1280)
    rows = "document.querySelectorAll('#table tbody tr').length"
    counted = page.run("document.querySelector('#table .count').textContent").split()
    shown, all_rows = int(counted[0]), int(counted[2])
    expect(shown == page.run(rows) < all_rows, counted)
    steps = page.run("+document.querySelector('.player input[type=range]').max") + 1
    calls = page.run("document.querySelector('#timeline .trace select').options.length")
    page.run("dispatchEvent(new Event('beforeprint'))")
    expect(page.run(rows) == all_rows, f"{page.run(rows)} of {all_rows} rows on paper")
    expect(page.run("document.querySelectorAll('.paper-steps .stage').length") == steps, "steps on paper")
    expect(page.run("document.querySelectorAll('#timeline .paper > .timelines').length") == calls - 1, "calls on paper")
    page.run("dispatchEvent(new Event('afterprint'))")
    expect(page.run(rows) == shown, "the table stays long")
    page.paper(site.out / "report.pdf")
    page.close()


TESTS = [opens, curves_hold_the_numbers, tables_hold_the_numbers, records_hold_the_numbers, timelines_hold_the_numbers, mouse, keyboard, plays, layout, themes, names, prints]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tutti", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("tests", nargs="*", metavar="TEST", help=", ".join(test.__name__ for test in TESTS))
    options = parser.parse_args()
    if not browser.find():
        print("skipped: no chromium: install the package chromium")
        sys.exit(77)
    options.out.mkdir(parents=True, exist_ok=True)
    wanted = [test for test in TESTS if not options.tests or test.__name__ in options.tests]
    failed = 0
    with browser.Browser() as chromium:
        site = Site(options.tutti, options.out, chromium)
        for test in wanted:
            try:
                test(site)
                print(f"passed  {test.__name__}", flush=True)
            except (Wrong, browser.Failure) as why:
                failed += 1
                print(f"FAILED  {test.__name__}: {why}", flush=True)
                print(inspect.getdoc(test) or "", flush=True)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not wanted else 0)


main()
