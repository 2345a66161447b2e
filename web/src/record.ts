// Where a program's collective time goes: what `tutti run --record` wrote.

import { Data, ProgramRecord, RecordRow, isNative } from "./data";
import { caption, h, section } from "./dom";
import { formatBytes, formatTime } from "./format";
import { table } from "./table";

const percent = (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
const name = (row: RecordRow) => (isNative(row.algorithm) ? "MPI's own" : row.algorithm) + (row.parameters ? `:${row.parameters}` : "");

interface Sum { collective: string; calls: number; transfer: number; waiting: number; known: boolean }

/** A bar for each collective: seconds on each rank, on average. */
function bars(record: ProgramRecord): HTMLElement {
  const sums = new Map<string, Sum>();
  for (const row of record.rows) {
    const sum = sums.get(row.collective) ?? { collective: row.collective, calls: 0, transfer: 0, waiting: 0, known: false };
    sum.calls += row.calls;
    sum.transfer += (row.seconds - (row.waiting_seconds ?? 0)) / record.ranks;
    sum.waiting += (row.waiting_seconds ?? 0) / record.ranks;
    sum.known ||= row.waiting_seconds !== null;
    sums.set(row.collective, sum);
  }
  const time = (sum: Sum) => sum.transfer + sum.waiting;
  const list = [...sums.values()].sort((a, b) => time(b) - time(a));
  const most = Math.max(...list.map(time), 1e-12);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Collectives of ${record.file}` },
    h("table", { class: "data spent" }, caption("Time on each rank, on average: transfer, and waiting for others"),
      h("thead", {}, h("tr", {}, ...["Collective", "Calls", "Time", "Of the run", "Waiting"].map((label, i) =>
        h("th", { scope: "col", class: i === 0 ? "" : "number" }, label)), h("td", { class: "track" }))),
      h("tbody", {}, ...list.map((sum) => h("tr", { "data-collective": sum.collective },
        h("th", { scope: "row" }, sum.collective),
        h("td", { class: "number", "data-value": sum.calls }, sum.calls),
        h("td", { class: "number", "data-value": time(sum) }, formatTime(1e6 * time(sum))),
        h("td", { class: "number" }, record.wall_seconds > 0 ? percent(time(sum) / record.wall_seconds) : "–"),
        h("td", { class: "number", "data-value": sum.known ? sum.waiting : undefined }, sum.known ? percent(time(sum) > 0 ? sum.waiting / time(sum) : 0) : "–"),
        h("td", { class: "track", "aria-hidden": "true" }, h("div", { class: "spent-bar", style: `width:${(100 * time(sum) / most).toFixed(2)}%` },
          h("span", { class: "spent-transfer", style: `flex-grow:${sum.transfer / most}` }),
          h("span", { class: "spent-waiting", style: `flex-grow:${sum.waiting / most}` }))))))));
}

/** Everything, by communicator and size. */
function calls(record: ProgramRecord): HTMLElement {
  const time = (row: RecordRow) => row.seconds / record.ranks;
  const of = (row: RecordRow) => record.communicators[row.communicator];
  return table<RecordRow>({
    caption: "Calls by communicator and size, with what ran and what the model finds best",
    rows: record.rows, sort: 5, descending: true,
    columns: [
      { label: "Collective", value: (row) => row.collective },
      { label: "Communicator", value: (row) => of(row).name },
      { label: "Ranks", numeric: true, value: (row) => of(row).size, title: "of the communicator" },
      { label: "Bytes ≤", numeric: true, value: (row) => row.bytes_at_most ?? undefined,
        text: (row) => row.bytes_at_most === null ? "–" : formatBytes(row.bytes_at_most) },
      { label: "Calls", numeric: true, value: (row) => row.calls },
      { label: "Time", numeric: true, value: time, text: (row) => formatTime(1e6 * time(row)), title: "On each rank, on average" },
      { label: "Waiting", numeric: true, value: (row) => row.waiting_seconds === null ? undefined : row.waiting_seconds / record.ranks,
        text: (row) => row.waiting_seconds === null ? "–" : percent(row.seconds > 0 ? row.waiting_seconds / row.seconds : 0) },
      { label: "Mostly for", value: (row) => row.waited_for?.rank,
        text: (row) => row.waited_for ? `rank ${row.waited_for.rank} (${percent(row.waited_for.share)})` : "–" },
      { label: "A call", numeric: true, value: (row) => row.calls_of_all_ranks ? row.seconds / row.calls_of_all_ranks : undefined,
        text: (row) => row.calls_of_all_ranks ? formatTime(1e6 * row.seconds / row.calls_of_all_ranks) : "–" },
      { label: "Ran", value: name },
      { label: "Why", value: (row) => row.why },
      { label: "Its prediction", numeric: true, value: (row) => row.predicted_us ?? undefined, title: "What the model says a call of it takes",
        text: (row) => row.predicted_us === null ? "–" : formatTime(row.predicted_us) },
      { label: "Best by the model", value: (row) => row.best ?? undefined },
      { label: "Its time", numeric: true, value: (row) => row.best_us ?? undefined, text: (row) => row.best_us === null ? "–" : formatTime(row.best_us) },
      { label: "Gain", numeric: true, value: (row) => row.gain_seconds ?? undefined, title: "What it is predicted to save on each rank",
        text: (row) => row.gain_seconds === null || row.gain_seconds === 0 ? "–" : formatTime(1e6 * row.gain_seconds) },
    ],
  }).element;
}

export function records(data: Data): HTMLElement {
  return section("records", "Where the collective time goes", ...data.records!.map((each) => h("div", { class: "card", "data-file": each.file },
    h("h3", {}, each.program || each.file),
    h("p", { class: "note" }, `${each.ranks} rank${each.ranks === 1 ? "" : "s"}${each.topology ? ` (${each.topology})` : ""}, ${each.mpi}, `
      + `${formatTime(1e6 * each.wall_seconds)}, profile ${each.profile.name}${each.profile.measured ? "" : ", not measured here"}`),
    h("ul", { class: "counts advice" }, ...each.advice.map((line) => h("li", {}, line))),
    ...(each.rows.length > 0 ? [
      h("ul", { class: "bar-key" }, h("li", { class: "key-faster" }, "transfer"), h("li", { class: "key-slower" }, "waiting for others")),
      bars(each), calls(each)] : []),
    each.clocks.number > 1 ? h("p", { class: "note" }, `${each.clocks.number} clocks, compared to within ${formatTime(each.clocks.error_us)}.`) : "")));
}
