// Read the page's data: base64 of gzip of a container, as harness/reporting/page/container.py writes it.
// docs/report-page.md has the format.
import { numbers, signed, type Column } from "./container.ts";
import type { Clock, Contender, Groups, Headline, Journal, Numbers, Places, Report, Tile } from "./report.ts";
import { decodeSearches, type StoredSearches } from "./searches.ts";
import { quoted } from "./shell.ts";

interface StoredContender {
  name: string;
  timed: Record<Clock, boolean>;
  effects: Record<Clock, (number | null)[]>;
  steady: Partial<Record<Clock, { seconds: Column; noise: number; deviation: number }>>;
  command: [before: string, after: string];
  state: Column;
  unsatisfiable: Column;
  proofless: Column;
  verdict: Column;
  wall: Column;
  cpu: Column;
  found: Column;
  evidence: Column;
  texts: string[];
  why: Column;
  logs?: Record<string, string[]>;
}

interface StoredJournal {
  path: string;
  facts: string[];
  clock: Clock;
  labels: string[];
  left_out: string[];
  start: string;
  headlines: Record<Clock, Headline>;
  trust: Tile[];
  limits: Record<Clock, number>;
  names: string[];
  corpus: Column;
  corpora: string[];
  places: (Place | null)[];
  family: Column;
  families: string[];
  block: Column;
  verdicts: string[];
  contenders: StoredContender[];
  drawings: string[];
  drawing: Column;
  summary: any;
  searches: StoredSearches | null;
  matrix?: Places;
  groups?: Groups | null;
  numbers?: Numbers | null;
}

/** FILE or FILE:LINE of an instance: its name with `start` in the place of the first `drop` characters. */
interface Place {
  start: string;
  drop: number;
}

interface Header {
  journals: StoredJournal[];
  comparison: any | null;
  headline: Headline | null;
  pairs: [Column, Column] | null;
  command: string;
  version: string;
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
  const { comparison, headline, command, version } = header;
  return { journals, comparison, headline, pairs: header.pairs && [before, after], command, version };
}

function decodeJournal(stored: StoredJournal, columns: Uint8Array): Journal {
  const { path, facts, clock, start, headlines, trust, limits, names, corpora, families, verdicts, summary } = stored;
  const corpus = Uint16Array.from(numbers(stored.corpus, columns));
  const drawing = numbers(stored.drawing, columns);
  return {
    ...{ path, facts, clock, start, headlines, trust, limits, names, corpora, families, verdicts, summary, corpus },
    leftOut: stored.left_out,
    family: Uint16Array.from(numbers(stored.family, columns)),
    block: Int32Array.from(numbers(stored.block, columns)),
    contenders: stored.contenders.map((contender, k) => decodeContender(contender, stored.labels?.[k] ?? contender.name, columns)),
    matrix: stored.matrix ?? { rows: [], columns: [], row: [], column: [], peer: [] },
    groups: stored.groups ?? null,
    numbers: stored.numbers ?? null,
    searches: stored.searches && decodeSearches(stored.searches, columns),
    drawing: (i) => (drawing[i] ? stored.drawings[drawing[i] - 1] : null),
    command: (i, c) => command(stored.places[corpus[i]], names[i], stored.contenders[c].command),
  };
}

/** Return the shell command of a contender on an instance; "" if the instance came from standard input. */
function command(place: Place | null, name: string, [before, after]: [string, string]): string {
  return place ? `${before} ${quoted(place.start + name.slice(place.drop))} ${after}` : "";
}

function decodeContender(stored: StoredContender, label: string, columns: Uint8Array): Contender {
  const small = (column: Column) => Uint8Array.from(numbers(column, columns));
  const wall = numbers(stored.wall, columns);
  const cpu = numbers(stored.cpu, columns).map((apart, i) => wall[i] + signed(apart)), halves = { wall, cpu };
  const steady: Contender["steady"] = {};
  for (const clock of ["wall", "cpu"] as const) {
    const known = stored.steady[clock];
    if (known) steady[clock] = { ...known, times: numbers(known.seconds, columns).map((apart, i) => time(halves[clock][i] + signed(apart))) };
  }
  return {
    name: stored.name,
    label,
    timed: stored.timed,
    effects: stored.effects,
    steady,
    state: small(stored.state),
    unsatisfiable: small(stored.unsatisfiable),
    proofless: small(stored.proofless),
    verdict: small(stored.verdict),
    wall: wall.map(time),
    cpu: cpu.map(time),
    found: Int32Array.from(numbers(stored.found, columns)),
    evidence: small(stored.evidence),
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
