// A table of data that sorts by any column, filters, and grows on demand.

import { caption, h, whenPrinted } from "./dom";

const mostOnPaper = 1000;

export interface Column<T> {
  label: string;
  /** What it sorts by; a number stands to the right. */
  value: (row: T) => number | string | undefined;
  text?: (row: T) => string | Node;
  numeric?: boolean;
  class?: (row: T) => string;
  title?: string;
}

export interface TableOptions<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[];
  sort?: number;
  descending?: boolean;
  page?: number;
  class?: string;
  onRow?: (row: T) => void;
}

export interface Table<T> {
  element: HTMLElement;
  show: (rows: T[]) => void;
}

export function table<T>(options: TableOptions<T>): Table<T> {
  const { columns } = options;
  const page = options.page ?? 40;
  let rows = options.rows, shown = page;
  let by = options.sort ?? -1, descending = options.descending ?? false;
  const body = h("tbody");
  const count = h("p", { class: "count", "aria-live": "polite" });
  const more = h("button", { type: "button", class: "more" });
  more.addEventListener("click", () => { shown += 10 * page; draw(); });

  const heads = columns.map((column, i) => {
    const button = h("button", { type: "button" }, column.label);
    button.addEventListener("click", () => {
      descending = by === i ? !descending : column.numeric ?? false;
      by = i;
      draw();
    });
    return h("th", { scope: "col", class: column.numeric ? "number" : "", title: column.title }, button);
  });

  function sorted(): T[] {
    if (by < 0) return rows;
    const { value } = columns[by];
    const sign = descending ? -1 : 1;
    return [...rows].sort((a, b) => {
      const x = value(a), y = value(b);
      if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
      return sign * (typeof x === "number" && typeof y === "number" ? x - y
        : String(x).localeCompare(String(y), "en", { numeric: true }));
    });
  }

  function draw(): void {
    heads.forEach((head, i) => head.setAttribute("aria-sort",
      i !== by ? "none" : descending ? "descending" : "ascending"));
    const all = sorted();
    body.replaceChildren(...all.slice(0, shown).map((row) => h("tr", {},
      ...columns.map((column, i) => {
        const value = column.value(row);
        const content = column.text ? column.text(row) : value === undefined ? "–" : String(value);
        const attributes = { class: [column.numeric ? "number" : "", column.class?.(row) ?? ""].join(" ").trim(),
                             "data-value": value };
        return i === 0 ? h("th", { scope: "row", ...attributes }, content) : h("td", attributes, content);
      }))));
    const visible = Math.min(shown, all.length);
    count.textContent = all.length === 0 ? "Nothing to show."
      : visible < all.length ? `${visible} of ${all.length} rows` : `${all.length} row${all.length === 1 ? "" : "s"}`;
    more.hidden = visible === all.length;
    more.textContent = `Show ${Math.min(10 * page, all.length - visible)} more`;
  }
  draw();
  const element = h("div", { class: "table-block" },
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": options.caption },
      h("table", { class: options.class ?? "data" },
        caption(options.caption), h("thead", {}, h("tr", {}, ...heads)), body)),
    h("div", { class: "table-foot" }, count, more));
  // Paper cannot be asked for more rows.
  let before: number | undefined;
  whenPrinted(element, () => {
    if (before !== undefined || shown >= Math.min(rows.length, mostOnPaper)) return;
    before = shown;
    shown = mostOnPaper;
    draw();
  }, () => {
    if (before === undefined) return;
    shown = before;
    before = undefined;
    draw();
  });
  return { element, show: (list) => { rows = list; shown = page; draw(); } };
}
