// Maps of collectives by sizes: what is chosen and what it gains, and what the choice costs.

import { Data, Point, Series, isNative, shortName, takenBy, verdictOf } from "./data";
import { caption, h, section, segmented, tip } from "./dom";
import { formatBytes, formatRange, formatRatio, formatTime } from "./format";

interface Look { text: string; small?: string; tint?: string; class?: string; value?: number; lines: string[] }

/** How far a ratio is from 1, as a share of what is full colour. */
const strength = (ratio: number, full: number) => Math.min(1, Math.abs(Math.log2(ratio)) / Math.log2(full));

function describe(data: Data, series: Series, several: boolean): string {
  return [series.collective, `${series.p} ranks`, series.data, several ? data.results![series.file].file : ""]
    .filter((word) => word !== "").join(", ");
}

/** A table whose cells are the map's; arrow keys move, Enter opens the curves. */
function grid(heading: string, data: Data, series: Series[], look: (point: Point) => Look,
  open: (key: string) => void): HTMLElement {
  const sizes = [...new Set(series.flatMap((each) => each.points.map(({ cell }) => cell.bytes)))].sort((a, b) => a - b);
  const several = new Set(series.map((each) => each.file)).size > 1;
  const severalP = new Set(series.map((each) => each.p)).size > 1;
  const cells: HTMLElement[][] = [];
  const rows = series.map((each) => {
    const line: HTMLElement[] = [];
    const row = h("tr", {}, h("th", { scope: "row" }, each.collective,
      h("small", {}, [severalP ? `p = ${each.p}` : "", each.data, several ? data.results![each.file].file : ""].filter(Boolean).join(", "))));
    for (const bytes of sizes) {
      const point = each.points.find(({ cell }) => cell.bytes === bytes);
      if (!point) { row.append(h("td", { class: "none" })); continue; }
      const shown = look(point);
      const cell = h("td", { tabindex: -1, class: shown.class, style: shown.tint ? `--tint:${shown.tint}` : undefined,
        "data-value": shown.value, "aria-label": shown.lines.join("; ") }, h("span", {}, shown.text),
        shown.small ? h("small", {}, shown.small) : "");
      tip(cell, () => shown.lines);
      cell.addEventListener("click", () => open(each.key));
      line.push(cell);
      row.append(cell);
    }
    if (line.length > 0) cells.push(line);
    return row;
  });
  cells[0]?.[0]?.setAttribute("tabindex", "0");
  const table = h("table", { class: "map", role: "grid" }, caption(heading),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Collective"),
      ...sizes.map((bytes) => h("th", { scope: "col", class: "number" }, bytes > 0 ? formatBytes(bytes) : "no data")))),
    h("tbody", {}, ...rows));
  table.addEventListener("keydown", (event) => {
    const at = document.activeElement as HTMLElement;
    const y = cells.findIndex((line) => line.includes(at));
    if (y < 0) return;
    const x = cells[y].indexOf(at);
    const to: Record<string, [number, number]> = { ArrowLeft: [y, x - 1], ArrowRight: [y, x + 1], ArrowUp: [y - 1, x],
      ArrowDown: [y + 1, x], Home: [y, 0], End: [y, cells[y].length - 1] };
    if (event.key === "Enter") at.click();
    if (!(event.key in to)) return;
    event.preventDefault();
    const [row, column] = to[event.key];
    const line = cells[Math.max(0, Math.min(cells.length - 1, row))];
    const next = line[Math.max(0, Math.min(line.length - 1, column))];
    at.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  return h("div", { class: "scroll", role: "region", "aria-label": heading }, table);
}

const most = 120;  // rows of a map that people read

function limited(series: Series[]): [Series[], HTMLElement | ""] {
  return [series.slice(0, most), series.length > most
    ? h("p", { class: "note" }, `The first ${most} of ${series.length} rows; the table of wins and losses holds all.`) : ""];
}

export function decisionMap(data: Data, all: Series[], open: (key: string) => void): HTMLElement {
  const [series, note] = limited(all);
  const several = new Set(series.map((each) => each.file)).size > 1;
  const home = h("div");
  const byPoint = new Map(series.flatMap((each) => each.points.map((point) => [point, each] as const)));
  const draw = (mode: string) => {
    const look = (point: Point): Look => {
      const { cell, native, chosen, best } = point;
      const lines = [`${describe(data, byPoint.get(point)!, several)}, ${formatBytes(cell.bytes)} bytes`];
      if (cell.failure) return { text: "failed", class: "none", lines: [...lines, cell.failure] };
      let row = mode === "chosen" ? chosen : best;
      if (mode === "best" && native && best && native.us![0] < best.us![0]) row = native;
      const say = (name: string, each: typeof row) => each &&
        lines.push(`${name}: ${shortName(takenBy(each))}, ${formatTime(each.us![0])} (${formatRange(each.us!, formatTime)})`
          + (each.speed_up && !isNative(each.algorithm) ? `, ${formatRatio(each.speed_up[0])} times as fast (${formatRange(each.speed_up, formatRatio)})` : ""));
      say("Tutti's choice", chosen);
      say("Fastest of Tutti's", best);
      if (native) lines.push(`The MPI's own: ${formatTime(native.us![0])} (${formatRange(native.us!, formatTime)})`);
      if (cell.bound_us > 0) lines.push(`Lower bound: ${formatTime(cell.bound_us)}`);
      if (!row) return { text: "–", class: "none", lines };
      const ratio = isNative(takenBy(row)) && !row.taken ? undefined : row.speed_up;
      const verdict = verdictOf(ratio);
      const share = ratio ? Math.round(6 + 38 * strength(ratio[0], 8)) : 0;
      return { text: shortName(takenBy(row)), small: ratio ? `${formatRatio(ratio[0])} ×` : "", lines, value: ratio?.[0],
        class: verdict, tint: verdict === "faster" ? `color-mix(in oklab, var(--win) ${share}%, transparent)`
          : verdict === "slower" ? `color-mix(in oklab, var(--loss) ${share}%, transparent)` : undefined };
    };
    home.replaceChildren(grid(mode === "chosen" ? "What Tutti takes by itself, and its speed-up over the MPI's own"
      : "The fastest that was measured, and its speed-up over the MPI's own", data, series, look, open));
  };
  draw("chosen");
  return section("decisions", "Decision map",
    h("div", { class: "controls" },
      segmented("Show", [{ value: "chosen", label: "Tutti's choice" }, { value: "best", label: "Fastest" }], "chosen", draw),
      h("p", { class: "ramp" }, h("span", { class: "ramp-loss" }, "slower"), h("span", { class: "ramp-even" }, "within noise"),
        h("span", { class: "ramp-win" }, "faster than the MPI's own"))),
    home, note);
}

export function regretMap(data: Data, all: Series[], open: (key: string) => void): HTMLElement {
  const [series, note] = limited(all.filter((each) => each.points.some(({ cell }) => cell.regret)));
  const home = h("div");
  const draw = (mode: string) => {
    const look = (point: Point): Look => {
      const { cell, chosen } = point;
      const { regret } = cell;
      if (!regret) return { text: "–", class: "none", lines: ["not measured"] };
      const value = mode === "with" ? regret.with_native : regret.without_native;
      const best = mode === "with" ? regret.best : regret.best_without_native;
      const lines = [`${cell.collective}, ${cell.p} ranks, ${formatBytes(cell.bytes)} bytes`,
        `Taken: ${chosen ? shortName(takenBy(chosen)) : "?"}`, `Best: ${best ? shortName(best) : "–"}`,
        `Regret ${value.toFixed(3)}; noise ${regret.noise.toFixed(3)}`];
      if (value <= 0) return { text: "–", class: "none", lines };
      const share = value > 1.02 ? Math.round(8 + 36 * strength(value, 2)) : 0;
      return { text: value.toFixed(2), small: value > 1.02 && best ? shortName(best) : "", lines, value,
        class: value > 1.02 ? "regrets" : "", tint: share > 0 ? `color-mix(in oklab, var(--loss) ${share}%, transparent)` : undefined };
    };
    home.replaceChildren(grid(mode === "with" ? "Time of what was taken, over the best of all and the MPI's own"
      : "Time of what was taken, over the best of Tutti's", data, series, look, open));
  };
  draw("with");
  const shares = data.results!.filter((each) => each.regret).map((each) => {
    const line = (name: string, share: { cells: number; median: number; p95: number; most: number }) => h("tr", {},
      h("th", { scope: "row" }, name), ...[share.median, share.p95, share.most].map((value) =>
        h("td", { class: "number", "data-value": value }, value.toFixed(3))), h("td", { class: "number" }, share.cells));
    return h("div", { class: "scroll" }, h("table", { class: "data compact" },
      caption(`${each.file}: cells that the MPI's own wins: ${each.regret!.native_wins.length}`),
      h("thead", {}, h("tr", {}, ...["Regret", "Median", "95th percentile", "Most", "Cells"].map((name, i) =>
        h("th", { scope: "col", class: i > 0 ? "number" : "" }, name)))),
      h("tbody", {}, line("with the MPI's own", each.regret!.with_native), line("among Tutti's", each.regret!.without_native),
        line("noise", each.regret!.noise))));
  });
  return section("regret", "Regret map",
    h("p", { class: "note" }, "How much longer a call takes because of the choice that was made; 1 is the best choice."),
    h("div", { class: "controls" },
      segmented("Against", [{ value: "with", label: "all and the MPI's own" }, { value: "without", label: "Tutti's" }], "with", draw)),
    home, note, ...shares);
}
