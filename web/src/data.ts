// Read the page's data: base64 of gzip of a container, as harness/reporting/page/container.py writes it.
// docs/reference/report-page.md has the format.
import { bytes, numbers, signed, type Column, type Text } from "./container.ts";
import { lazy } from "./memo.ts";
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

interface StoredJournal extends Omit<Journal, Decoded | "names" | "size" | "leftOut" | "contenders" | "searches" | "command">, Record<Decoded, Column> {
  names: Text;
  labels?: string[];
  left_out: string[];
  places: (Place | null)[];
  contenders: StoredContender[];
  drawings: Text;
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
  /** Bytes of all texts, which stand before the columns. */
  texts: number;
}

/** Return the report that a document's data element holds. */
export async function load(base64: string): Promise<Report> {
  return decode(await unzip(binary(base64.trim())));
}

function binary(base64: string): Uint8Array<ArrayBuffer> {
  const known = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (known.fromBase64) return known.fromBase64(base64); // browsers of 2025 and later
  const text = atob(base64), found = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) found[i] = text.charCodeAt(i);
  return found;
}

/** Return the container that gzip has compressed. */
async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Parts of a container, of which a reader decodes a column or a list of texts when it is first needed. */
interface Parts {
  columns: Uint8Array;
  texts(place: Text): string[];
}

/** Return the report of a container. */
export function decode(container: Uint8Array): Report {
  const length = new DataView(container.buffer, container.byteOffset).getUint32(0, true), start = 4 + length, decoder = new TextDecoder();
  const header: Header = JSON.parse(decoder.decode(container.subarray(4, start)));
  const columns = container.subarray(start + header.texts);
  const texts = ([offset, size]: Text): string[] => JSON.parse(decoder.decode(container.subarray(start + offset, start + offset + size)));
  const journals = header.journals.map((journal) => decodeJournal(journal, { columns, texts }));
  const [before, after] = (header.pairs ?? []).map((column) => new Int32Array(numbers(column, columns)));
  return { ...header, journals, pairs: header.pairs && [before, after] };
}

function decodeJournal(stored: StoredJournal, { columns, texts }: Parts): Journal {
  const names = lazy(() => texts(stored.names)), drawings = lazy(() => texts(stored.drawings)), drawing = lazy(() => numbers(stored.drawing, columns));
  const block = lazy(() => new Int32Array(numbers(stored.block, columns)));
  const corpus = new Uint16Array(numbers(stored.corpus, columns)), family = new Uint16Array(numbers(stored.family, columns));
  return {
    ...stored,
    ...{ size: corpus.length, corpus, family, leftOut: stored.left_out },
    get names() { return names(); },
    get block() { return block(); },
    contenders: stored.contenders.map((contender, k) => decodeContender(contender, stored.labels?.[k] ?? contender.name, columns)),
    searches: stored.searches && decodeSearches(stored.searches, columns),
    drawing: (i) => drawings()[drawing()[i] - 1] ?? null,
    command: (i, c) => command(stored.places[corpus[i]], names()[i], stored.contenders[c].command),
  };
}

/** Return the shell command of a contender on an instance; "" if the instance came from standard input. */
function command(place: Place | null, name: string, [before, after]: [string, string]): string {
  return place ? `${before} ${shellWord(place.start + name.slice(place.drop))} ${after}` : "";
}

function decodeContender(stored: StoredContender, label: string, columns: Uint8Array): Contender {
  const { name, timed, effects } = stored, small = SMALL.map((key) => [key, bytes(stored[key], columns)]);
  const wall = lazy(() => times(stored.wall, columns)), cpu = lazy(() => times(stored.cpu, columns, wall())), own = { wall, cpu };
  const found = lazy(() => new Int32Array(numbers(stored.found, columns))), why = lazy(() => explanations(numbers(stored.why, columns), stored.texts));
  const steady: Contender["steady"] = {};
  for (const [clock, known] of Object.entries(stored.steady) as [Clock, NonNullable<StoredContender["steady"][Clock]>][]) {
    const level = lazy(() => times(known.seconds, columns, own[clock]()));
    steady[clock] = { noise: known.noise, deviation: known.deviation, get times() { return level(); } };
  }
  return {
    ...(Object.fromEntries(small) as Pick<Contender, (typeof SMALL)[number]>),
    ...{ name, label, timed, effects, steady },
    get wall() { return wall(); },
    get cpu() { return cpu(); },
    get found() { return found(); },
    get why() { return why(); },
    logs: new Map(Object.entries(stored.logs ?? {}).map(([i, paths]) => [Number(i), paths])),
  };
}

/** Return nanoseconds from halves of them, of which 0 is no time; `from` are the times that they are differences to, if they are. */
function times(column: Column, columns: Uint8Array, from?: Float64Array): Float64Array {
  const found = numbers(column, columns);
  for (let i = 0; i < found.length; i++) {
    const halves = from ? (2 * from[i] || 0) + signed(found[i]) : found[i];
    found[i] = halves ? halves / 2 : NaN;
  }
  return found;
}

function explanations(which: Float64Array, texts: string[]): Map<number, string> {
  const found = new Map<number, string>();
  for (let i = 0; i < which.length; i++) if (which[i]) found.set(i, texts[which[i] - 1]);
  return found;
}
