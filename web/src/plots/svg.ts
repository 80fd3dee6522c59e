// SVG as plain data, which becomes elements of the page or the text of a file.
import { printable } from "../printable.ts";

export interface Node {
  tag: string;
  attributes: Record<string, string | number>;
  children: (Node | string)[];
}

const NAMESPACE = "http://www.w3.org/2000/svg";

export const s = (tag: string, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): Node => ({
  tag, attributes, children,
});

/** Return a node as an element. */
export function element(node: Node): SVGElement {
  const made = document.createElementNS(NAMESPACE, node.tag);
  for (const [name, value] of Object.entries(node.attributes)) made.setAttribute(name, String(value));
  for (const child of node.children) made.append(typeof child === "string" ? child : element(child));
  return made;
}

/** Return a picture as the text of a file. */
export function serialised(root: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text({ ...root, attributes: { xmlns: NAMESPACE, ...root.attributes } })}\n`;
}

function text(node: Node): string {
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("");
  const inside = node.children.map((child) => (typeof child === "string" ? escaped(child) : text(child))).join("");
  return inside ? `<${node.tag}${attributes}>${inside}</${node.tag}>` : `<${node.tag}${attributes}/>`;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escape markup; characters that XML forbids, and halves of surrogate pairs, become U+FFFD. */
function escaped(value: string): string {
  const allowed = value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, "\ufffd");
  return allowed.replace(/[&<>"]/g, (c) => ESCAPES[c]);
}

/** Return a coordinate with as many digits as are seen. */
export const px = (value: number): string => String(Math.round(value * 100) / 100);

/** Return a name as it can be drawn, its middle left out if it is longer than `most` characters. */
export function short(name: string, most = 48): string {
  const drawn = printable(name), tail = Math.max(0, (most - 1) >> 1);
  return drawn.length > most ? `${drawn.slice(0, most - 1 - tail)}…${drawn.slice(drawn.length - tail)}` : drawn;
}
