// Colours of a heat map: the scale cividis (Nunez and others, 2018), which people with any colour vision read alike.

const CIVIDIS = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"];
export const LEVELS = 24;

/** Return the colour of a level, from bright for low to dark for high times. */
export function levelColor(level: number): string {
  const at = (1 - level / (LEVELS - 1)) * (CIVIDIS.length - 1), low = Math.min(Math.floor(at), CIVIDIS.length - 2);
  const [a, b] = [channels(CIVIDIS[low]), channels(CIVIDIS[low + 1])];
  return `#${a.map((v, k) => Math.round(v + (b[k] - v) * (at - low)).toString(16).padStart(2, "0")).join("")}`;
}

const channels = (color: string): number[] => [1, 3, 5].map((k) => parseInt(color.slice(k, k + 2), 16));

/** Return the level of a value on a logarithmic scale. */
export function levelOf(value: number, least: number, most: number): number {
  const share = most > least ? Math.log(Math.max(value, least) / least) / Math.log(most / least) : 0;
  return Math.max(0, Math.min(LEVELS - 1, Math.floor(share * LEVELS)));
}

/** Return the text colour that can be read on a level. */
export const onLevel = (level: number): string => (level < LEVELS * 0.53 ? "#000000" : "#ffffff");
