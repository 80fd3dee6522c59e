// Numbers as text, as harness/reporting/views/run_lines.py writes them.

const plain = new Intl.NumberFormat("en-US"), whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Format a number with three significant digits, without an exponent. */
export function number(value: number): string {
  if (value >= 999.5) return whole.format(value);
  return value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

const UNITS: [string, number][] = [["s", 1], ["ms", 1e-3], ["us", 1e-6]];

/** Format a time with three digits and a unit, such as 1.23 ms; "-" for null and NaN. */
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  for (const [unit, scale] of UNITS) if (value >= scale * 0.9995) return `${number(value / scale)} ${unit}`;
  return value ? `${(value * 1e9).toFixed(0)} ns` : "0";
}

/** Format a score that is a sum: a whole number without decimals. */
export const total = (value: number): string => (Number.isInteger(value) ? count(value) : number(value));

/** Format a share with three digits, such as 4.1 %. */
export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

/** Format a whole number with separators. */
export const count = (value: number): string => plain.format(value);

export const plural = (n: number, word: string): string => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

export interface TimeUnit {
  name: string;
  text(value: number): string;
}

const NANO: [string, number] = ["ns", 1e-9], MOST_SHOWN = 10_000;

/** Return the unit in which all times of a column are shown: the smallest in which the largest has few digits, or a larger one in which all are 1 or more. */
export function timeUnit(values: (number | null)[]): TimeUnit {
  const known = values.filter((v): v is number => Boolean(v)), least = Math.min(...known), most = Math.max(0, ...known);
  const short = [...UNITS, NANO].filter(([, scale]) => most < scale * MOST_SHOWN).pop() ?? UNITS[0];
  const [name, scale] = UNITS.find(([, scale]) => scale >= short[1] && least >= scale * 0.9995) ?? short;
  const small = (v: number): string => (v ? v.toFixed(Math.min(9, 2 - Math.floor(Math.log10(v)))) : "0");
  return { name, text: (value) => (value / scale >= 0.0995 ? number(value / scale) : small(value / scale)) };
}
