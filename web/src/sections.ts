// The head of the page, its tables, and the profiles.

import { Data, Judgement, Point, Profile, Results, geometricMean, dataOf, isNative, shortName, takenBy,
         verdictOf } from "./data";
import { caption, h, section, segmented, select } from "./dom";
import { formatBytes, formatRange, formatRatio, formatTime } from "./format";
import { table } from "./table";

const list = (items: [string, string | Node][]) =>
  h("dl", {}, ...items.filter(([, value]) => value !== "").flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));

function hosts(results: Results): string {
  const number = results.layout.length;
  return `${results.ranks} ranks on ${number} host${number === 1 ? "" : "s"}`;
}

/** Where each file was measured, and how. */
export function provenance(data: Data): HTMLElement {
  return section("provenance", "Where and how it was measured", ...data.results!.map((each) => {
    const beta = each.line.beta_ns_per_byte;
    const environment = Object.entries(each.environment ?? {}).map(([name, value]) => `${name}=${value}`).join(" ");
    return h("details", { open: data.results!.length === 1, class: "card" },
      h("summary", {}, h("strong", {}, each.file), ` ${hosts(each)}, ${each.mpi}, ${each.date.slice(0, 10)}`,
        each.complete ? "" : h("span", { class: "badge wrong" }, "interrupted: not complete")),
      list([
        ["MPI", each.mpi_library?.split("\n")[0] || each.mpi],
        ["Ranks", each.layout.map((host) => `${host.ranks} on ${host.host}`).join("; ")],
        ["Test bed", each.bed],
        ["Processor", `${each.processor || "unknown"}, ${each.cores} core${each.cores === 1 ? "" : "s"}`],
        ["System", each.system],
        ["Line", `${each.line.alpha_us.toFixed(2)} µs, ${beta > 0 ? `${(1e3 / beta).toPrecision(3)} MB/s` : "no rate"} (${each.line.source})`],
        ["Start of a call", String(each.method.start ?? "")],
        ["Time", String(each.method.time ?? "")],
        ["Order", String(each.method.order ?? "")],
        ["Interval", String(each.method.interval ?? "")],
        ["Passes", String(each.method.passes ?? "")],
        ["Command", h("code", {}, each.command.join(" "))],
        ["Environment", environment ? h("code", {}, environment) : ""],
        ["Tutti", `${each.version}, ${each.commit}`],
        ["Date", each.date],
      ]));
  }));
}

export function summary(points: Point[]): HTMLElement {
  const chosen = points.flatMap((point) => point.chosen?.speed_up && !isNative(point.chosen.algorithm) ? [point.chosen.speed_up] : []);
  const best = points.flatMap((point) => point.best?.speed_up ? [point.best.speed_up[0]] : []);
  const over = points.flatMap((point) => point.best?.over_bound ? [point.best.over_bound] : []).sort((a, b) => a - b);
  const wrong = points.reduce((sum, { cell }) => sum + cell.rows.filter((row) => !row.correct).length, 0);
  const failed = points.filter(({ cell }) => cell.failure).length;
  const counts = { faster: 0, even: 0, slower: 0 };
  for (const each of chosen) ++counts[verdictOf(each)!];
  const tile = (name: string, value: number | undefined, unit: string, note: string) =>
    h("div", { class: "tile" }, h("span", { class: "tile-name" }, name),
      h("span", { class: "tile-value", "data-value": value }, value === undefined ? "–" : formatRatio(value), h("small", {}, unit)),
      h("span", { class: "tile-note" }, note));
  const all = chosen.length;
  return section("summary", "At a glance",
    wrong > 0 ? h("p", { class: "alert", role: "alert" }, `${wrong} result${wrong === 1 ? " is" : "s are"} wrong: see the table of wins and losses.`) : "",
    failed > 0 ? h("p", { class: "alert" }, `${failed} cell${failed === 1 ? "" : "s"} could not be measured.`) : "",
    h("div", { class: "tiles" },
      tile("Tutti's choice", geometricMean(chosen.map((each) => each[0])), "×", "speed-up over the MPI's own, geometric mean"),
      tile("Fastest of Tutti's", geometricMean(best), "×", "speed-up if the best algorithm were taken everywhere"),
      tile("Distance to the bound", over.length ? over[Math.floor((over.length - 1) / 2)] : undefined, "×", "median time of the fastest over the lower bound"),
      h("div", { class: "tile wide" }, h("span", { class: "tile-name" }, `Tutti's choice in ${all} cell${all === 1 ? "" : "s"}`),
        h("div", { class: "bar", role: "img", "aria-label": `faster ${counts.faster}, within noise ${counts.even}, slower ${counts.slower}` },
          ...(["faster", "even", "slower"] as const).filter((name) => counts[name] > 0).map((name) =>
            h("span", { class: `bar-${name}`, style: `flex-grow:${counts[name]}` }))),
        h("ul", { class: "bar-key" }, ...(["faster", "even", "slower"] as const).map((name) =>
          h("li", { class: `key-${name}`, "data-value": counts[name] }, h("strong", {}, counts[name]), ` ${name === "even" ? "within noise" : name}`))))));
}

export function winsAndLosses(data: Data, points: Point[]): HTMLElement {
  const several = data.results!.length > 1;
  const wrong = ({ cell }: Point) => cell.rows.filter((row) => !row.correct);
  const verdict = (point: Point) => wrong(point).length > 0 ? "wrong" : point.cell.failure ? "failed" : verdictOf(point.chosen?.speed_up) ?? "–";
  let words = "", only = "all";
  const built = table<Point>({
    caption: "Wins and losses: Tutti's choice and the fastest of Tutti's against the MPI's own",
    rows: points, sort: 7 + (several ? 1 : 0), descending: false,
    columns: [
      { label: "Collective", value: ({ cell }) => cell.collective },
      ...(several ? [{ label: "File", value: (point: Point) => data.results![point.file].file }] : []),
      { label: "Ranks", numeric: true, value: ({ cell }) => cell.p },
      { label: "Bytes", numeric: true, value: ({ cell }) => cell.bytes,
        text: ({ cell }) => cell.collective === "barrier" ? "–" : formatBytes(cell.bytes) },
      { label: "Data", value: ({ cell }) => dataOf(cell) || "–" },
      { label: "MPI's own", numeric: true, value: ({ native }) => native?.us![0], text: ({ native }) => native ? formatTime(native.us![0]) : "–" },
      { label: "Chosen", numeric: true, value: ({ chosen }) => chosen?.us![0], text: ({ chosen }) => chosen ? formatTime(chosen.us![0]) : "–" },
      { label: "Algorithm", value: ({ chosen }) => chosen && shortName(takenBy(chosen)) },
      { label: "Speed-up", numeric: true, value: ({ chosen }) => chosen?.speed_up?.[0],
        text: ({ chosen }) => chosen?.speed_up ? `${formatRatio(chosen.speed_up[0])} ×` : "–" },
      { label: "Interval", numeric: true, value: ({ chosen }) => chosen?.speed_up?.[1], text: ({ chosen }) => chosen?.speed_up ? formatRange(chosen.speed_up, formatRatio) : "–" },
      { label: "Verdict", value: verdict, class: (point) => `verdict ${verdict(point)}`,
        text: (point) => point.cell.failure ?? (wrong(point).length > 0 ? `wrong: ${wrong(point).map((row) => shortName(row.algorithm)).join(", ")}`
          : verdict(point) === "even" ? "within noise" : verdict(point)) },
      { label: "Fastest", value: ({ best }) => best && shortName(best.algorithm) },
      { label: "Its time", numeric: true, value: ({ best }) => best?.us![0], text: ({ best }) => best ? formatTime(best.us![0]) : "–" },
      { label: "Its speed-up", numeric: true, value: ({ best }) => best?.speed_up?.[0], text: ({ best }) => best?.speed_up ? `${formatRatio(best.speed_up[0])} ×` : "–" },
      { label: "× bound", numeric: true, value: ({ best }) => best?.over_bound, text: ({ best }) => best?.over_bound === undefined ? "–" : formatRatio(best.over_bound),
        title: "Time of the fastest over the lower bound" },
    ],
  });
  const filter = () => built.show(points.filter((point) => {
    if (only !== "all" && verdict(point) !== only) return false;
    const text = [point.cell.collective, `p=${point.cell.p}`, formatBytes(point.cell.bytes), dataOf(point.cell),
      point.chosen && takenBy(point.chosen), point.best?.algorithm].join(" ").toLowerCase();
    return words.split(/\s+/).every((word) => text.includes(word));
  }));
  const search = h("input", { type: "search", placeholder: "allreduce 4K ring" });
  search.addEventListener("input", () => { words = search.value.toLowerCase().trim(); filter(); });
  return section("table", "Wins and losses",
    h("div", { class: "controls" },
      h("label", { class: "field" }, h("span", {}, "Filter"), search),
      select("Verdict", ["all", "faster", "even", "slower", "wrong", "failed"].map((value) => ({ value, label: value === "even" ? "within noise" : value })), "all",
        (value) => { only = value; filter(); })),
    built.element);
}

export function guidelines(data: Data): HTMLElement {
  interface Rule { file: string; rule: Judgement }
  const rules: Rule[] = data.results!.flatMap((each) => (each.guidelines ?? []).map((rule) => ({ file: each.file, rule })));
  const several = new Set(rules.map((each) => each.file)).size > 1;
  const name = (who: string) => who === "native" ? "the MPI's own" : who === "tutti" ? "Tutti" : who;
  const counts = [...new Set(rules.map(({ rule }) => rule.who))].map((who) => {
    const mine = rules.filter(({ rule }) => rule.who === who);
    const violated = mine.filter(({ rule }) => rule.violated).length;
    return h("li", { "data-who": who, "data-value": violated }, h("strong", {}, violated), ` of ${mine.length} rules violated by ${name(who)}`);
  });
  const built = table<Rule>({
    caption: "Guidelines: a collective should not take longer than others that do its work",
    rows: [], sort: 6 + (several ? 1 : 0), descending: true,
    columns: [
      { label: "Rule", value: ({ rule }) => rule.rule },
      ...(several ? [{ label: "File", value: (each: Rule) => each.file }] : []),
      { label: "Who", value: ({ rule }) => name(rule.who) },
      { label: "Ranks", numeric: true, value: ({ rule }) => rule.p },
      { label: "Bytes", numeric: true, value: ({ rule }) => rule.bytes, text: ({ rule }) => formatBytes(rule.bytes) },
      { label: "Left", numeric: true, value: ({ rule }) => rule.left_us[0], text: ({ rule }) => formatTime(rule.left_us[0]) },
      { label: "Right", numeric: true, value: ({ rule }) => rule.right_us[0], text: ({ rule }) => formatTime(rule.right_us[0]) },
      { label: "Factor", numeric: true, value: ({ rule }) => rule.factor[0], text: ({ rule }) => formatRatio(rule.factor[0]) },
      { label: "Interval", numeric: true, value: ({ rule }) => rule.factor[1], text: ({ rule }) => formatRange(rule.factor, formatRatio) },
      { label: "Verdict", value: ({ rule }) => rule.violated ? "violated" : "holds", class: ({ rule }) => `verdict ${rule.violated ? "slower" : "faster"}` },
    ],
  });
  const show = (mode: string) => built.show(rules.filter(({ rule }) => mode === "all" || rule.violated));
  show("violated");
  return section("guidelines", "Guidelines", h("ul", { class: "counts" }, ...counts),
    h("div", { class: "controls" }, segmented("Show", [{ value: "violated", label: "violations" }, { value: "all", label: "all rules" }], "violated", show)),
    built.element);
}

const rates: [string, string][] = [["alpha_us", "µs for a message"], ["beta_ns_per_byte", "ns for a byte"], ["alpha_uni_us", "µs, one way"],
  ["beta_uni_ns_per_byte", "ns for a byte, one way"], ["gamma_ns_per_byte", "ns to combine a byte"]];

function decisionsOf(profile: Profile): HTMLElement | "" {
  const rows = profile.decisions ?? [];
  if (rows.length === 0) return h("p", { class: "note" }, "No decision table: the model chooses.");
  const sizes = [...new Set(rows.flatMap((row) => row.choices.map((each) => each.from)))].sort((a, b) => a - b);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Decisions of ${profile.name}` },
    h("table", { class: "map" }, caption("Its decisions: what is taken from a size on"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Collective"), ...sizes.map((size) => h("th", { scope: "col", class: "number" }, `${formatBytes(size)} –`)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.collective, h("small", {}, row.blocks ? `${row.topology}, ${row.blocks} blocks` : row.topology)),
        ...row.choices.map((each, i) => {
          const end = i + 1 < row.choices.length ? sizes.indexOf(row.choices[i + 1].from) : sizes.length;
          return h("td", { colspan: end - sizes.indexOf(each.from), class: isNative(each.algorithm) ? "slower" : "" },
            h("span", {}, shortName(each.algorithm)), h("small", {}, `${formatTime(each.us)} ${each.measured ? "measured" : "predicted"}`));
        }))))));
}

export function profiles(data: Data): HTMLElement {
  return section("profiles", "Machine profiles", ...data.profiles!.map((each) => {
    const on = each.measured_on as { mpi: string; processor: string; cores: number } | undefined;
    return h("div", { class: "card" }, h("h3", {}, each.name), h("p", { class: "note" }, each.source),
      list([...(on ? [["Measured on", `${on.mpi}, ${on.processor}, ${on.cores} cores`] as [string, string]] : []),
        ...rates.filter(([field]) => typeof each[field] === "number").map(([field, words]): [string, string] => [field.replace(/_(us|ns).*/, ""), `${each[field]} ${words}`])]),
      decisionsOf(each));
  }));
}
