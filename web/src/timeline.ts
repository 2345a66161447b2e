// Traces as time lines: what each rank did in a call, and what the model says it would do.

import { h, hideTip, onPaper, section, segmented, select, showTip, svg } from "./dom";
import { formatBytes, formatTime } from "./format";
import { table } from "./table";

interface RankLine {
  communication_us: number;
  combining_us: number;
  idle_us: number;
  away_us: number;
  /** Three numbers for each: what it does, begin and end in us. */
  spans?: number[];
}

interface Line {
  us: number;
  ranks: RankLine[];
  /** [from, to, begin in us, end, bytes]; ranks by their place. */
  messages?: [number, number, number, number, number][];
}

interface TracedCall {
  name: string;
  number: number;
  begin_us: number;
  bytes?: number;
  who: number[];
  measured: Line;
  planned?: Line;
}

export interface TraceData {
  file: string;
  ranks: number;
  mpi: string;
  profile: string;
  hosts: string[];
  clock_error_us: number;
  messages: number;
  received_before_sent: number;
  received_before_sent_us: number;
  dropped_events: number;
  dropped_calls: number;
  all_calls: number;
  calls: TracedCall[];
}

const doings = ["communication", "combining", "idle", "away"] as const;
const words = { communication: "communicates", combining: "combines or copies", idle: "idle", away: "not in the call" };
const mostArrows = 600;
const mostOnPaper = 12;

const percent = (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
/** Of all ranks' time from the first one's begin to the last one's end. */
function shareOf(line: Line, ...which: (typeof doings)[number][]): number {
  const sum = line.ranks.reduce((all, rank) => all + which.reduce((some, name) => some + rank[`${name}_us`], 0), 0);
  return line.us > 0 && line.ranks.length > 0 ? sum / (line.us * line.ranks.length) : 0;
}
const nameOf = (call: TracedCall) => `${call.name}${call.bytes === undefined ? "" : `, ${formatBytes(call.bytes)}`}`;

/** A few round numbers from 0 to `most`. */
function ticks(most: number): number[] {
  if (!(most > 0)) return [0];
  const rough = most / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => most / each <= 5.001) ?? 10 * power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** One row for each rank, and the messages between them. */
function picture(title: string, call: TracedCall, line: Line, span: number, width: number, withMessages: boolean): HTMLElement {
  const left = 34, right = 14, top = 4, bottom = 26;
  const rows = line.ranks.length;
  const step = Math.max(10, Math.min(26, 640 / rows)), bar = step - Math.max(2, Math.round(step / 4));
  const height = top + rows * step + bottom;
  const x = (us: number) => left + (us / (span || 1)) * (width - left - right);
  const middle = (row: number) => top + row * step + bar / 2;
  const drawing = svg("svg", { class: "timeline", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${title}: ${formatTime(line.us)}, idle ${percent(shareOf(line, "idle", "away"))} of all ranks' time. The table below has the numbers.` });
  const every = Math.ceil(11 / step);
  line.ranks.forEach((rank, row) => {
    if (row % every === 0)
      drawing.append(svg("text", { x: left - 6, y: middle(row), dy: "0.35em", "text-anchor": "end" }, call.who[row]));
    const group = svg("g", { class: "row", "data-rank": call.who[row] });
    const spans = rank.spans ?? [];
    for (let i = 0; i < spans.length; i += 3) {
      const doing = doings[spans[i]], begin = spans[i + 1], end = spans[i + 2];
      const piece = svg("rect", { class: `does-${doing}`, x: x(begin), y: top + row * step, height: bar,
        width: Math.max(0.3, x(end) - x(begin)), "data-begin": begin, "data-end": end });
      piece.addEventListener("pointerenter", () => showTip(piece, [`Rank ${call.who[row]} ${words[doing]}`,
        `${formatTime(end - begin)}, from ${formatTime(begin)} to ${formatTime(end)}`]));
      piece.addEventListener("pointerleave", hideTip);
      group.append(piece);
    }
    drawing.append(group);
  });
  const messages = line.messages ?? [];
  const tooMany = withMessages && messages.length > mostArrows;
  if (withMessages && !tooMany) {
    const arrows = svg("g", { class: "arrows" });
    for (const [from, to, begin, end, bytes] of messages)
      arrows.append(svg("line", { class: bytes > 0 ? "" : "empty", x1: x(begin), y1: middle(from), x2: x(end), y2: middle(to) }));
    drawing.append(arrows);
  }
  const base = top + rows * step + 2;
  drawing.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: base, y2: base }));
  const marks = ticks(span);
  const room = Math.max(1, Math.ceil(marks.length / Math.max(1, Math.floor((width - left - right) / 70))));
  marks.forEach((mark, i) => {
    if (i % room !== 0) return;
    const last = x(mark) > width - right - 24;
    drawing.append(svg("line", { class: "axis", x1: x(mark), x2: x(mark), y1: base, y2: base + 4 }),
      svg("text", { x: x(mark), y: base + 17, "text-anchor": i === 0 ? "start" : last ? "end" : "middle" }, mark === 0 ? "0" : formatTime(mark)));
  });
  return h("figure", {}, h("figcaption", {}, `${title}: ${formatTime(line.us)}, idle ${percent(shareOf(line, "idle", "away"))}`),
    tooMany ? h("p", { class: "note too-many" }, `Its ${messages.length} messages are too many to be drawn as arrows.`) : "",
    drawing as unknown as HTMLElement);
}

/** Communication and idle time of every rank, planned beside measured. */
function numbers(call: TracedCall): HTMLElement {
  interface Entry { rank: number; measured: RankLine; planned?: RankLine }
  const rows: Entry[] = call.who.map((rank, i) => ({ rank, measured: call.measured.ranks[i], planned: call.planned?.ranks[i] }));
  const time = (label: string, value: (row: Entry) => number | undefined, title?: string) =>
    ({ label, numeric: true, value, title, text: (row: Entry) => value(row) === undefined ? "–" : formatTime(value(row)!) });
  const share = (line: RankLine | undefined, us: number | undefined) => line && us ? (line.idle_us + line.away_us) / us : undefined;
  const idle = (label: string, value: (row: Entry) => number | undefined) =>
    ({ label, numeric: true, value, text: (row: Entry) => value(row) === undefined ? "–" : percent(value(row)!),
       title: "Idle, or not in the call: share of the time from the first rank's begin to the last one's end" });
  return table<Entry>({
    caption: `What each rank did in ${nameOf(call)}`, rows,
    columns: [
      { label: "Rank", numeric: true, value: (row) => row.rank },
      time("Communication", (row) => row.measured.communication_us),
      time("Combining", (row) => row.measured.combining_us, "and copies"),
      time("Idle", (row) => row.measured.idle_us, "in the call, without a message under way"),
      time("Away", (row) => row.measured.away_us, "others were in the call, this rank was not yet, or no longer"),
      idle("Idle share", (row) => share(row.measured, call.measured.us)),
      ...(call.planned ? [
        time("Planned communication", (row: Entry) => row.planned?.communication_us),
        time("Planned idle", (row: Entry) => row.planned && row.planned.idle_us + row.planned.away_us),
        idle("Planned idle share", (row: Entry) => share(row.planned, call.planned?.us))] : []),
    ],
  }).element;
}

function summary(trace: TraceData): HTMLElement[] {
  const late = trace.received_before_sent;
  const hosts = new Set(trace.hosts).size;
  const notes = [h("p", { class: "note" }, `${trace.ranks} ranks on ${hosts} host${hosts === 1 ? "" : "s"}, ${trace.mpi}; ${trace.all_calls} calls, ${trace.messages} messages. `
    + (trace.clock_error_us > 0 ? `Clocks were compared to within ${formatTime(trace.clock_error_us)}. ` : "All ranks have one clock. ")
    + `Planned: the same messages by the model, on ${trace.profile}, as if each rank had a node of its own.`)];
  if (late > 0)
    notes.push(h("p", { class: "alert", role: "alert" }, `${late} message${late === 1 ? " is" : "s are"} received before sent, by up to ${formatTime(trace.received_before_sent_us)}: so wrong are the clocks.`));
  if (trace.dropped_events > 0)
    notes.push(h("p", { class: "alert" }, `${trace.dropped_events} events and ${trace.dropped_calls} calls did not fit and are missing.`));
  if (trace.calls.length < trace.all_calls)
    notes.push(h("p", { class: "note" }, `Shown are the ${trace.calls.length} longest calls.`));
  return notes;
}

function viewer(trace: TraceData): HTMLElement {
  const drawnCalls = trace.calls.filter((call) => call.measured.ranks.some((rank) => rank.spans?.length));
  const place = h("div", { class: "timelines" }), values = h("div", { class: "numbers" });
  let call = [...drawnCalls].sort((a, b) => b.measured.us - a.measured.us)[0] ?? trace.calls[0];
  let common = true, withMessages = true, width = 0;
  const pictures = (of: TracedCall, room: number) => {
    const most = Math.max(of.measured.us, of.planned?.us ?? 0);
    const lines: [string, Line][] = [["Measured", of.measured]];
    if (of.planned) lines.push(["Planned", of.planned]);
    return lines.map(([title, line]) =>
      line.ranks.some((rank) => rank.spans) ? picture(title, of, line, common ? most : line.us, room, withMessages)
        : h("p", { class: "note" }, `${title}: ${formatTime(line.us)}; too long to be drawn here.`));
  };
  const draw = () => {
    width = Math.floor(place.clientWidth) || 760;
    place.replaceChildren(...pictures(call, width));
  };
  const paper = onPaper(() => {
    const others = drawnCalls.filter((each) => each !== call);
    return [...others.slice(0, mostOnPaper).map((each) => h("div", { class: "timelines" }, h("h3", {}, `${each.number}: ${nameOf(each)}`), ...pictures(each, 680))),
      others.length > mostOnPaper ? h("p", { class: "note" }, `${others.length - mostOnPaper} more calls are not printed.`) : ""];
  });
  const show = (chosen: TracedCall) => {
    call = chosen;
    draw();
    values.replaceChildren(numbers(call));
  };
  new ResizeObserver(() => { if (Math.floor(place.clientWidth) !== width) draw(); }).observe(place);
  const choose = select("Call", trace.calls.map((each) => ({ value: String(each.number),
    label: `${each.number}: ${nameOf(each)}, ${formatTime(each.measured.us)}` })), String(call?.number ?? ""),
    (value) => show(trace.calls.find((each) => String(each.number) === value)!));
  const all = table<TracedCall>({
    caption: "All calls: press the name of one to see it above", rows: trace.calls, page: 20,
    columns: [
      { label: "Call", numeric: true, value: (row) => row.number },
      { label: "Algorithm", value: (row) => row.name, text: (row) => h("button", { type: "button", class: "open",
        onclick: () => { show(row); choose.querySelector("select")!.value = String(row.number); } }, row.name) },
      { label: "Bytes", numeric: true, value: (row) => row.bytes, text: (row) => row.bytes === undefined ? "–" : formatBytes(row.bytes) },
      { label: "Ranks", numeric: true, value: (row) => row.who.length },
      { label: "Time", numeric: true, value: (row) => row.measured.us, text: (row) => formatTime(row.measured.us) },
      { label: "Planned", numeric: true, value: (row) => row.planned?.us, text: (row) => row.planned ? formatTime(row.planned.us) : "–" },
      { label: "Communication", numeric: true, value: (row) => shareOf(row.measured, "communication"), text: (row) => percent(shareOf(row.measured, "communication")) },
      { label: "Idle", numeric: true, value: (row) => shareOf(row.measured, "idle", "away"), text: (row) => percent(shareOf(row.measured, "idle", "away")) },
      { label: "Planned idle", numeric: true, value: (row) => row.planned && shareOf(row.planned, "idle", "away"),
        text: (row) => row.planned ? percent(shareOf(row.planned, "idle", "away")) : "–" },
    ],
  });
  const built = h("div", { class: "trace" }, ...summary(trace),
    h("div", { class: "controls" }, choose,
      segmented("Scale", [{ value: "common", label: "the same" }, { value: "own", label: "each its own" }], "common",
        (value) => { common = value === "common"; draw(); }),
      segmented("Messages", [{ value: "yes", label: "shown" }, { value: "no", label: "hidden" }], "yes",
        (value) => { withMessages = value === "yes"; draw(); })),
    h("ul", { class: "doing-key" }, ...doings.map((doing) => h("li", { class: `key-${doing}` }, words[doing]))),
    onPaper(() => [h("h3", {}, `${call.number}: ${nameOf(call)}`)]), place, values, paper, all.element);
  if (call) show(call);
  return built;
}

export function timelines(traces: TraceData[]): HTMLElement {
  const place = h("div");
  const show = (index: number) => place.replaceChildren(viewer(traces[index]));
  const chosen = traces.length > 1
    ? h("div", { class: "controls" }, select("Trace", traces.map((each, i) => ({ value: String(i), label: each.file })), "0", (value) => show(+value)))
    : "";
  show(0);
  return section("timeline", "Time lines", chosen, place, onPaper(() => [traces.length > 1
    ? h("p", { class: "note" }, `Printed is the trace that was chosen, of ${traces.length}.`) : ""]));
}
