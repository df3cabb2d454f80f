import type { Exchange } from '../../spec/vocabulary.js';
import { asFields } from './json.js';
import { ReadExchange } from './read-exchange.js';

/** A task as the exchanges about it show it, in the form in which a mock's admin API lists tasks. Times are ms. */
export function summarizeExchanges(organisation: string, id: string, exchanges: readonly Exchange[]) {
  const read = exchanges.map((exchange) => new ReadExchange(exchange));
  const latest = read.findLast(({ status }) => status !== undefined);
  const status = latest?.status ?? 'running';
  const isOver = status !== 'waiting' && status !== 'running';
  const task = asFields(read.find((each) => each.is('createTask'))?.requestJson)?.task;
  return {
    ...{ id, organisation, status },
    title: typeof task === 'string' ? task.slice(0, 200) : task === null ? 'Session' : '',
    kind: task === null ? ('session' as const) : ('task' as const),
    scenario: exchanges.find(({ scenario }) => scenario !== undefined)?.scenario ?? null,
    created_at: read[0]!.at,
    finished_at: isOver ? latest!.at : null,
    polls: read.filter((each) => each.is('getTask')).length,
  };
}
