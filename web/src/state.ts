// The view's state as the address's hash, and back: what is as at the start is left out.
import { DEFAULTS, type ViewState } from "./view.ts";

const CHOICES: Record<string, readonly string[]> = {
  clock: ["wall", "cpu"],
  theme: ["auto", "light", "dark"],
};

type Value = string | number | boolean | null;

/** Return the state as text after "#", "" for the state at the start; a part of the page that is in sight is a word alone. */
export function toHash({ at, ...state }: ViewState): string {
  const parts: string[] = at ? [at] : [];
  for (const [key, usual] of Object.entries({ ...DEFAULTS, at: undefined })) {
    if (usual === undefined) continue;
    const value = state[key as keyof typeof state] as Value | string[];
    if (Array.isArray(value)) parts.push(...value.map((one) => `${key}=${escaped(one)}`));
    else if (value !== usual) parts.push(`${key}=${escaped(String(value))}`);
  }
  return parts.join("&");
}

/** Return the address of the state with one more condition. */
export function linkWhere(hash: string, where: string): string {
  return `#${hash}${hash && "&"}where=${escaped(where)}`;
}

/** Return the state that a hash stands for; what it can't mean is as at the start. */
export function fromHash(hash: string): ViewState {
  const state: Record<string, unknown> = structuredClone({ ...DEFAULTS });
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key = "", ...rest] = part.split("=");
    if (/^[a-z]+$/.test(key) && !rest.length) state.at = key;
    if (!Object.hasOwn(DEFAULTS, key)) continue;
    const text = unescaped(rest.join("="));
    const usual = state[key];
    if (text === null) continue;
    if (Array.isArray(usual)) usual.push(text);
    else state[key] = parsed(key, text) ?? usual;
  }
  return state as unknown as ViewState;
}

/** Return the value of a key that is no list; undefined if the text is none of its values. */
function parsed(key: string, text: string): Value | undefined {
  const usual = DEFAULTS[key as keyof ViewState];
  if (typeof usual === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (typeof usual === "number" || usual === null) {
    const value = Number(text);
    return text.trim() && Number.isFinite(value) && value >= 0 ? value : undefined;
  }
  return (CHOICES[key] ?? [text]).includes(text) ? text : undefined;
}

/** Return text as a part of an address: halves of surrogate pairs, which names of files may hold, as "~" and four digits. */
function escaped(text: string): string {
  const whole = text.replace(/[~\p{Cs}]/gu, (c) => `~${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return encodeURIComponent(whole).replaceAll("%20", "+");
}

function unescaped(text: string): string | null {
  try {
    const whole = decodeURIComponent(text.replaceAll("+", " "));
    return whole.replace(/~([0-9a-f]{4})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
  } catch {
    return null;
  }
}
