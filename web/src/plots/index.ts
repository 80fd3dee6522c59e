// The panels of plots, in the order of the page.
import type { Panel } from "../view.ts";
import { cactusPanel } from "./cactus.ts";
import { comparePanel } from "./compare.ts";
import { differencesPanel } from "./differences.ts";
import { ecdfPanel } from "./ecdf.ts";
import { heatPanel } from "./heat.ts";
import { matrixPanel } from "./matrix.ts";
import { par2Panel } from "./par2.ts";
import { portfolioPanel } from "./portfolio.ts";
import { scatterPanel } from "./scatter.ts";

export const plots: Panel[] = [
  comparePanel, cactusPanel, ecdfPanel, par2Panel, portfolioPanel, scatterPanel, differencesPanel, matrixPanel, heatPanel,
];
