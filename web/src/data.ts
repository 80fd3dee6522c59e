// Read the page's data: base64 of gzip of a container, as harness/reporting/page/container.py writes it.
// docs/report-page.md has the format.
import { numbers, signed, type Column } from "./container.ts";
import { shellWord } from "./printable.ts";
import type { Clock, Contender, Journal, Report } from "./report.ts";
import { decodeSearches, type StoredSearches } from "./searches.ts";

/** Columns of a contender whose numbers are below 256. */
const SMALL = ["state", "unsatisfiable", "proofless", "verdict", "evidence"] as const;

interface StoredContender
  extends Pick<Contender, "name" | "timed" | "effects">, Record<(typeof SMALL)[number] | "wall" | "cpu" | "found" | "why", Column> {
  steady: Partial<Record<Clock, { seconds: Column; noise: number; deviation: number }>>;
  command: [before: string, after: string];
  /** Reasons, which `why` numbers from 1. */
  texts: string[];
  logs?: Record<string, string[]>;
}

type Decoded = "corpus" | "family" | "block" | "drawing";

interface StoredJournal extends Omit<Journal, Decoded | "leftOut" | "contenders" | "searches" | "command">, Record<Decoded, Column> {
  labels?: string[];
  left_out: string[];
  places: (Place | null)[];
  contenders: StoredContender[];
  drawings: string[];
  searches: StoredSearches | null;
}

/** FILE or FILE:LINE of an instance: its name with `start` in the place of the first `drop` characters. */
interface Place {
  start: string;
  drop: number;
}

interface Header extends Omit<Report, "journals" | "pairs"> {
  journals: StoredJournal[];
  pairs: [Column, Column] | null;
}

/** Return the report that a document's data element holds. */
export async function load(base64: string): Promise<Report> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return decode(await unzip(bytes));
}

/** Return the container that gzip has compressed. */
async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the report of a container. */
export function decode(container: Uint8Array): Report {
  const length = new DataView(container.buffer, container.byteOffset).getUint32(0, true);
  const header: Header = JSON.parse(new TextDecoder().decode(container.subarray(4, 4 + length)));
  const columns = container.subarray(4 + length);
  const journals = header.journals.map((journal) => decodeJournal(journal, columns));
  const [before, after] = (header.pairs ?? []).map((column) => Int32Array.from(numbers(column, columns)));
  return { ...header, journals, pairs: header.pairs && [before, after] };
}

function decodeJournal(stored: StoredJournal, columns: Uint8Array): Journal {
  const corpus = Uint16Array.from(numbers(stored.corpus, columns)), drawing = numbers(stored.drawing, columns);
  return {
    ...stored,
    corpus,
    leftOut: stored.left_out,
    family: Uint16Array.from(numbers(stored.family, columns)),
    block: Int32Array.from(numbers(stored.block, columns)),
    contenders: stored.contenders.map((contender, k) => decodeContender(contender, stored.labels?.[k] ?? contender.name, columns)),
    searches: stored.searches && decodeSearches(stored.searches, columns),
    drawing: (i) => (drawing[i] ? stored.drawings[drawing[i] - 1] : null),
    command: (i, c) => command(stored.places[corpus[i]], stored.names[i], stored.contenders[c].command),
  };
}

/** Return the shell command of a contender on an instance; "" if the instance came from standard input. */
function command(place: Place | null, name: string, [before, after]: [string, string]): string {
  return place ? `${before} ${shellWord(place.start + name.slice(place.drop))} ${after}` : "";
}

function decodeContender(stored: StoredContender, label: string, columns: Uint8Array): Contender {
  const { name, timed, effects } = stored, small = SMALL.map((key) => [key, Uint8Array.from(numbers(stored[key], columns))]);
  const wall = numbers(stored.wall, columns);
  const cpu = numbers(stored.cpu, columns).map((apart, i) => wall[i] + signed(apart)), halves = { wall, cpu };
  const steady: Contender["steady"] = {};
  for (const clock of ["wall", "cpu"] as const) {
    const known = stored.steady[clock];
    if (known) steady[clock] = { ...known, times: numbers(known.seconds, columns).map((apart, i) => time(halves[clock][i] + signed(apart))) };
  }
  return {
    ...(Object.fromEntries(small) as Pick<Contender, (typeof SMALL)[number]>),
    ...{ name, label, timed, effects, steady },
    wall: wall.map(time),
    cpu: cpu.map(time),
    found: Int32Array.from(numbers(stored.found, columns)),
    why: explanations(numbers(stored.why, columns), stored.texts),
    logs: new Map(Object.entries(stored.logs ?? {}).map(([i, paths]) => [Number(i), paths])),
  };
}

/** Return nanoseconds from halves of them, of which 0 is no time. */
function time(halves: number): number {
  return halves ? halves / 2 : NaN;
}

function explanations(which: Float64Array, texts: string[]): Map<number, string> {
  const found = new Map<number, string>();
  for (let i = 0; i < which.length; i++) if (which[i]) found.set(i, texts[which[i] - 1]);
  return found;
}
