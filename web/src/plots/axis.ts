// Axes map values to 0..1 along an edge of a plot.

export interface Axis {
  label: string;
  /** Position and text; texts of minor ticks are empty. */
  ticks: [number, string][];
  place(value: number): number;
}

const UNITS: [number, string][] = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];
const STEPS = [1, 2, 5];
const MANY_DECADES = 8;

/** Return a time as the text of a tick, such as 20 ms. */
export function tickSeconds(value: number): string {
  const [scale, unit] = UNITS.find(([scale]) => value >= scale * 0.9999) ?? [1, "s"];
  return `${Number((value / scale).toPrecision(3)).toLocaleString("en-US")} ${unit}`;
}

const LETTER = 6.8, GAP = 8;

/** Return the ticks of a horizontal axis, without the texts that would run into the one before. */
export function fitting(ticks: Axis["ticks"], pixels: number): Axis["ticks"] {
  let end = -Infinity;
  return ticks.map(([at, text]) => {
    const half = (text.length * LETTER) / 2, middle = at * pixels;
    if (!text || middle - half < end + GAP) return [at, ""];
    end = middle + half;
    return [at, text];
  });
}

export interface Range {
  least: number;
  most: number;
}

/** Return an axis of times. The range takes `room` of the edge; values below it are placed at 0. */
export function timeAxis(label: string, range: Range, log: boolean, room = 1): Axis {
  return log ? logAxis(label, range, tickSeconds, room) : linearAxis(label, { least: 0, most: range.most }, tickSeconds, room);
}

export function linearAxis(label: string, { least, most }: Range, text: (value: number) => string, room = 1): Axis {
  const span = most - least || 1, step = niceStep(span / 6);
  const place = (value: number): number => ((value - least) / span) * room;
  const ticks: [number, string][] = [];
  for (let k = Math.ceil(least / step); k * step <= most + step * 1e-9; k++) {
    const value = Number((k * step).toPrecision(12));
    ticks.push([place(value), text(value)]);
  }
  return { label, ticks, place };
}

function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * decade).find((step) => step >= least * 0.9999)!;
}

/** Return an axis whose decades are ticks; with few decades 2 and 5 are too. */
export function logAxis(label: string, { least, most }: Range, text: (value: number) => string, room = 1): Axis {
  const low = Math.log10(least), high = Math.log10(most), span = high - low || 1;
  const place = (value: number): number => (value > 0 ? Math.max(0, (Math.log10(value) - low) / span) * room : 0);
  const ticks: [number, string][] = [];
  const each = span > MANY_DECADES ? 2 : 1;
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (const step of span < 3 ? STEPS : [1]) {
      const value = Number(`${step}e${decade}`), at = Math.log10(value);
      if (at >= low - 1e-9 && at <= high + 1e-9) ticks.push([place(value), decade % each ? "" : text(value)]);
    }
  }
  return { label, ticks, place };
}

/** Return the least positive and the largest of sorted columns, widened to `most`. */
export function rangeOf(columns: Float64Array[], most: number): Range {
  let least = Infinity;
  for (const column of columns) {
    const first = firstPositive(column);
    if (first < least) least = first;
    most = Math.max(most, column[column.length - 1] ?? 0);
  }
  return { least: floor(Math.min(least, most / 10)), most };
}

function firstPositive(sorted: Float64Array): number {
  for (const value of sorted) if (value > 0) return value;
  return Infinity;
}

/** Return the largest of 1, 2, 5 times a power of ten that is not above the value. */
export function floor(value: number): number {
  const decade = Math.floor(Math.log10(value));
  return Math.max(...STEPS.map((step) => Number(`${step}e${decade}`)).filter((step) => step <= value * 1.0001));
}
