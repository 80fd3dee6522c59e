// Numbers as text, as harness/reporting/tables.py writes them.

/** Format a number with three significant digits, without an exponent. */
export function number(value: number): string {
  if (value >= 999.5) return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  return value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

const UNITS: [string, number][] = [["s", 1], ["ms", 1e-3], ["us", 1e-6]];

/** Format a time with three digits and a unit, such as 1.23 ms; "-" for null and NaN. */
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  for (const [unit, scale] of UNITS) if (value >= scale * 0.9995) return `${number(value / scale)} ${unit}`;
  return value ? `${(value * 1e9).toFixed(0)} ns` : "0";
}

/** Format a whole number with separators. */
export const count = (value: number): string => value.toLocaleString("en-US");

export const plural = (n: number, word: string): string => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
