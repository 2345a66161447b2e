// Elements in one expression.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

let numbers = 0;
export const fresh = (prefix: string) => `${prefix}-${++numbers}`;

/** A section of the page, known to the navigation by its heading. */
export function section(id: string, heading: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-heading` },
    h("h2", { id: `${id}-heading` }, heading), ...children);
}

/** A table's caption, which stays in sight where the table is wider than its place. */
export const caption = (text: string) => h("caption", {}, h("span", {}, text));

export interface Choice { value: string; label: string }

/** One of several, as a list to choose from. */
export function select(label: string, choices: Choice[], value: string,
  change: (value: string) => void): HTMLLabelElement {
  const list = h("select", {},
    ...choices.map((each) => h("option", { value: each.value, selected: each.value === value }, each.label)));
  list.addEventListener("change", () => change(list.value));
  return h("label", { class: "field" }, h("span", {}, label), list);
}

/** One of a few, side by side. */
export function segmented(label: string, choices: Choice[], value: string,
  change: (value: string) => void): HTMLFieldSetElement {
  const name = fresh("choice");
  return h("fieldset", { class: "segmented" }, h("legend", {}, label),
    ...choices.map((each) => {
      const input = h("input", { type: "radio", name, value: each.value, checked: each.value === value });
      input.addEventListener("change", () => change(each.value));
      return h("label", {}, input, h("span", {}, each.label));
    }));
}

// What changes for paper, and back, by element: those that are gone are forgotten.
const printing = new WeakMap<Element, { before: () => void; after: () => void }>();
for (const when of ["before", "after"] as const)
  addEventListener(`${when}print`, () => document.querySelectorAll("[data-prints]").forEach((each) => printing.get(each)?.[when]()));
export function whenPrinted(element: Element, before: () => void, after: () => void): void {
  element.setAttribute("data-prints", "");
  printing.set(element, { before, after });
}

/** What stands on paper only: paper cannot be asked for more. */
export function onPaper(make: () => Child[]): HTMLElement {
  const place = h("div", { class: "paper" });
  const clear = () => place.replaceChildren();
  whenPrinted(place, () => { clear(); fill(place, {}, make()); }, clear);
  return place;
}

// One box for all values that hover or focus ask for.
let tipBox: HTMLElement | null = null;
export function showTip(at: Element, lines: string[]): void {
  tipBox ??= document.body.appendChild(h("div", { id: "tip", role: "status" }));
  tipBox.replaceChildren(...lines.map((line, i) => h("div", { class: i === 0 ? "tip-head" : "" }, line)));
  tipBox.style.display = "block";
  const box = at.getBoundingClientRect();
  const width = tipBox.offsetWidth, height = tipBox.offsetHeight;
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(8, box.left + box.width / 2 - width / 2), Math.max(8, room - width - 8));
  const top = box.top - height - 8 < 4 ? box.bottom + 8 : box.top - height - 8;
  tipBox.style.left = `${left}px`;
  tipBox.style.top = `${top}px`;
}
export function hideTip(): void {
  if (tipBox) tipBox.style.display = "none";
}
export function tip(element: Element, lines: () => string[]): void {
  element.addEventListener("pointerenter", () => showTip(element, lines()));
  element.addEventListener("pointerleave", hideTip);
  element.addEventListener("focus", () => showTip(element, lines()));
  element.addEventListener("blur", hideTip);
}
