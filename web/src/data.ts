// What stands in the page, and what follows from it.

import type { TraceData } from "./timeline";

export type Median = [number, number, number];

export interface Row {
  algorithm: string;
  chosen: boolean;
  correct: boolean;
  repetitions: number;
  unmet?: string;
  taken?: string;
  us?: Median;
  speed_up?: Median;
  over_bound?: number;
}

export interface Regret {
  with_native: number;
  best: string;
  without_native: number;
  best_without_native: string;
  noise: number;
  native_wins: boolean;
}

export interface Cell {
  collective: string;
  p: number;
  bytes: number;
  distribution: string;
  type: string;
  root: number;
  bound_us: number;
  failure?: string;
  rows: Row[];
  regret?: Regret;
}

export interface Judgement {
  rule: string;
  p: number;
  bytes: number;
  who: string;
  left_us: Median;
  right_us: Median;
  factor: Median;
  violated: boolean;
}

export interface Share { cells: number; median: number; p95: number; most: number }

export interface Results {
  file: string;
  version: string;
  commit: string;
  date: string;
  command: string[];
  mpi: string;
  mpi_library?: string;
  ranks: number;
  layout: { host: string; ranks: string }[];
  system: string;
  processor: string;
  cores: number;
  bed: string;
  environment?: Record<string, string>;
  method: Record<string, unknown>;
  line: { alpha_us: number; beta_ns_per_byte: number; source: string };
  complete: boolean;
  cells?: Cell[];
  guidelines?: Judgement[];
  regret?: { with_native: Share; without_native: Share; noise: Share; native_wins: string[] };
}

export interface Profile {
  file: string;
  name: string;
  source: string;
  decisions?: { collective: string; topology: string; blocks?: string;
                choices: { from: number; algorithm: string; us: number; measured: boolean }[] }[];
  [field: string]: unknown;
}

export interface Scene {
  title: string;
  us: number;
  /** [from, to, combines, bytes, what, begin in us, end] */
  messages: [number, number, number, number, string, number, number][];
  /** Four numbers for each: rank, first part, last part, set or -1. */
  changes: number[];
  copies?: number[];
  reductions?: number[];
}

export interface Film {
  title: string;
  key: string;
  name: string;
  collective: string;
  profile: string;
  p: number;
  parts: string[];
  owners: number[];
  sets: [number, string][];
  scenes: Scene[];
}

/** What `tutti run --record` wrote; seconds are of all ranks together, gains of each. */
export interface RecordRow {
  collective: string;
  communicator: number;
  bytes_at_most: number | null;
  algorithm: string;
  parameters: string;
  why: string;
  calls: number;
  calls_of_all_ranks: number;
  bytes: number | null;
  seconds: number;
  seconds_of_slowest_rank: number;
  waiting_seconds: number | null;
  sampled_calls?: number;
  waited_for?: { rank: number; share: number };
  predicted_us: number | null;
  best: string | null;
  best_us: number | null;
  gain_seconds: number | null;
}
export interface ProgramRecord {
  file: string;
  program: string;
  mpi: string;
  ranks: number;
  topology: string | null;
  wall_seconds: number;
  profile: { name: string; measured: boolean };
  clocks: { number: number; error_us: number };
  communicators: { name: string; size: number; ranks: string; topology: string | null }[];
  rows: RecordRow[];
  advice: string[];
}

export interface Data {
  version?: string;
  results?: Results[];
  profiles?: Profile[];
  schedules?: Film[];
  traces?: TraceData[];
  records?: ProgramRecord[];
}

/** A cell with the file it comes from, and the rows that people ask for. */
export interface Point {
  file: number;
  cell: Cell;
  native?: Row;
  chosen?: Row;
  best?: Row;
}

/** Cells that differ in their size alone. */
export interface Series {
  key: string;
  file: number;
  collective: string;
  p: number;
  data: string;
  points: Point[];
}

const irregular = new Set(["scatterv", "gatherv", "allgatherv", "alltoallv", "alltoallw", "reduce_scatter"]);

/** `spike double`, or nothing where all is as usual. */
export function dataOf(cell: Cell): string {
  const words = [];
  if (irregular.has(cell.collective)) words.push(cell.distribution);
  if (cell.type !== "usual") words.push(cell.type);
  if (cell.root > 0) words.push(`root ${cell.root}`);
  return words.join(" ");
}

export const isNative = (name: string) => name === "native";
/** `bcast/chain:segment=32K` without its collective; the MPI's own by its name. */
export const shortName = (name: string) => isNative(name) ? "MPI's own" : name.slice(name.indexOf("/") + 1);
/** What Tutti took. */
export const takenBy = (row: Row) => row.taken ?? row.algorithm;

export function pointsOf(results: Results[]): Point[] {
  return results.flatMap((each, file) => (each.cells ?? []).map((cell) => {
    const measured = cell.rows.filter((row) => row.us);
    // As `tutti bench` does: the fastest that is right, and Tutti's.
    const ours = measured.filter((row) => !isNative(row.algorithm) && row.correct && !row.taken);
    const best = ours.reduce<Row | undefined>((a, b) => a && a.us![0] <= b.us![0] ? a : b, undefined);
    return { file, cell, native: measured.find((row) => isNative(row.algorithm)),
             chosen: measured.find((row) => row.chosen), best };
  }));
}

export function seriesOf(points: Point[], order: string[]): Series[] {
  const all = new Map<string, Series>();
  for (const point of points) {
    const { cell, file } = point;
    const data = dataOf(cell);
    const key = [file, cell.collective, cell.p, data].join("|");
    if (!all.has(key)) all.set(key, { key, file, collective: cell.collective, p: cell.p, data, points: [] });
    all.get(key)!.points.push(point);
  }
  const list = [...all.values()];
  for (const each of list) each.points.sort((a, b) => a.cell.bytes - b.cell.bytes);
  return list.sort((a, b) => order.indexOf(a.collective) - order.indexOf(b.collective) || a.p - b.p ||
    a.file - b.file);
}

export type Verdict = "faster" | "even" | "slower";
/** Beyond noise: the whole interval lies on one side of 1. */
export function verdictOf(speedUp: Median | undefined): Verdict | undefined {
  if (!speedUp) return undefined;
  return speedUp[1] > 1 ? "faster" : speedUp[2] < 1 ? "slower" : "even";
}

export function geometricMean(values: number[]): number | undefined {
  if (values.length === 0) return undefined;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
