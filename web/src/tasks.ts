// Computations of a selection that take long: done in slices, so that the page stays usable, and once.
import { cached, once } from "./memo.ts";

export interface Task<T> {
  steps: Generator<void, T>;
  result?: T;
}

/** Milliseconds of a slice, and before the first: who types a filter is not disturbed. */
const SLICE = 20, PAUSE = 250;

const tasks = once((_: Int32Array) => new Map<string, Task<any>>());

/** Return the task of a key, begun once for each selection of instances. */
export function task<T>(selected: Int32Array, key: string, begin: () => Generator<void, T>): Task<T> {
  return cached(tasks(selected), key, () => ({ steps: begin() }));
}

/** Work on tasks, and call `changed` at the start and after each; a printer gets no later chance. Return what stops it. */
export function advance(all: Task<unknown>[], changed: () => void): () => void {
  const budget = "print" in document.documentElement.dataset ? Infinity : SLICE;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const work = (): void => {
    const start = performance.now();
    for (const open of all.filter((one) => !one.result)) {
      if (!finish(open, start + budget)) break;
      changed();
    }
    if (all.some((one) => !one.result)) timer = setTimeout(work);
  };
  changed();
  if (budget === Infinity) work();
  else timer = setTimeout(work, PAUSE);
  return () => clearTimeout(timer);
}

/** Work on a task until a time; return whether it is done. */
function finish<T>(open: Task<T>, end: number): boolean {
  while (performance.now() < end) {
    const step = open.steps.next();
    if (!step.done) continue;
    open.result = step.value;
    return true;
  }
  return false;
}
