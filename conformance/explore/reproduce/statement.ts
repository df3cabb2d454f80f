import { DEVIATION_KINDS, REACH } from '../schedule/candidates.js';
import type { ExploreReport } from '../types.js';

interface Covered {
  coverage: ExploreReport['coverage'];
  scenarios: number;
  deviations: number;
  unrealised: number;
  schedules: number;
  /** Schedules of random walks, and how many deviations they have at most. */
  walked: number;
  longest: number;
  shard: { part: number; of: number } | undefined;
  ended: ExploreReport['ended'];
}

/** What was tried, in words, and what was not. */
export function stateCoverage(covered: Covered): string {
  const { coverage, scenarios, deviations, unrealised, schedules, walked, longest, shard, ended } = covered;
  const levels = Array.from({ length: deviations + 1 }, (_, level) => {
    const own = coverage.filter((each) => each.deviations === level);
    return { level, run: sum(own, 'run'), of: sum(own, 'of') };
  });
  const whole = levels.filter(
    ({ run, of }, level) => run >= of && levels[0]!.run >= scenarios && isWholeUpTo(levels, level),
  );
  const most = whole.length - 1;
  const over = `over ${count(scenarios, 'scenario')}`;
  const part = shard && shard.of > 1 ? ` (part ${shard.part} of ${shard.of})` : '';
  const sentences: string[] = [];
  if (most < 0) sentences.push(`Not every scenario was run: ${levels[0]!.run} of ${scenarios}.`);
  else if (most === 0) sentences.push(`The default schedule of ${count(scenarios, 'scenario')} was run.`);
  else {
    const run = levels.slice(0, most + 1).reduce((all, each) => all + each.run, 0);
    sentences.push(
      `Every schedule${part} with at most ${count(most, 'deviation')} of ${DEVIATION_KINDS.length} kinds ${over} was run: ${number(run)}.`,
    );
  }
  for (const { level, run, of } of levels.slice(Math.max(most + 1, 1))) {
    const about = level > most + 1 || run < of ? 'about ' : '';
    if (run > 0)
      sentences.push(
        `Of those${most > 0 ? '' : part} with ${level}, ${number(run)} of ${about}${number(of)}, closest pairs first.`,
      );
    else sentences.push(`None with ${level} of about ${number(of)}.`);
  }
  if (walked > 0)
    sentences.push(
      `Then ${count(walked, 'random schedule')} with ${deviations + 1} to ${longest} deviations.`,
    );
  if (unrealised > 0)
    sentences.push(
      `In ${number(unrealised)} of ${number(schedules)} a deviation did not come about: these neither passed nor failed.`,
    );
  sentences.push(
    `Things that change places are at most ${REACH} apart; of polls in a row that learn nothing the first stands for all. Other orders were not tried.`,
  );
  if (ended === 'aborted') sentences.unshift('The search was stopped before its end.');
  return sentences.join(' ');
}

function isWholeUpTo(levels: readonly { run: number; of: number }[], level: number): boolean {
  return levels.slice(0, level + 1).every(({ run, of }) => run >= of);
}

function sum<K extends string>(list: readonly Record<K, number>[], key: K): number {
  return list.reduce((all, each) => all + each[key], 0);
}

function count(n: number, word: string): string {
  return `${number(n)} ${word}${n === 1 ? '' : 's'}`;
}

function number(n: number): string {
  return n.toLocaleString('en-US');
}
