// Text of other people, as harness/reporting/writing/printable.py shows it.

const ODD = /[\p{C}\p{Z}]/u;
const NAMED: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Return the text on one line, with control and invisible characters as backslash escapes. */
export function printable(text: string): string {
  return escapeOdd(text, (c) => c !== " ");
}

/** The same, but lines stay lines. */
export function printableLines(text: string): string {
  return escapeOdd(text, (c) => c !== " " && c !== "\n");
}

function escapeOdd(text: string, odd: (c: string) => boolean): string {
  if (!ODD.test(text)) return text;
  return text.replace(new RegExp(ODD, "gu"), (c) => (odd(c) ? escape(c) : c));
}

function escape(c: string): string {
  const code = c.codePointAt(0) as number;
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return NAMED[c] ?? `\\${letter}${code.toString(16).padStart(digits as number, "0")}`;
}

/** Return printable text that spreadsheets do not take for a formula; numbers stay as they are. */
export function csvCell(text: string): string {
  const safe = printable(text);
  return /^[=+\-@]/.test(safe) && !(safe.length > 1 && Number.isFinite(Number(safe))) ? `'${safe}` : safe;
}

/** Return a word as a POSIX shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Return lines of cells as CSV. */
export function csv(lines: Iterable<string[]>): string {
  const parts: string[] = [];
  for (const line of lines) parts.push(line.map((cell) => quoted(csvCell(cell))).join(","));
  return `${parts.join("\n")}\n`;
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
