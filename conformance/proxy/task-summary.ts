import type { Organisation } from '../../mock/engine/organisation.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { asFields } from '../conversation/json.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { groupBy } from '../group-by.js';

/** A task as the exchanges that passed show it, in the form in which a mock's admin API lists tasks. */
export function summarizeTask({ name, journal }: Organisation, id: string) {
  const exchanges = journal.read(id);
  return exchanges.length === 0 ? undefined : summarize(name, id, exchanges);
}

/** All tasks that the journal of the organisation knows, the oldest first. */
export function summarizeTasks({ name, journal }: Organisation) {
  const about = journal.read().filter(({ task }) => task !== undefined);
  return [...groupBy(about, ({ task }) => task!)].map(([id, exchanges]) => summarize(name, id, exchanges));
}

function summarize(organisation: string, id: string, exchanges: readonly Exchange[]) {
  const read = exchanges.map((exchange) => new ReadExchange(exchange));
  const latest = read.findLast(({ status }) => status !== undefined);
  const status = latest?.status ?? 'running';
  const isOver = status !== 'waiting' && status !== 'running';
  const task = asFields(read.find((each) => each.is('createTask'))?.requestJson)?.task;
  return {
    ...{ id, organisation, status, scenario: null },
    title: typeof task === 'string' ? task.slice(0, 200) : task === null ? 'Session' : '',
    kind: task === null ? 'session' : 'task',
    created_at: read[0]!.at,
    finished_at: isOver ? latest!.at : null,
    polls: read.filter((each) => each.is('getTask')).length,
  };
}
