// Plays schedules step by step: who sends to whom, who holds what, and what it has cost so far.

import { Film } from "./data";
import { caption, fresh, h, hideTip, onPaper, section, segmented, select, showTip, svg } from "./dom";
import { formatBytes, formatTime } from "./format";

type Holdings = Int32Array[];  // of each rank: the set that each part is combined over, or -1

const frameTime = 1100;  // ms for a step at normal speed
const leastText = 9;     // px: smaller numbers of ranks cannot be read
const mostOnPaper = 24;

/** What every rank holds after each scene. */
function holdingsOf(film: Film): Holdings[] {
  let now: Holdings = Array.from({ length: film.p }, () => new Int32Array(film.parts.length).fill(-1));
  return film.scenes.map(({ changes }) => {
    const next = [...now];
    const copied = new Set<number>();
    for (let i = 0; i < changes.length; i += 4) {
      const [rank, first, last, set] = changes.slice(i, i + 4);
      if (!copied.has(rank)) {
        next[rank] = next[rank].slice();
        copied.add(rank);
      }
      next[rank].fill(set, first, last + 1);
    }
    return now = next;
  });
}

/** `A-C, F` of the parts that hold; how many more. */
function runs(film: Film, parts: number[], most: number): string {
  const words: string[] = [];
  let rest = 0;
  for (let i = 0; i < parts.length; ++i) {
    const first = i;
    while (i + 1 < parts.length && parts[i + 1] === parts[i] + 1) ++i;
    if (words.length === most) rest += i - first + 1;
    else words.push(first === i ? film.parts[parts[i]] : `${film.parts[parts[first]]}–${film.parts[parts[i]]}`);
  }
  return words.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function describeHeld(film: Film, held: Int32Array, most = 6): string[] {
  const combines = film.sets.some(([size]) => size > 1);
  const bySet = new Map<number, number[]>();
  held.forEach((set, part) => {
    if (set < 0) return;
    const key = combines ? set : 0;
    if (!bySet.has(key)) bySet.set(key, []);
    bySet.get(key)!.push(part);
  });
  if (bySet.size === 0) return ["nothing"];
  return [...bySet].map(([set, parts]) => {
    const text = runs(film, parts, most);
    return combines ? `${text} over ${film.sets[set][0] > 1 ? "ranks" : "rank"} ${film.sets[set][1]}` : text;
  });
}

interface Place { x: number; y: number }

/** Ranks and messages as a picture that changes with the step. */
class Stage {
  readonly element: SVGSVGElement;
  private places: Place[] = [];
  private readonly nodes: SVGGElement[] = [];
  private readonly arrows = svg("g");
  private readonly movers = svg("g");
  private readonly ring = svg("g");
  private readonly head = fresh("head");
  private radius = 12;
  private shape = "circle";
  private readonly most: number;  // contributions that a rank may hold
  private paths: { path: SVGPathElement; mover: SVGCircleElement; length: number }[] = [];

  constructor(private readonly film: Film) {
    this.element = svg("svg", { class: "stage", role: "img", "aria-label": "Ranks and the messages of this step" });
    const marker = (kind: string, colour: string) => svg("marker", { id: `${this.head}-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
      markerHeight: 7, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" }, svg("path", { d: "M0,0.6 L8,4 L0,7.4 z", fill: colour }));
    this.element.append(svg("defs", {}, marker("move", "var(--chosen)"), marker("combine", "var(--native)")),
      this.arrows, this.ring, this.movers);
    for (let rank = 0; rank < film.p; ++rank) {
      const node = svg("g", { class: "rank" }, svg("circle"), svg("text", { "text-anchor": "middle", dy: "0.35em" }, rank));
      this.nodes.push(node);
      this.ring.append(node);
    }
    const parts = film.collective.startsWith("alltoall") ? film.parts.length / film.p : film.parts.length;
    this.most = parts * Math.max(1, ...film.sets.map(([size]) => size));
    this.lay("circle");
  }

  lay(shape: string): void {
    this.shape = shape;
    const { p } = this.film;
    const width = 620;
    let height = 620;
    if (shape === "circle") {
      const around = p <= 2 ? 150 : 262;
      this.radius = Math.max(9, Math.min(22, (Math.PI * around) / p * 0.82));
      this.places = Array.from({ length: p }, (_, rank) => {
        const angle = (rank / p) * 2 * Math.PI - Math.PI / 2;
        return { x: width / 2 + around * Math.cos(angle), y: 310 + around * Math.sin(angle) };
      });
    } else {
      // On lines of at most 16, so that numbers can be read.
      const columns = Math.min(p, 16), lines = Math.ceil(p / columns);
      const gap = (width - 50) / columns;
      this.radius = Math.max(9, Math.min(20, gap * 0.36));
      const rise = lines === 1 ? 0 : 96;
      height = lines === 1 ? 330 : 90 + lines * rise;
      this.places = Array.from({ length: p }, (_, rank) => ({
        x: 25 + gap * (rank % columns + 0.5), y: (lines === 1 ? 210 : 75) + Math.floor(rank / columns) * rise }));
    }
    const text = Math.max(9.5, this.radius * 0.85);
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.style.minWidth = `${Math.ceil(width * leastText / text)}px`;
    this.nodes.forEach((node, rank) => {
      node.setAttribute("transform", `translate(${this.places[rank].x},${this.places[rank].y})`);
      node.querySelector("circle")!.setAttribute("r", String(this.radius));
      node.querySelector("text")!.setAttribute("font-size", String(text));
    });
  }

  private path(from: number, to: number): string {
    const a = this.places[from], b = this.places[to];
    const dx = b.x - a.x, dy = b.y - a.y;
    const far = Math.hypot(dx, dy) || 1;
    // Bent to one side, so that an exchange is two arrows.
    let bend = this.shape === "circle" ? Math.min(46, far * 0.13) : -Math.min(150, 14 + far * 0.3);
    if (this.shape === "line" && dy !== 0) bend = Math.min(60, far * 0.15);
    // Neighbours on the circle touch almost: their arrows go around, outside or inside.
    if (this.shape === "circle" && far < 4 * this.radius) bend = -2.1 * this.radius;
    const mid = { x: (a.x + b.x) / 2 - (dy / far) * bend, y: (a.y + b.y) / 2 + (dx / far) * bend };
    const trim = (end: Place, by: number): Place => {
      const ex = mid.x - end.x, ey = mid.y - end.y, length = Math.hypot(ex, ey) || 1;
      return { x: end.x + (ex / length) * by, y: end.y + (ey / length) * by };
    };
    const start = trim(a, this.radius + 1), end = trim(b, this.radius + 3);
    return `M${start.x.toFixed(1)},${start.y.toFixed(1)} Q${mid.x.toFixed(1)},${mid.y.toFixed(1)} ${end.x.toFixed(1)},${end.y.toFixed(1)}`;
  }

  show(index: number, held: Holdings, hotRank: number | undefined): void {
    const scene = this.film.scenes[index];
    const many = scene.messages.length > 80;
    const active = new Set<number>();
    this.paths = [];
    this.movers.replaceChildren();
    this.arrows.replaceChildren(...scene.messages.filter(([from, to]) => from !== to).map(([from, to, combines, bytes, what]) => {
      active.add(from).add(to);
      const path = svg("path", { d: this.path(from, to), class: combines ? "message combine" : "message",
        "marker-end": `url(#${this.head}-${combines ? "combine" : "move"})`, "stroke-width": many ? 1 : 1.75,
        opacity: hotRank === undefined || hotRank === from || hotRank === to ? many ? 0.7 : 1 : 0.12 },
        svg("title", {}, `${from} → ${to}: ${what || "a signal"}, ${formatBytes(bytes)} bytes${combines ? ", combined" : ""}`));
      const mover = svg("circle", { r: many ? 2.5 : 4, class: combines ? "mover combine" : "mover", visibility: "hidden" });
      this.movers.append(mover);
      this.paths.push({ path, mover, length: 0 });
      return path;
    }));
    const local = new Set([...(scene.copies ?? []), ...(scene.reductions ?? [])]);
    const most = this.most;
    this.nodes.forEach((node, rank) => {
      node.classList.toggle("active", active.has(rank));
      node.classList.toggle("local", local.has(rank));
      node.classList.toggle("hot", rank === hotRank);
      const share = held[rank].reduce((sum, set) => sum + (set >= 0 ? this.film.sets[set][0] : 0), 0) / Math.max(1, most);
      node.style.setProperty("--share", `${Math.round(Math.min(1, share) * 42)}%`);
    });
  }

  /** Moves a dot along every arrow: 0 at the sender, 1 at the receiver. */
  travel(share: number): void {
    for (const each of this.paths) {
      if (share <= 0 || share >= 1) { each.mover.setAttribute("visibility", "hidden"); continue; }
      each.length ||= each.path.getTotalLength();
      const at = each.path.getPointAtLength(each.length * share);
      each.mover.setAttribute("cx", String(at.x));
      each.mover.setAttribute("cy", String(at.y));
      each.mover.setAttribute("visibility", "visible");
    }
  }
}

/** Rows are ranks, columns parts, or, where parts are pairs of ranks, places. */
class Board {
  readonly element = h("div", { class: "board" });
  private readonly canvas = h("canvas", { role: "img", "aria-label": "Who holds what: a row for each rank; the table below says it in words" });
  private readonly pairs: boolean;
  private readonly combines: boolean;
  private readonly columns: number;
  private cell = { width: 10, height: 10 };
  private held: Holdings = [];
  private before: Holdings | undefined;
  private readonly left = 34;
  private readonly top = 18;

  constructor(private readonly film: Film, hover: (rank: number | undefined) => void) {
    this.pairs = film.collective.startsWith("alltoall");
    this.combines = film.sets.some(([size]) => size > 1);
    this.columns = this.pairs ? Math.max(film.p, 1) : Math.max(1, film.parts.length);
    this.element.append(this.canvas);
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const rank = Math.floor((event.clientY - box.top - this.top) / this.cell.height);
      const column = Math.floor((event.clientX - box.left - this.left) / this.cell.width);
      if (rank < 0 || rank >= film.p || this.held.length === 0) { hover(undefined); hideTip(); return; }
      hover(rank);
      const part = this.partAt(this.held[rank], column);
      const lines = [`rank ${rank} holds`, ...describeHeld(film, this.held[rank])];
      if (part !== undefined && this.held[rank][part] >= 0)
        lines.push(this.pairs ? `here: ${film.parts[part]}, for rank ${film.owners[part]}`
          : `here: ${film.parts[part]}${this.combines ? ` over ${film.sets[this.held[rank][part]][0]} of ${film.p} ranks` : ""}`);
      const spot = new DOMRect(event.clientX - 4, event.clientY - 4, 8, 8);
      showTip({ getBoundingClientRect: () => spot } as unknown as Element, lines);
    });
    this.canvas.addEventListener("pointerleave", () => { hover(undefined); hideTip(); });
    new ResizeObserver(() => this.draw()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  private partAt(held: Int32Array, column: number): number | undefined {
    if (column < 0 || column >= this.columns) return undefined;
    if (!this.pairs) return column;
    let seen = 0;
    for (let part = 0; part < held.length; ++part) if (held[part] >= 0 && seen++ === column) return part;
    return undefined;
  }

  show(held: Holdings, before: Holdings | undefined): void {
    this.held = held;
    this.before = before;
    this.draw();
  }

  private draw(): void {
    const { film } = this;
    const room = this.element.clientWidth;
    if (room === 0 || this.held.length === 0) return;
    const width = Math.max(1.5, Math.min(30, (room - this.left - 2) / this.columns));
    const height = film.p <= 16 ? 24 : film.p <= 32 ? 16 : film.p <= 64 ? 10 : 7;
    this.cell = { width, height };
    const full = this.left + width * this.columns + 2, tall = this.top + height * film.p + 2;
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.ceil(full * scale);
    this.canvas.height = Math.ceil(tall * scale);
    this.canvas.style.width = `${full}px`;
    this.canvas.style.height = `${tall}px`;
    const context = this.canvas.getContext("2d")!;
    context.scale(scale, scale);
    // Colours as the page has them now: canvas knows no variables.
    const probe = getComputedStyle(this.element);
    const dark = probe.getPropertyValue("--is-dark").trim() === "1";
    const ink = probe.color;
    const family = probe.fontFamily;
    const hue = (share: number) => `oklch(${dark ? 0.72 : 0.68} 0.13 ${(share * 330 + 20).toFixed(0)})`;
    const shade = (share: number) => dark ? `oklch(${(0.36 + 0.42 * share).toFixed(3)} ${(0.05 + 0.08 * share).toFixed(3)} 240)`
      : `oklch(${(0.9 - 0.42 * share).toFixed(3)} ${(0.03 + 0.1 * share).toFixed(3)} 245)`;
    const gapX = width > 5 ? 1 : 0, gapY = height > 5 ? 1 : 0;
    context.font = `${Math.min(12, Math.max(8, height - 1))}px ${family}`;
    context.textBaseline = "middle";
    const named = height >= 10 ? 1 : 2;
    for (let rank = 0; rank < film.p; ++rank) {
      const y = this.top + rank * height;
      context.fillStyle = ink;
      context.textAlign = "right";
      if (rank % named === 0) context.fillText(String(rank), this.left - 7, y + height / 2);
      let column = 0;
      const held = this.held[rank];
      for (let part = 0; part < held.length; ++part) {
        const set = held[part];
        if (this.pairs && set < 0) continue;
        const x = this.left + (this.pairs ? column++ : part) * width;
        if (this.pairs && column > this.columns) break;
        if (set < 0) {
          if (width > 3) {
            context.globalAlpha = 0.07;
            context.fillStyle = ink;
            context.fillRect(x, y, width - gapX, height - gapY);
            context.globalAlpha = 1;
          }
          continue;
        }
        context.fillStyle = this.combines ? shade(film.sets[set][0] / film.p)
          : film.owners[part] >= 0 ? hue(film.owners[part] / film.p) : shade(0.75);
        context.fillRect(x, y, width - gapX, height - gapY);
        if (this.before && this.before[rank][part] !== set && width > 4 && height > 5) {
          context.strokeStyle = ink;
          context.lineWidth = 1.5;
          context.strokeRect(x + 0.75, y + 0.75, width - gapX - 1.5, height - gapY - 1.5);
        }
        if (width >= 22 && height >= 16 && film.parts[part].length <= 4) {
          context.fillStyle = this.combines && film.sets[set][0] / film.p > 0.55 && !dark ? "#fff" : dark && !this.combines ? "#14171c"
            : this.combines && dark ? film.sets[set][0] / film.p > 0.5 ? "#14171c" : "#e8ebf0" : "#1b2027";
          context.textAlign = "center";
          context.fillText(film.parts[part], x + (width - gapX) / 2, y + height / 2);
        }
      }
    }
    context.fillStyle = ink;
    context.textAlign = "left";
    context.font = `11px ${family}`;
    context.fillText(this.pairs ? "blocks it holds, coloured by the rank they are for"
      : this.combines ? "parts; darker: more ranks combined" : "parts", this.left, 8);
  }
}

function player(film: Film): HTMLElement {
  const holdings = holdingsOf(film);
  const last = film.scenes.length - 1;
  const total = film.scenes[last]?.us ?? 0;
  let at = 0, playing = false, speed = 1, begun = 0, request = 0, shape = "circle";
  let hot: number | undefined;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const stage = new Stage(film);
  const board = new Board(film, (rank) => { if (rank !== hot) { hot = rank; stage.show(at, holdings[at], hot); } });
  const icon = (shape: string) => svg("svg", { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true", class: "icon" },
    svg("path", { d: shape, fill: "currentColor" }));
  const button = (label: string, shape: string, act: () => void) => {
    const made = h("button", { type: "button", "aria-label": label, title: label }, icon(shape));
    made.addEventListener("click", act);
    return made;
  };
  const right = "M4,1 L12,7 L4,13 z", left = "M10,1 L2,7 L10,13 z", bars = "M3,1 H6 V13 H3 z M8,1 H11 V13 H8 z";
  const toStart = button("First step (Home)", "M2,1 H4 V13 H2 z M13,1 L5,7 L13,13 z", () => go(0));
  const back = button("Step back (left arrow)", left, () => go(at - 1));
  const play = button("Play (space)", right, () => toggle());
  play.classList.add("play");
  const label = (name: string, shape: string) => {
    play.replaceChildren(icon(shape), name);
    play.setAttribute("aria-label", `${name} (space)`);
    play.title = `${name} (space)`;
  };
  label("Play", right);
  const on = button("Step on (right arrow)", right, () => go(at + 1));
  const toEnd = button("Last step (End)", "M10,1 H12 V13 H10 z M1,1 L9,7 L1,13 z", () => go(last));
  const seek = h("input", { type: "range", min: 0, max: last, value: 0, step: 1, "aria-label": "Step" });
  seek.addEventListener("input", () => go(Number(seek.value)));
  const title = h("strong", { class: "scene-title" });
  const cost = h("span", { class: "cost" });
  const meter = h("div", { class: "meter", "aria-hidden": "true" }, h("span"));
  const words = h("p", { class: "scene-words", "aria-live": "polite" });
  const messages = h("details", { class: "values" }, h("summary", {}, "Messages of this step, and who holds what, as tables"));
  messages.addEventListener("toggle", () => drawTables());

  function drawTables(): void {
    if (!messages.open) return;
    const scene = film.scenes[at];
    const open = messages.querySelector(".tables");
    const tables = h("div", { class: "tables" },
      scene.messages.length === 0 ? h("p", { class: "note" }, "No messages.") : h("div", { class: "scroll" }, h("table", { class: "data compact" },
        caption(`Messages, ${scene.title}`),
        h("thead", {}, h("tr", {}, ...["From", "To", "Data", "Bytes", "Begins", "Ends"].map((name, i) =>
          h("th", { scope: "col", class: i > 2 ? "number" : "" }, name)))),
        h("tbody", {}, ...scene.messages.map(([from, to, combines, bytes, what, begin, end]) => h("tr", {},
          h("th", { scope: "row" }, from), h("td", {}, to), h("td", {}, `${what || "a signal"}${combines ? ", combined" : ""}`),
          h("td", { class: "number" }, formatBytes(bytes)), h("td", { class: "number", "data-value": begin }, formatTime(begin)),
          h("td", { class: "number", "data-value": end }, formatTime(end))))))),
      h("div", { class: "scroll" }, h("table", { class: "data compact" }, caption(`Who holds what after it`),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Rank"), h("th", { scope: "col" }, "Holds and still needs"))),
        h("tbody", {}, ...holdings[at].map((held, rank) => h("tr", {}, h("th", { scope: "row" }, rank),
          h("td", { class: "wrap" }, describeHeld(film, held, 12).join("; "))))))));
    if (open) open.replaceWith(tables);
    else messages.append(tables);
  }

  function draw(): void {
    const scene = film.scenes[at];
    stage.show(at, holdings[at], hot);
    board.show(holdings[at], at > 0 ? holdings[at - 1] : undefined);
    seek.value = String(at);
    seek.setAttribute("aria-valuetext", `${scene.title}, ${formatTime(scene.us)}`);
    back.disabled = toStart.disabled = at === 0;
    on.disabled = toEnd.disabled = at === last;
    title.textContent = `${scene.title} (${at} of ${last})`;
    cost.replaceChildren(h("strong", { "data-value": scene.us }, formatTime(scene.us)), ` of ${formatTime(total)}`);
    (meter.firstChild as HTMLElement).style.width = `${total > 0 ? (scene.us / total) * 100 : 0}%`;
    const local = [scene.copies?.length ? `${scene.copies.length} rank${scene.copies.length === 1 ? "" : "s"} copy` : "",
      scene.reductions?.length ? `${scene.reductions.length} combine` : ""].filter(Boolean).join(", ");
    const bytes = scene.messages.reduce((sum, each) => sum + each[3], 0);
    words.textContent = [scene.messages.length > 0 ? `${scene.messages.length} message${scene.messages.length === 1 ? "" : "s"}, ${formatBytes(bytes)} bytes in all` : "no messages", local].filter(Boolean).join("; ");
    drawTables();
  }

  function go(to: number): void {
    at = Math.max(0, Math.min(last, to));
    begun = performance.now();
    draw();
    if (at === last) stop();
  }
  function stop(): void {
    playing = false;
    cancelAnimationFrame(request);
    stage.travel(0);
    label("Play", right);
  }
  function tick(now: number): void {
    if (!playing) return;
    const share = (now - begun) / (frameTime / speed);
    if (!still.matches) stage.travel(Math.min(1, share * 1.25));
    if (share >= 1) go(at + 1);
    if (playing) request = requestAnimationFrame(tick);
  }
  function toggle(): void {
    if (playing) return stop();
    if (at === last) at = 0;
    playing = true;
    label("Pause", bars);
    go(at);
    if (playing) request = requestAnimationFrame(tick);
  }

  const step = (scene: Film["scenes"][number], i: number) => {
    const picture = new Stage(film);
    picture.lay(shape);
    picture.show(i, holdings[i], undefined);
    return h("figure", {}, h("figcaption", {}, `${scene.title}, ${formatTime(scene.us)}`), picture.element as unknown as HTMLElement);
  };
  const paper = onPaper(() => [h("p", { class: "note" }, `Times are predicted by ${film.profile}.`),
    h("div", { class: "paper-steps", style: `--columns:${film.p <= 16 ? 3 : film.p <= 32 ? 2 : 1}` },
      ...film.scenes.slice(0, mostOnPaper).map(step)),
    last >= mostOnPaper ? h("p", { class: "note" }, `${last + 1 - mostOnPaper} more steps are not printed.`) : ""]);

  const transport = h("div", { class: "transport", role: "group", "aria-label": "Play the schedule" }, toStart, back, play, on, toEnd, seek,
    select("Speed", [{ value: "0.5", label: "½" }, { value: "1", label: "1" }, { value: "2", label: "2" }, { value: "5", label: "5" }], "1", (value) => { speed = Number(value); }),
    segmented("Ranks", [{ value: "circle", label: "circle" }, { value: "line", label: "lines" }], "circle", (value) => { stage.lay(shape = value); draw(); }));
  const element = h("div", { class: "player", "data-film": film.name },
    h("h3", {}, film.title), film.key ? h("p", { class: "note" }, film.key) : "",
    transport,
    h("div", { class: "scene" }, title, words, h("div", { class: "cost-line" }, h("span", { class: "cost-name" }, `Predicted by ${film.profile}: `), cost, meter)),
    h("div", { class: "screen" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Picture of this step" }, stage.element), board.element),
    h("p", { class: "stage-key" }, h("span", { class: "key-move" }, "moved"), film.scenes.some((each) => each.messages.some((message) => message[2]))
      ? h("span", { class: "key-combine" }, "combined where it arrives") : "", h("span", { class: "key-new" }, "new in this step")),
    messages, paper);
  element.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.matches("select, input[type=radio], summary, .scroll")) return;
    const acts: Record<string, () => void> = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(last) };
    if (event.key === " " && !target.matches("button")) { event.preventDefault(); toggle(); }
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  });
  draw();
  return element;
}

export function schedules(films: Film[]): HTMLElement {
  const home = h("div");
  const show = (index: string) => home.replaceChildren(player(films[Number(index)]));
  const chooser = films.length > 1 ? h("div", { class: "controls" },
    select("Schedule", films.map((film, i) => ({ value: String(i), label: `${film.name}, p = ${film.p}` })), "0", show)) : "";
  show("0");
  return section("schedules", "Schedules, step by step", chooser, home, onPaper(() => [films.length > 1
    ? h("p", { class: "note" }, `Printed is the schedule that was chosen, of ${films.length}.`) : ""]));
}
