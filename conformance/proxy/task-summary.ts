import type { Organisation } from '../../mock/engine/organisation.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { asFields } from '../conversation/json.js';
import { ReadExchange } from '../conversation/read-exchange.js';

/** A task as the exchanges that passed show it, in the form in which a mock's admin API lists tasks. */
export function summarizeExchanges(organisation: Organisation, id: string) {
  const read = organisation.journal.read(id).map((exchange: Exchange) => new ReadExchange(exchange));
  const first = read[0];
  if (!first) return undefined;
  const latest = read.findLast(({ status }) => status !== undefined);
  const status = latest?.status ?? 'running';
  const isOver = status !== 'waiting' && status !== 'running';
  const task = asFields(read.find((each) => each.is('createTask'))?.requestJson)?.task;
  return {
    ...{ id, organisation: organisation.name, status, scenario: null },
    title: typeof task === 'string' ? task.slice(0, 200) : task === null ? 'Session' : '',
    kind: task === null ? 'session' : 'task',
    created_at: first.at,
    finished_at: isOver ? latest!.at : null,
    polls: read.filter((each) => each.is('getTask')).length,
  };
}
