// Columns of the page's container, as harness/reporting/page/container.py writes them.

/** Offset, number of values, and planes of bytes, the lowest first. */
export type Column = [offset: number, count: number, planes: number];
/** Offset among the texts, and number of bytes. */
export type Text = [offset: number, size: number];

/** Return a column: whole numbers from 0 to 2**53. */
export function numbers([offset, count, planes]: Column, columns: Uint8Array): Float64Array {
  const found = new Float64Array(count);
  for (let plane = 0, scale = 1; plane < planes; plane++, scale *= 256) {
    const start = offset + plane * count;
    for (let i = 0; i < count; i++) found[i] += columns[start + i] * scale;
  }
  return found;
}

/** Return a column of numbers below 256, without a copy. */
export const bytes = ([offset, count, planes]: Column, columns: Uint8Array): Uint8Array => (planes ? columns.subarray(offset, offset + count) : new Uint8Array(count));

/** Return the number that 0, 1, 2, 3, 4, ... stands for: 0, -1, 1, -2, 2, ... */
export function signed(number: number): number {
  const half = Math.floor(number / 2);
  return number === 2 * half ? half : -half - 1;
}
