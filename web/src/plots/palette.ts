// Colours. Contenders in focus are told apart by colour and by their names at the ends of lines, states by colour and shape.
import { cached } from "../memo.ts";
import { STATES } from "../report.ts";

/** Okabe and Ito's palette, for light and for dark ground; the text's colour stands for black. */
const OKABE_ITO = ["#0069A6", "#BB4E00", "#00553F", "#B0478A", "#8F5F00", "#2A73A8", "", "#746800"];
const OKABE_ITO_DARK = ["#4FA3DE", "#E8823A", "#2BB994", "#DB9ABD", "#E9B13B", "#8CCFF2", "", "#F0E442"];
/** Dashes of the third and fourth line in focus, which a red-green blind reader may else confuse. */
export const FOCUS_DASHES = [[], [], [7, 3], [2, 3]];
export type Marker = "dot" | "square" | "triangle" | "diamond" | "plus" | "cross" | "ring";

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
  /** Of lines out of focus. */
  grey: string;
  grid: string;
  accent: string;
  /** By state. */
  states: string[];
  dark: boolean;
}

const LIGHT_STATES = ["#eceef0", "#3b8f5a", "#4a9aa5", "#b9a13a", "#9aa1a8", "#e08a1e", "#8a63c9", "#c2453d", "#7a0000"];
export const LIGHT: Colors = {
  ground: "#ffffff", text: "#1b1e22", dim: "#575e66", line: "#c4c9ce", grey: "#b4bac1", grid: "#e6e9ec", accent: "#0b5cad", states: LIGHT_STATES, dark: false,
};

const known = new Map<string, Colors>();

/** Return the colours of the document's theme; they are read once, since reading them lays out the page. */
export const pageColors = (): Colors => cached(known, document.documentElement.dataset.theme ?? "", read);

function read(): Colors {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string, usual: string): string => style.getPropertyValue(`--${name}`).trim() || usual;
  return {
    ground: of("bg", LIGHT.ground),
    text: of("text", LIGHT.text),
    dim: of("dim", LIGHT.dim),
    line: of("line", LIGHT.line),
    grey: of("grey", LIGHT.grey),
    grid: of("grid", LIGHT.grid),
    accent: of("accent", LIGHT.accent),
    states: STATES.map((state, k) => of(`s-${state}`, LIGHT_STATES[k])),
    dark: style.colorScheme === "dark",
  };
}

/** Return the colour of the n-th contender in focus. */
export function focusColor(n: number, colors: Colors): string {
  const palette = colors.dark ? OKABE_ITO_DARK : OKABE_ITO;
  return palette[n % palette.length] || colors.text;
}

/** Marker of a state in a scatter. */
export const STATE_MARKERS: Marker[] = ["ring", "dot", "diamond", "ring", "triangle", "square", "plus", "cross"];
