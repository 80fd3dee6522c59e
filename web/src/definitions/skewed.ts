// Intervals of means of skewed values over families like these: harness/reporting/statistics/skewed.py.
import { distanceAt } from "./student.ts";

const LEVEL = 0.05, WEIGHT = 0.25;

const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Return how many equal values have the same sum of squared shares. */
const equalOf = (values: number[]): number => total(values) ** 2 / total(values.map((value) => value ** 2));

/** Return the distance of Student's interval in standard errors, of as many equal families. */
const quantile = (equal: number): number => distanceAt(LEVEL, Math.max(1, Math.floor(equal) - 1));

/** Return the interval of the mean of values, 0 or more, each of a family; 0 to infinity if it is not known. */
export function meanInterval(values: number[], families: number[]): [low: number, high: number] {
  const numbers = new Map<number, number>(), sums: number[] = [], sizes: number[] = [];
  values.forEach((value, i) => {
    const at = numbers.get(families[i]) ?? numbers.size;
    numbers.set(families[i], at);
    sums[at] = (sums[at] ?? 0) + value;
    sizes[at] = (sizes[at] ?? 0) + 1;
  });
  const sum = total(sums), n = values.length, log = Math.log(sum / n), count = sums.length;
  const equal = Math.min(equalOf(sums), equalOf(sizes));
  if (!(sum > 0) || count < 2 || equal <= 1 || sums.some((value) => value >= sum)) return [0, Infinity];
  const without = sums.map((value, at) => Math.log((sum - value) / (n - sizes[at]))), middle = total(without) / count;
  const half = quantile(equal) * Math.sqrt((total(without.map((value) => (value - middle) ** 2)) * (count - 1)) / count);
  const means = sums.map((value, at) => value / sizes[at]).filter((mean) => mean > 0), weights = means.map((mean) => mean ** WEIGHT);
  const weighed = equalOf(weights), weight = total(weights), centre = total(means.map((mean, at) => (Math.log(mean) * weights[at]) / weight));
  if (weighed <= 1) return [Math.exp(log - half), Math.exp(log + half)];
  const spread = (total(means.map((mean, at) => (weights[at] / weight) * (Math.log(mean) - centre) ** 2)) * weighed) / (weighed - 1);
  const wide = quantile(weighed) * Math.sqrt(spread / equalOf(sizes) + spread ** 2 / (2 * (weighed - 1)));
  return [Math.exp(log - half), Math.exp(log + Math.max(half, wide))];
}
