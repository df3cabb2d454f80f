import type { Exchange } from '../../../spec/vocabulary.js';
import type { Advice, CheckResult } from '../../service/runner/result.js';

/** Exchanges of runs that nothing was found in that a report keeps. */
const MOST_OF_GOOD_RUNS = 2000;
/** Exchanges of one run: its beginning and its end, where there are more. */
const MOST_OF_A_RUN = 200;

interface Part {
  checks: CheckResult[];
  advice: Advice[];
  exchanges: Exchange[];
}

/**
 * What many runs have come to, in their order, the exchanges numbered so that no number is there twice. Each part has
 * its own numbers, from 1. Where there are very many exchanges, those that show nothing are left out.
 */
export function gathered(parts: readonly Part[]): Part {
  const whole: Part = { checks: [], advice: [], exchanges: [] };
  let offset = 0;
  let good = 0;
  for (const part of parts) {
    const isGood = part.advice.length === 0 && part.checks.every(({ outcome }) => outcome !== 'failed');
    const kept = isGood && good >= MOST_OF_GOOD_RUNS ? [] : part.exchanges;
    if (isGood) good += kept.length;
    const seqs = new Set(kept.map(({ seq }) => seq));
    const moved = (evidence: readonly number[]) =>
      evidence.filter((seq) => seqs.has(seq)).map((seq) => seq + offset);
    // Messages speak of exchanges by their number too.
    const told = (message: string) => renumbered(message, offset);
    for (const check of part.checks)
      whole.checks.push({ ...check, message: told(check.message), evidence: moved(check.evidence) });
    for (const each of part.advice)
      whole.advice.push({ ...each, message: told(each.message), evidence: moved(each.evidence) });
    for (const exchange of kept) whole.exchanges.push({ ...exchange, seq: exchange.seq + offset });
    offset += part.exchanges.at(-1)?.seq ?? 0;
  }
  return whole;
}

/** What a report keeps of a run, the last exchange included. */
export function keptOf({ checks, advice, exchanges }: Part): Exchange[] {
  if (exchanges.length <= MOST_OF_A_RUN) return exchanges;
  const shown = new Set([...checks, ...advice].flatMap(({ evidence }) => evidence));
  const half = MOST_OF_A_RUN / 2;
  return exchanges.filter(({ seq }, at) => at < half || at >= exchanges.length - half || shown.has(seq));
}

/** `exchange 3` by its new number; also in `exchanges 3 and 4` and `answers 3, 5`. */
export function renumbered(message: string, offset: number): string {
  if (offset === 0) return message;
  return message.replace(
    /\b(exchanges?|answers?) (\d+(?:(?:, | and )\d+)*)/gi,
    (_, word: string, list: string) =>
      `${word} ${list.replace(/\d+/g, (seq) => String(Number(seq) + offset))}`,
  );
}
