// One page of all that `tutti report` was given.

import { Data, pointsOf, seriesOf } from "./data";
import { curves } from "./curves";
import { h, segmented } from "./dom";
import { decisionMap, regretMap } from "./maps";
import { records } from "./record";
import { schedules } from "./schedules";
import { timelines } from "./timeline";
import { guidelines, profiles, provenance, summary, winsAndLosses } from "./sections";

const collectives = ["barrier", "bcast", "scatter", "scatterv", "gather", "gatherv", "allgather", "allgatherv", "reduce",
  "allreduce", "reduce_scatter", "reduce_scatter_block", "alltoall", "alltoallv", "alltoallw", "scan", "exscan"];

/** A page from a file may not keep anything; then it asks the system. */
function remembered(): string {
  try { return localStorage.getItem("tutti-theme") ?? "auto"; } catch { return "auto"; }
}
function setTheme(theme: string): void {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  try { localStorage.setItem("tutti-theme", theme); } catch { /* nothing is kept */ }
}

function build(data: Data): void {
  const results = data.results ?? [];
  const points = pointsOf(results);
  const series = seriesOf(points, collectives);
  const sections: HTMLElement[] = [];
  let open = (_key: string) => {};
  if (series.length > 0) {
    const drawn = curves(data, series);
    open = (key) => {
      drawn.open(key);
      drawn.element.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    };
    sections.push(summary(points), drawn.element, decisionMap(data, series, (key) => open(key)));
    if (points.some(({ cell }) => cell.regret)) sections.push(regretMap(data, series, (key) => open(key)));
    sections.push(winsAndLosses(data, points));
  }
  if (results.some((each) => each.guidelines)) sections.push(guidelines(data));
  if (data.records?.length) sections.push(records(data));
  if (data.traces?.length) sections.push(timelines(data.traces));
  if (data.schedules?.length) sections.push(schedules(data.schedules));
  if (data.profiles?.length) sections.push(profiles(data));
  if (results.length > 0) sections.push(provenance(data));

  const theme = remembered();
  setTheme(theme);
  const unique = (items: string[]) => [...new Set(items)].join(", ");
  const subject = results.length > 0
    ? `${unique(results.map((each) => each.mpi))} · ${unique(results.map((each) => `${each.ranks} ranks on ${each.layout.length} host${each.layout.length === 1 ? "" : "s"}`))}`
      + ` · ${unique(results.map((each) => each.date.slice(0, 10)))}`
    : data.traces?.length ? unique(data.traces.flatMap((each) => each.calls.map((call) => call.name)).slice(0, 4))
    : data.records?.length ? unique(data.records.map((each) => `${each.program} on ${each.ranks} ranks, ${each.mpi}`))
    : data.schedules?.length ? unique(data.schedules.map((each) => each.name)) : data.profiles?.length ? unique(data.profiles.map((each) => each.name)) : "";
  if (results.length === 0 && data.schedules?.length === 1) document.title = `${data.schedules[0].name} · Tutti`;
  document.body.append(
    h("a", { class: "skip", href: "#main" }, "Skip to the results"),
    h("header", {},
      h("div", { class: "headline" }, h("h1", {}, "Tutti report"), h("p", {}, subject)),
      segmented("Theme", [{ value: "auto", label: "System" }, { value: "light", label: "Light" }, { value: "dark", label: "Dark" }], theme, setTheme)),
    sections.length > 1 ? h("nav", { "aria-label": "Sections" },
      ...sections.map((each) => h("a", { href: `#${each.id}` }, each.querySelector("h2")!.textContent))) : "",
    h("main", { id: "main" }, ...sections,
      sections.length === 0 ? h("p", { class: "empty" }, "There is no data in this page: tutti report FILES writes one with data.") : ""),
    h("footer", {}, `Written by tutti ${data.version ?? ""}.`
      + (series.length > 0 ? " Medians with 95 % intervals; the lower bound is the least that any algorithm can take by the model." : "")));
}

build(JSON.parse(document.getElementById("data")!.textContent ?? "{}"));
