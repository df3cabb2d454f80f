import type { Race, RaceDeviation } from '../../conformance/explore/reproduce/race.js';
import { type Layout, toLayout } from '../sequence/layout.js';
import type { SequenceRow } from '../sequence/rows.js';
import { createRunRows, QUIET, type RunRow } from './run-rows.js';

export type RunSide = 'good' | 'bad';

/** Rows side by side: the same request or step in both runs, or a row of one run only. */
export interface RowPair {
  /** px from the top, and the larger height of both. */
  y: number;
  height: number;
  bad: RunRow | undefined;
  good: RunRow | undefined;
  /** Both rows show the same, or only one run exists. */
  isSame: boolean;
  /** Numbers, from 1, of the deviations that changed the row of the bad run, and of those that apply to the row of the good run. */
  deviations: Readonly<Record<RunSide, readonly number[]>>;
}

export interface PairedRuns {
  pairs: RowPair[];
  height: number;
  layouts: { bad: Layout; good: Layout | undefined };
  /** Index of the first pair that differs; undefined if none differs. */
  differsAt: number | undefined;
}

/** Aligns the rows of both runs. `unfolded`: open folds by side. */
export function pairRuns(
  { bad, good, deviations }: Pick<Race, 'bad' | 'good' | 'deviations'>,
  unfolded: Readonly<Record<RunSide, ReadonlySet<number>>>,
): PairedRuns {
  const badRows = createRunRows(bad, unfolded.bad);
  const goodRows = good ? createRunRows(good, unfolded.good) : [];
  const marks = new Map(badRows.map((row) => [row, listMarks(row, deviations)]));
  const changed = new Map<string, readonly number[]>();
  for (const [{ names }, numbers] of marks)
    for (const name of names) if (numbers.length > 0) changed.set(name, numbers);
  let y = 0;
  const pairs = alignRows(badRows, goodRows, new Set(changed.keys())).map(([one, other]): RowPair => {
    const height = Math.max(one?.row.height ?? 0, other?.row.height ?? 0);
    const place = y;
    y += height;
    for (const each of [one, other]) if (each) each.row.y = place;
    const wouldBe = other?.names.flatMap((name) => changed.get(name) ?? []) ?? [];
    return {
      y: place,
      height,
      bad: one,
      good: other,
      isSame: !good || (one !== undefined && one.appearance === other?.appearance),
      deviations: { bad: (one && marks.get(one)) ?? [], good: [...new Set(wouldBe)] },
    };
  });
  const differsAt = pairs.findIndex(({ isSame, ...each }) => !isSame && !isQuietPair(each));
  const createLayout = (side: RunSide) =>
    toLayout(
      pairs.flatMap((pair): SequenceRow[] => (pair[side] ? [pair[side].row] : [])),
      y,
    );
  return {
    pairs,
    height: y,
    layouts: { bad: createLayout('bad'), good: good && createLayout('good') },
    differsAt: differsAt === -1 ? undefined : differsAt,
  };
}

function listMarks({ row, names }: RunRow, deviations: readonly RaceDeviation[]): number[] {
  return deviations.flatMap((deviation, index) => {
    const isHit =
      row.kind === 'exchange'
        ? row.part !== 'response' && deviation.seqs.includes(row.seq)
        : row.kind === 'note' && names.includes(`step ${deviation.step}`);
    return isHit ? [index + 1] : [];
  });
}

function isQuietPair({ bad, good }: Pick<RowPair, 'bad' | 'good'>): boolean {
  return (bad?.appearance ?? QUIET) === QUIET && (good?.appearance ?? QUIET) === QUIET;
}

/** Scores of two rows side by side. */
const SAME_APPEARANCE = 3;
const SAME_KEY = 1;
/** Added for a row that a deviation changed and its unchanged counterpart. */
const CHANGED = 4;

/** Rows of each run that are aligned at once: time and memory grow with the square. */
const MOST_AT_ONCE = 1200;

/** Aligns both lists in order: long ones part by part. */
function alignRows(
  bad: readonly RunRow[],
  good: readonly RunRow[],
  changed: ReadonlySet<string>,
): [RunRow | undefined, RunRow | undefined][] {
  const pairs: [RunRow | undefined, RunRow | undefined][] = [];
  let [i, j] = [0, 0];
  while (bad.length - i > MOST_AT_ONCE || good.length - j > MOST_AT_ONCE) {
    const part = alignPart(bad.slice(i, i + MOST_AT_ONCE), good.slice(j, j + MOST_AT_ONCE), changed);
    // The rows at the end of a part may belong to rows after it.
    for (const pair of part.slice(0, Math.max(1, part.length >> 1))) {
      pairs.push(pair);
      if (pair[0]) i++;
      if (pair[1]) j++;
    }
  }
  return [...pairs, ...alignPart(bad.slice(i), good.slice(j), changed)];
}

/** Aligns both lists in order with the highest total score; among equal scores, the earliest pairs. */
function alignPart(
  bad: readonly RunRow[],
  good: readonly RunRow[],
  changed: ReadonlySet<string>,
): [RunRow | undefined, RunRow | undefined][] {
  const scorePair = (one: RunRow, other: RunRow) => {
    if (one.key !== other.key) return 0;
    const isChanged = one.names.some((name) => changed.has(name) && other.names.includes(name));
    return (one.appearance === other.appearance ? SAME_APPEARANCE : SAME_KEY) + (isChanged ? CHANGED : 0);
  };
  // best[i][j]: the highest score of the rows from i and from j on.
  const best = Array.from({ length: bad.length + 1 }, () => new Array<number>(good.length + 1).fill(0));
  for (let i = bad.length - 1; i >= 0; i--)
    for (let j = good.length - 1; j >= 0; j--) {
      const here = scorePair(bad[i]!, good[j]!);
      const paired = here > 0 ? here + best[i + 1]![j + 1]! : 0;
      best[i]![j] = Math.max(paired, best[i + 1]![j]!, best[i]![j + 1]!);
    }
  const pairs: [RunRow | undefined, RunRow | undefined][] = [];
  let [i, j] = [0, 0];
  while (i < bad.length && j < good.length) {
    const here = scorePair(bad[i]!, good[j]!);
    if (here > 0 && best[i]![j] === here + best[i + 1]![j + 1]!) pairs.push([bad[i++], good[j++]]);
    else if (best[i]![j] === best[i + 1]![j]) pairs.push([bad[i++], undefined]);
    else pairs.push([undefined, good[j++]]);
  }
  while (i < bad.length) pairs.push([bad[i++], undefined]);
  while (j < good.length) pairs.push([undefined, good[j++]]);
  return pairs;
}
