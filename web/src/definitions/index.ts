// All definitions, as tests read them.
export * from "./columns.ts";
export * from "./curves.ts";
export * from "./heat.ts";
export * from "./matrix.ts";
export * from "./mean_ranks.ts";
export * from "./pairs.ts";
export * from "./par.ts";
export * from "./portfolio.ts";
export * from "./ranking.ts";
export * from "./scores.ts";
export * from "./skewed.ts";
export * from "./standing.ts";
export * from "./student.ts";
export * from "./workers.ts";
