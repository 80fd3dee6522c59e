// Colours and line styles. Contenders are told apart by colour and by dashes and markers, states by colour and shape.
import { STATES } from "../report.ts";

/** Okabe and Ito's palette, for light and for dark ground; the text's colour stands for black. */
const OKABE_ITO = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "", "#B3A100"];
const OKABE_ITO_DARK = ["#4FA3DE", "#E8823A", "#2BB994", "#DB9ABD", "#E9B13B", "#8CCFF2", "", "#F0E442"];
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
const MARKERS = ["dot", "square", "triangle", "diamond", "plus", "cross", "ring"] as const;
export type Marker = (typeof MARKERS)[number];

export interface Style {
  color: string;
  dash: number[];
  marker: Marker;
}

/** Colours of the page as it is shown now, or of a file. */
export interface Colors {
  ground: string;
  text: string;
  dim: string;
  line: string;
  grid: string;
  accent: string;
  /** By state. */
  states: string[];
  dark: boolean;
}

const LIGHT_STATES = ["#eceef0", "#3b8f5a", "#4a9aa5", "#b9a13a", "#9aa1a8", "#e08a1e", "#8a63c9", "#c2453d", "#7a0000"];
export const LIGHT: Colors = {
  ground: "#ffffff", text: "#1b1e22", dim: "#575e66", line: "#c4c9ce", grid: "#e6e9ec", accent: "#0b5cad", states: LIGHT_STATES, dark: false,
};

/** Read the colours of the document's theme. */
export function pageColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, usual: string): string => style.getPropertyValue(`--${name}`).trim() || usual;
  return {
    ground: read("bg", LIGHT.ground),
    text: read("text", LIGHT.text),
    dim: read("dim", LIGHT.dim),
    line: read("line", LIGHT.line),
    grid: read("grid", LIGHT.grid),
    accent: read("accent", LIGHT.accent),
    states: STATES.map((state, k) => read(`s-${state}`, LIGHT_STATES[k])),
    dark: style.colorScheme === "dark",
  };
}

/** Return the style of the n-th contender: the first eight differ in colour, the others in dashes and markers too. */
export function styleOf(n: number, colors: Colors): Style {
  const palette = colors.dark ? OKABE_ITO_DARK : OKABE_ITO;
  return {
    color: palette[n % palette.length] || colors.text,
    dash: DASHES[Math.floor(n / palette.length) % DASHES.length],
    marker: MARKERS[n % MARKERS.length],
  };
}

/** Marker of a state in a scatter. */
export const STATE_MARKERS: Marker[] = ["ring", "dot", "diamond", "ring", "triangle", "square", "plus", "cross"];
