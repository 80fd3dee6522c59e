// Student's t, as harness/reporting/statistics/estimates.py and workers.py have it.

const MOST_FREEDOM = 200;

/** Return the two-sided p-value of a distance in standard errors; degrees of freedom are rounded down. */
export function studentP(distance: number, freedom: number): number {
  const n = Math.max(1, Math.floor(Math.min(freedom, MOST_FREEDOM))), angle = Math.atan(distance / Math.sqrt(n));
  const cosine = Math.cos(angle), sine = Math.sin(angle);
  let term = 1, total = n > 1 ? 1 : 0;
  for (let k = 2 + (n % 2); k <= n - 2; k += 2) total += term *= (cosine ** 2 * (k - 1)) / k;
  const inside = n % 2 ? ((angle + sine * cosine * total) * 2) / Math.PI : sine * total;
  return Math.max(0, 1 - inside);
}

/** Return the distance that has a p-value, by bisection. */
export function distanceAt(pValue: number, freedom: number): number {
  let low = 0, high = 1000;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return low;
    if (studentP(middle, freedom) > pValue) low = middle;
    else high = middle;
  }
}
