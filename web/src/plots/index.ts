// The panels of plots, in the order of the page.
import type { Panel } from "../view.ts";
import { cactusPanel } from "./cactus.ts";
import { coursesPanel } from "./courses.ts";
import { differencesPanel } from "./differences.ts";
import { ecdfPanel } from "./ecdf.ts";
import { familiesPanel } from "./families.ts";
import { heatPanel } from "./heat.ts";
import { matrixPanel } from "./matrix.ts";
import { qualityPanels } from "./quality.ts";
import { portfolioPanel } from "./portfolio.ts";
import { scatterPanel } from "./scatter.ts";

export const plots: Panel[] = [
  cactusPanel, familiesPanel, ...qualityPanels, coursesPanel, scatterPanel, differencesPanel, ecdfPanel, portfolioPanel, matrixPanel, heatPanel,
];
