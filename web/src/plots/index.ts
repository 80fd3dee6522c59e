// The panels of plots, in the order of the page. Plots of instances with an objective (gap by time, value and bound) have their
// place between the families and the pairs.
import type { Panel } from "../view.ts";
import { cactusPanel } from "./cactus.ts";
import { differencesPanel } from "./differences.ts";
import { ecdfPanel } from "./ecdf.ts";
import { familiesPanel } from "./families.ts";
import { heatPanel } from "./heat.ts";
import { matrixPanel } from "./matrix.ts";
import { portfolioPanel } from "./portfolio.ts";
import { scatterPanel } from "./scatter.ts";

export const plots: Panel[] = [
  cactusPanel, familiesPanel, scatterPanel, differencesPanel, ecdfPanel, portfolioPanel, matrixPanel, heatPanel,
];
