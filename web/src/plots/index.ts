// The panels of plots, in the order of the page.
import type { Panel } from "../view.ts";
import { cactusPanel } from "./cactus.ts";
import { ecdfPanel } from "./ecdf.ts";
import { scatterPanel } from "./scatter.ts";

export const plots: Panel[] = [cactusPanel, ecdfPanel, scatterPanel];
