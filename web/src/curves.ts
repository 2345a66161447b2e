// Time against size, and the ratio to the MPI's own, with one cursor for both.

import * as Plot from "@observablehq/plot";
import { Data, Median, Point, Row, Series, isNative, shortName, takenBy } from "./data";
import { caption, Choice, fresh, h, onPaper, section, segmented, select, svg } from "./dom";
import { formatBytes, formatRange, formatRatio, formatTime } from "./format";

const mostOnPaper = 60;

const symbols = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "plus", "times"] as const;
const colours = 7;

interface Style { colour: string; symbol: (typeof symbols)[number]; dash?: string; width: number }

interface Dot { x: number; bytes: number; value: Median; row: Row }
interface Curve { name: string; label: string; style: Style; dots: Dot[]; ratios: Dot[] }

const native: Style = { colour: "var(--native)", symbol: "square", dash: "7 3", width: 2.25 };
const chosen: Style = { colour: "var(--chosen)", symbol: "circle", width: 2 };

/** A log axis has no zero. */
const place = (bytes: number) => Math.max(bytes, 0.5);

function curvesOf(series: Series): Curve[] {
  const all = new Map<string, Curve>();
  let number = 0;
  for (const { cell } of series.points)
    for (const row of cell.rows) {
      if (!row.us) continue;
      if (!all.has(row.algorithm))
        all.set(row.algorithm, {
          name: row.algorithm,
          label: row.taken ? "Tutti's choice" : shortName(row.algorithm),
          style: isNative(row.algorithm) ? native : row.taken ? chosen
            : { colour: `var(--c${number % colours})`, symbol: symbols[number++ % symbols.length], width: 1.5 },
          dots: [], ratios: [] });
      const curve = all.get(row.algorithm)!;
      const dot = { x: place(cell.bytes), bytes: cell.bytes, row };
      curve.dots.push({ ...dot, value: row.us });
      if (row.speed_up) curve.ratios.push({ ...dot, value: row.speed_up });
    }
  return [...all.values()];
}

// Axes take `text`: of a log scale Plot's tickFormat names powers alone.
const timeTick = (us: number) => us >= 1e6 ? `${us / 1e6} s` : us >= 1e3 ? `${us / 1e3} ms` : `${us} µs`;

/** Sizes to name at an axis: as many as fit. */
function ticks(sizes: number[], width: number): number[] {
  const most = Math.max(2, Math.floor(width / 44));
  const step = Math.ceil(sizes.length / most);
  return sizes.filter((_, i) => i % step === 0);
}

/** 1, 2, 5, 10, ... within the range: as many as a log axis can name. */
function levels(low: number, high: number): number[] {
  const make = (digits: number[]) => {
    const list = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
      for (const digit of digits) {
        const value = Number(`${digit}e${power}`);
        if (value >= low && value <= high) list.push(value);
      }
    return list;
  };
  const fine = make([1, 2, 5]);
  return fine.length <= 8 ? fine : make([1]);
}

type Chart = (SVGSVGElement | HTMLElement) & Plot.Plot;
interface View { width: number; curves: Curve[]; series: Series; hot?: string }

function domain(values: number[]): [number, number] {
  const low = Math.min(...values), high = Math.max(...values);
  return [low / 1.25, high * 1.25];
}

function marks(view: View, dots: (curve: Curve) => Dot[], unit: (value: number) => string): Plot.Markish[] {
  const { curves, series, hot } = view;
  const list: Plot.Markish[] = [];
  const faded = (curve: Curve) => hot !== undefined && hot !== curve.name;
  // What Tutti takes, behind the algorithm that it is at each size.
  const taken = series.points.flatMap(({ cell, chosen: row }) => {
    const curve = row && curves.find((each) => each.name === row.algorithm);
    const dot = curve && dots(curve).find((each) => each.bytes === cell.bytes);
    return dot ? [dot] : [];
  });
  list.push(Plot.line(taken, { x: "x", y: (d: Dot) => d.value[0], stroke: "var(--chosen)", strokeWidth: 11,
    strokeOpacity: 0.22, strokeLinecap: "round", strokeLinejoin: "round", ariaLabel: () => "Tutti's choice" }));
  list.push(Plot.dot(taken, { x: "x", y: (d: Dot) => d.value[0], r: 8, fill: "none", stroke: "var(--chosen)",
    strokeWidth: 2, ariaLabel: () => "Tutti's choice" }));
  for (const curve of curves)
    list.push(Plot.areaY(dots(curve), { x: "x", y1: (d: Dot) => d.value[1], y2: (d: Dot) => d.value[2],
      fill: curve.style.colour, fillOpacity: faded(curve) ? 0.03 : 0.14 }));
  for (const curve of curves) {
    const { colour, symbol, dash, width } = curve.style;
    const opacity = faded(curve) ? 0.2 : 1;
    list.push(Plot.line(dots(curve), { x: "x", y: (d: Dot) => d.value[0], stroke: colour, strokeOpacity: opacity,
      strokeWidth: hot === curve.name ? width + 1.5 : width, strokeDasharray: dash }));
    list.push(Plot.ruleX(dots(curve), { x: "x", y1: (d: Dot) => d.value[1], y2: (d: Dot) => d.value[2],
      stroke: colour, strokeOpacity: opacity * 0.7 }));
    list.push(Plot.dot(dots(curve), { x: "x", y: (d: Dot) => d.value[0], symbol, r: 3.5, fill: colour,
      fillOpacity: opacity, strokeWidth: 0, stroke: colour, ariaLabel: (d: Dot) =>
        `${curve.label}, ${formatBytes(d.bytes)} bytes: ${unit(d.value[0])} (${formatRange(d.value, unit)})` }));
  }
  return list;
}

/** Times of one series, for the screen and for paper. */
function timeChart(view: View): Chart {
  const { width, curves, series } = view;
  const sizes = series.points.map(({ cell }) => place(cell.bytes));
  const bounds = series.points.filter(({ cell }) => cell.bound_us > 0);
  const values = [...curves.flatMap((curve) => curve.dots.flatMap((dot) => dot.value)),
                  ...bounds.map(({ cell }) => cell.bound_us)].filter((value) => value > 0);
  const [low, high] = domain(values);
  return Plot.plot({
    width, height: Math.max(300, Math.min(440, width * 0.62)), marginLeft: 58, marginRight: 14, marginBottom: 38,
    className: "chart", ariaLabel: `Time of ${series.collective} against size`,
    x: { type: "log", domain: [sizes[0], sizes.at(-1)!], label: null },
    y: { type: "log", domain: [low, high], label: null },
    marks: [
      Plot.gridY(levels(low, high), { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(ticks(sizes, width - 72), { text: (x: number) => formatBytes(x < 1 ? 0 : x), label: "bytes", labelArrow: "none", tickSize: 4 }),
      Plot.axisY(levels(low, high), { text: timeTick, label: "time", labelArrow: "none", tickSize: 4 }),
      Plot.line(bounds, { x: ({ cell }: Point) => place(cell.bytes), y: ({ cell }: Point) => cell.bound_us,
        stroke: "var(--bound)", strokeWidth: 1.75, strokeDasharray: "1 4", strokeLinecap: "round", ariaLabel: () => "Lower bound" }),
      ...marks(view, (curve) => curve.dots, formatTime),
    ],
  }) as Chart;
}

function ratioChart(view: View): Chart {
  const { width, curves, series } = view;
  const sizes = series.points.map(({ cell }) => place(cell.bytes));
  const ours = curves.filter((curve) => !isNative(curve.name));
  const [low, high] = domain([0.8, 1.25, ...ours.flatMap((curve) => curve.ratios.flatMap((dot) => dot.value))]
    .filter((value) => value > 0));
  return Plot.plot({
    width, height: Math.max(300, Math.min(440, width * 0.62)), marginLeft: 58, marginRight: 14, marginBottom: 38,
    className: "chart", ariaLabel: `Speed-up of ${series.collective} over the MPI's own, against size`,
    x: { type: "log", domain: [sizes[0], sizes.at(-1)!], label: null },
    y: { type: "log", domain: [low, high], label: null },
    marks: [
      Plot.gridY(levels(low, high), { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(ticks(sizes, width - 72), { text: (x: number) => formatBytes(x < 1 ? 0 : x), label: "bytes", labelArrow: "none", tickSize: 4 }),
      Plot.axisY(levels(low, high), { text: (x: number) => `${x} ×`, label: "faster than the MPI's own", labelArrow: "none", tickSize: 4 }),
      Plot.ruleY([1], { stroke: "var(--native)", strokeWidth: 2.25, strokeDasharray: "7 3" }),
      ...marks({ ...view, curves: ours }, (curve) => curve.ratios, (value) => `${formatRatio(value)} times`),
    ],
  }) as Chart;
}

/** One size only, as of a barrier: algorithms below each other. */
function dotChart(view: View): Chart {
  const { width, curves, series } = view;
  const bound = series.points[0].cell.bound_us;
  const rows = curves.flatMap((curve) => curve.dots.map((dot) => ({ ...dot, curve })))
    .sort((a, b) => a.value[0] - b.value[0]);
  const [low, high] = domain([...rows.flatMap((row) => row.value), ...(bound > 0 ? [bound] : [])].filter((v) => v > 0));
  const longest = Math.max(...rows.map((row) => row.curve.label.length));
  type Item = (typeof rows)[number];
  return Plot.plot({
    width, height: 60 + rows.length * 26, marginLeft: Math.min(width * 0.45, 16 + longest * 7), marginRight: 18,
    marginTop: 12, marginBottom: 38,
    className: "chart", ariaLabel: `Time of ${series.collective}, one size`,
    x: { type: "log", domain: [low, high], label: null },
    y: { type: "point", domain: rows.map((row) => row.curve.label), label: null },
    marks: [
      Plot.gridX(levels(low, high), { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(levels(low, high), { text: timeTick, label: "time", labelArrow: "none", tickSize: 4 }),
      Plot.axisY({ tickSize: 0, label: null }),
      ...(bound > 0 ? [Plot.ruleX([bound], { stroke: "var(--bound)", strokeWidth: 1.75, strokeDasharray: "1 4", strokeLinecap: "round" })] : []),
      Plot.dot(rows.filter((row) => row.row.chosen), { x: (d: Item) => d.value[0], y: (d: Item) => d.curve.label, r: 9,
        stroke: "var(--chosen)", strokeWidth: 2, fill: "var(--chosen)", fillOpacity: 0.18 }),
      Plot.ruleY(rows, { x1: (d: Item) => d.value[1], x2: (d: Item) => d.value[2], y: (d: Item) => d.curve.label,
        stroke: (d: Item) => d.curve.style.colour, strokeWidth: 4, strokeOpacity: 0.35 }),
      Plot.dot(rows, { x: (d: Item) => d.value[0], y: (d: Item) => d.curve.label, r: 4,
        fill: (d: Item) => d.curve.style.colour, ariaLabel: (d: Item) =>
          `${d.curve.label}, ${formatBytes(d.bytes)} bytes: ${formatTime(d.value[0])} (${formatRange(d.value, formatTime)})` }),
    ],
    color: { type: "identity" },
  }) as Chart;
}

function swatch(style: Style | "bound" | "chosen"): SVGSVGElement {
  const icon = svg("svg", { width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true", class: "swatch" });
  if (style === "bound")
    icon.append(svg("line", { x1: 2, y1: 7, x2: 24, y2: 7, stroke: "var(--bound)", "stroke-width": 2,
      "stroke-dasharray": "1 4", "stroke-linecap": "round" }));
  else if (style === "chosen")
    icon.append(svg("line", { x1: 6, y1: 7, x2: 20, y2: 7, stroke: "var(--chosen)", "stroke-width": 10, "stroke-opacity": 0.22, "stroke-linecap": "round" }),
      svg("circle", { cx: 13, cy: 7, r: 5.5, fill: "none", stroke: "var(--chosen)", "stroke-width": 2 }));
  else {
    icon.append(svg("line", { x1: 1, y1: 7, x2: 25, y2: 7, stroke: style.colour, "stroke-width": style.width, "stroke-dasharray": style.dash }));
    // The same symbol as in the chart.
    const mark = Plot.plot({ width: 26, height: 14, margin: 0, axis: null, x: { domain: [0, 1] }, y: { domain: [0, 1] },
      marks: [Plot.dot([[0.5, 0.5]], { symbol: style.symbol, r: 4, fill: style.colour, stroke: style.colour, strokeWidth: 0 })] });
    const path = mark.querySelector("path, circle");
    if (path) {
      const group = svg("g", { fill: style.colour });
      group.append(path);
      icon.append(group);
    }
  }
  return icon;
}

export interface Curves { element: HTMLElement; open: (key: string) => void }

export function curves(data: Data, series: Series[]): Curves {
  const results = data.results!;
  let now = series.find((each) => each.points.length > 1) ?? series[0];
  let list: Curve[] = [];
  let hidden = new Set<string>();
  let hot: string | undefined;
  let cursor = 0;  // into the points
  let charts: { chart: Chart; line?: SVGLineElement }[] = [];

  const controls = h("div", { class: "controls" });
  const legend = h("div", { class: "legend", role: "group", "aria-label": "Curves: press to hide or show" });
  const plots = h("div", { class: "plots" });
  const readout = h("div", { class: "readout", "aria-live": "polite" });
  const values = h("details", { class: "values" });

  const visible = () => list.filter((curve) => !hidden.has(curve.name));

  function drawControls(): void {
    const find = (wanted: Partial<Series>) => {
      const matches = (each: Series, fields: (keyof Series)[]) =>
        fields.every((field) => wanted[field] === undefined || each[field] === wanted[field]);
      const order: (keyof Series)[][] = [["file", "collective", "p", "data"], ["file", "collective", "p"],
        ["file", "collective"], ["file"]];
      for (const fields of order) {
        const found = series.find((each) => matches(each, fields));
        if (found) return found;
      }
      return series[0];
    };
    const choose = (change: Partial<Series>) => open(find({ file: now.file, collective: now.collective, p: now.p,
      data: now.data, ...change }).key, true);
    const unique = <T,>(items: T[]) => [...new Set(items)];
    const here = series.filter((each) => each.file === now.file);
    const same = here.filter((each) => each.collective === now.collective);
    const files = unique(series.map((each) => each.file));
    const make = (name: string, items: Choice[], value: string, change: (value: string) => void) =>
      items.length > 1 ? select(name, items, value, change) : null;
    const ps = unique(same.map((each) => each.p));
    const datas = unique(same.filter((each) => each.p === now.p).map((each) => each.data));
    controls.replaceChildren(...[
      make("Results", files.map((file) => ({ value: String(file), label: results[file].file })), String(now.file),
        (value) => choose({ file: Number(value) })),
      select("Collective", unique(here.map((each) => each.collective)).map((name) => ({ value: name, label: name })),
        now.collective, (value) => choose({ collective: value })),
      ps.length > 1 && ps.length <= 5
        ? segmented("Ranks", ps.map((p) => ({ value: String(p), label: String(p) })), String(now.p), (value) => choose({ p: Number(value) }))
        : make("Ranks", ps.map((p) => ({ value: String(p), label: String(p) })), String(now.p), (value) => choose({ p: Number(value) })),
      make("Data", datas.map((name) => ({ value: name, label: name || "usual" })), now.data, (value) => choose({ data: value })),
    ].filter((each) => each !== null));
  }

  function drawLegend(): void {
    const heat = (name: string | undefined) => { if (hot !== name) { hot = name; drawPlots(); } };
    legend.replaceChildren(
      ...list.map((curve) => {
        const button = h("button", { type: "button", class: "key", "aria-pressed": !hidden.has(curve.name) ? "true" : "false" },
          swatch(curve.style), h("span", {}, curve.label));
        button.addEventListener("click", () => {
          if (!hidden.delete(curve.name)) hidden.add(curve.name);
          button.setAttribute("aria-pressed", String(!hidden.has(curve.name)));
          drawPlots();
        });
        button.addEventListener("pointerenter", () => heat(curve.name));
        button.addEventListener("pointerleave", () => heat(undefined));
        button.addEventListener("focus", () => { if (button.matches(":focus-visible")) heat(curve.name); });
        button.addEventListener("blur", () => heat(undefined));
        return button;
      }),
      h("span", { class: "key still" }, swatch("chosen"), h("span", {}, "Tutti's choice")),
      now.points.some(({ cell }) => cell.bound_us > 0)
        ? h("span", { class: "key still" }, swatch("bound"), h("span", {}, "lower bound")) : "");
  }

  function drawPlots(): void {
    const single = now.points.length === 1;
    const room = plots.clientWidth || 900;
    const two = room >= 880 && !single;
    const width = Math.floor(two ? (room - 24) / 2 : room);
    plots.classList.toggle("two", two);
    const view: View = { width, curves: visible(), series: now, hot };
    const frame = (heading: string, chart: Chart) => {
      charts.push({ chart });
      return h("figure", {}, h("figcaption", {}, heading), chart);
    };
    charts = [];
    const figures = [];
    if (view.curves.length === 0) figures.push(h("p", { class: "empty" }, "All curves are hidden."));
    else if (single) figures.push(frame("Time, slowest rank, median and 95 % interval", dotChart(view)));
    else {
      figures.push(frame("Time of the slowest rank, median and 95 % interval", timeChart(view)));
      if (view.curves.some((curve) => !isNative(curve.name) && curve.ratios.length > 0))
        figures.push(frame("Speed-up over the MPI's own, call by call", ratioChart(view)));
    }
    plots.replaceChildren(...figures);
    if (single) return;
    for (const each of charts) {
      const { chart } = each;
      const drawing = chart instanceof SVGSVGElement ? chart : chart.querySelector("svg")!;
      each.line = svg("line", { class: "cursor", y1: 20, y2: Number(drawing.getAttribute("height")) - 38 });
      drawing.append(each.line);
      chart.addEventListener("pointermove", (event) => {
        const box = drawing.getBoundingClientRect();
        if (box.width === 0) return;  // it was just drawn anew
        const x = ((event as PointerEvent).clientX - box.left) * (Number(drawing.getAttribute("width")) / box.width);
        const scale = chart.scale("x")!;
        let nearest = 0;
        const distance = (i: number) => Math.abs(scale.apply(place(now.points[i].cell.bytes)) - x);
        for (let i = 1; i < now.points.length; ++i) if (distance(i) < distance(nearest)) nearest = i;
        move(nearest);
      });
    }
    drawCursor();
  }

  function drawCursor(): void {
    for (const { chart, line } of charts) {
      const x = chart.scale("x")?.apply(place(now.points[cursor].cell.bytes));
      line?.setAttribute("x1", String(x));
      line?.setAttribute("x2", String(x));
    }
  }

  function move(to: number): void {
    const next = Math.max(0, Math.min(now.points.length - 1, to));
    if (next === cursor) return;
    cursor = next;
    drawCursor();
    drawReadout();
  }

  const slider = h("div", { class: "slider", role: "slider", tabindex: 0, "aria-label": "Size under the cursor; arrow keys move it" });
  slider.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowRight: cursor + 1, ArrowUp: cursor + 1, ArrowLeft: cursor - 1,
      ArrowDown: cursor - 1, Home: 0, End: now.points.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    move(steps[event.key]);
  });
  slider.append(plots);

  function drawReadout(): void {
    const { cell, native: own } = now.points[cursor];
    const rows = cell.rows.filter((row) => row.us).sort((a, b) => a.us![0] - b.us![0]);
    const size = cell.collective === "barrier" ? "" : ` at ${formatBytes(cell.bytes)} bytes`;
    slider.setAttribute("aria-valuemin", "0");
    slider.setAttribute("aria-valuemax", String(now.points.length - 1));
    slider.setAttribute("aria-valuenow", String(cursor));
    slider.setAttribute("aria-valuetext", rows.length === 0 ? `${formatBytes(cell.bytes)} bytes: not measured`
      : `${formatBytes(cell.bytes)} bytes: fastest ${shortName(takenBy(rows[0]))}, ${formatTime(rows[0].us![0])}`
        + (own ? `; the MPI's own ${formatTime(own.us![0])}` : ""));
    const style = new Map(list.map((curve) => [curve.name, curve.style]));
    const gaps = cell.rows.filter((row) => row.unmet);
    readout.replaceChildren(
      h("h3", {}, `${cell.collective}, ${cell.p} ranks${now.data ? `, ${now.data}` : ""}${size}`),
      cell.failure ? h("p", { class: "alert" }, cell.failure) : "",
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Values at the cursor" },
        h("table", { class: "data compact" },
          caption(cell.bound_us > 0 ? `Lower bound ${formatTime(cell.bound_us)}; fastest first` : "Fastest first"),
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Algorithm"), h("th", { scope: "col", class: "number" }, "Time"),
            h("th", { scope: "col", class: "number" }, "95 % interval"), h("th", { scope: "col", class: "number" }, "Speed-up"),
            h("th", { scope: "col", class: "number" }, "× bound"), h("th", { scope: "col", class: "number" }, "Samples"))),
          h("tbody", {}, ...rows.map((row) => h("tr", { class: row.chosen ? "is-chosen" : "" },
            h("th", { scope: "row" }, swatch(style.get(row.algorithm)!), " ",
              row.taken ? `Tutti's choice: ${shortName(row.taken)}` : shortName(row.algorithm),
              row.chosen && !row.taken ? h("span", { class: "badge" }, "chosen") : "",
              row.correct ? "" : h("span", { class: "badge wrong" }, "wrong result")),
            h("td", { class: "number", "data-value": row.us![0] }, formatTime(row.us![0])),
            h("td", { class: "number" }, formatRange(row.us!, formatTime)),
            h("td", { class: "number", "data-value": row.speed_up?.[0] },
              row.speed_up && !isNative(row.algorithm) ? `${formatRatio(row.speed_up[0])} ×` : "–"),
            h("td", { class: "number", "data-value": row.over_bound }, row.over_bound === undefined ? "–" : formatRatio(row.over_bound)),
            h("td", { class: "number" }, row.repetitions)))))),
      gaps.length === 0 ? "" : h("p", { class: "note" },
        `Not measured: ${gaps.map((row) => `${shortName(row.algorithm)} (${row.unmet})`).join("; ")}`));
  }

  function drawValues(): void {
    values.replaceChildren(h("summary", {}, "All values of these curves as a table"));
    const fill = () => {
      if (!values.open || values.querySelector("table")) return;
      values.append(h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All values" },
        h("table", { class: "data compact" },
          caption(`${now.collective}, ${now.p} ranks${now.data ? `, ${now.data}` : ""}: median time and 95 % interval`),
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Algorithm"),
            ...now.points.map(({ cell }) => h("th", { scope: "col", class: "number" }, formatBytes(cell.bytes))))),
          h("tbody", {},
            h("tr", {}, h("th", { scope: "row" }, "lower bound"), ...now.points.map(({ cell }) =>
              h("td", { class: "number", "data-value": cell.bound_us }, cell.bound_us > 0 ? formatTime(cell.bound_us) : "–"))),
            ...list.map((curve) => h("tr", { "data-algorithm": curve.name }, h("th", { scope: "row" }, curve.label),
              ...now.points.map(({ cell }) => {
                const dot = curve.dots.find((each) => each.bytes === cell.bytes);
                return dot ? h("td", { class: `number${dot.row.chosen ? " is-chosen" : ""}`, "data-value": dot.value[0],
                    title: formatRange(dot.value, formatTime) }, formatTime(dot.value[0]))
                  : h("td", { class: "number" }, "–");
              })))))));
    };
    values.ontoggle = fill;
    fill();
  }

  function open(key: string, keepFocus = false): void {
    const found = series.find((each) => each.key === key);
    if (!found) return;
    const active = keepFocus ? document.activeElement?.closest("label, fieldset")?.querySelector("span, legend")?.textContent : undefined;
    const checked = document.activeElement instanceof HTMLInputElement ? document.activeElement.value : undefined;
    now = found;
    hidden = new Set();
    hot = undefined;
    list = curvesOf(now);
    cursor = Math.floor((now.points.length - 1) / 2);
    drawControls();
    // Controls were made anew: the one that was in use keeps the focus.
    if (active)
      for (const each of controls.children)
        if (each.querySelector("span, legend")?.textContent === active || each.textContent?.includes(active))
          (each.querySelector(checked ? `input[value="${checked}"]` : "select") as HTMLElement | null)?.focus();
    drawLegend();
    drawPlots();
    drawReadout();
    drawValues();
  }

  let known = 0;
  new ResizeObserver(() => {
    if (plots.clientWidth === known) return;
    known = plots.clientWidth;
    requestAnimationFrame(drawPlots);
  }).observe(plots);

  // Paper has no controls: it gets every collective, as many as it can bear.
  const measured = series.filter((each) => each.points.some((point) => point.cell.rows.some((row) => row.us)));
  const figure = (each: Series) => {
    const single = each.points.length === 1;
    const view: View = { width: single ? 660 : 330, curves: curvesOf(each), series: each };
    const compares = !single && view.curves.some((curve) => !isNative(curve.name) && curve.ratios.length > 0);
    return h("figure", {}, h("figcaption", {}, `${each.collective}, ${each.p} ranks${each.data ? `, ${each.data}` : ""}: time against size`
      + (compares ? ", and speed-up over the MPI's own" : "")),
      single ? dotChart(view) : h("div", { class: "paper-pair" }, timeChart(view), compares ? ratioChart(view) : ""),
      h("p", { class: "paper-legend" }, ...view.curves.map((curve) => h("span", { class: "key still" }, swatch(curve.style), h("span", {}, curve.label))),
        h("span", { class: "key still" }, swatch("chosen"), h("span", {}, "Tutti's choice")),
        h("span", { class: "key still" }, swatch("bound"), h("span", {}, "lower bound"))));
  };
  const paper = onPaper(() => [...measured.slice(0, mostOnPaper).map(figure),
    measured.length > mostOnPaper ? h("p", { class: "note" }, `${measured.length - mostOnPaper} more are not printed.`) : ""]);

  const help = fresh("help");
  slider.setAttribute("aria-describedby", help);
  const element = section("curves", "Time against size", controls,
    h("p", { id: help, class: "note" }, "Point at a size, or focus the charts and use the arrow keys, to read its values below."),
    legend, slider, readout, values, paper);
  queueMicrotask(() => open(now.key));
  return { element, open: (key) => open(key) };
}
