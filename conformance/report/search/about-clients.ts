import type { Exchange } from '../../../spec/vocabulary.js';
import type { Advice, CheckResult, ConformReport } from '../../service/runner/result.js';
import { curlOf } from '../exchange-text.js';
import { count, oneLine } from '../text.js';
import { tally } from '../view.js';

/** The line that sends a request again. None for those of a client: the service that it talked to is gone. */
export function repeatOf(exchange: Exchange, { target }: ConformReport): string[] {
  return target.client === undefined ? [curlOf(exchange, target.base_url)] : [];
}

/** The line that shows a failure again, where a request does not. */
export function againOf({ again }: CheckResult): string[] {
  return again === undefined ? [] : [`See it again: ${oneLine(again)}`];
}

/** One piece of advice, and every place where it holds. */
export interface AdviceGroup {
  /** The rule that it comes from: CLIENT-03. */
  rule: string;
  items: Advice[];
}

/** The advice of a report by the rule that it comes from, the most frequent first. */
export function adviceOf({ advice = [] }: ConformReport): AdviceGroup[] {
  return tally(advice, ({ rule }) => rule).map(({ key, items }) => ({ rule: key, items }));
}

/** `CLIENT-03, in polling/one-shot and 3 more`. */
export function whereAdvised({ rule, items }: AdviceGroup): string {
  const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
  return oneLine(`${rule}, in ${items[0]!.scenario}${more}`);
}

/** What a search covered and where it was not the same twice, in words; nothing of other runs. */
export function searchedLines({ searched }: ConformReport): string[] {
  if (searched === undefined) return [];
  const { schedules, distinct, unrealised, repeated, unsteady, statement } = searched;
  const runs = `${count(schedules, 'schedule')}: ${distinct} distinct, ${unrealised} unrealised; ${repeated} run twice, ${unsteady.length} of them unsteady`;
  return [oneLine(statement), `${runs}.`, ...unsteady.map((each) => `Unsteady: ${oneLine(each)}`)];
}
