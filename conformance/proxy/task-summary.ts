import type { Organisation } from '../../mock/engine/organisation.js';
import { summarizeExchanges } from '../conversation/task-summary.js';
import { groupBy } from '../group-by.js';

/** A task of the organisation; undefined where no exchange is about it. */
export function summarizeTask({ name, journal }: Organisation, id: string) {
  const exchanges = journal.read(id);
  return exchanges.length === 0 ? undefined : summarizeExchanges(name, id, exchanges);
}

/** All tasks that the journal of the organisation knows, the oldest first. */
export function summarizeTasks({ name, journal }: Organisation) {
  const about = journal.read().filter(({ task }) => task !== undefined);
  return [...groupBy(about, ({ task }) => task!)].map(([id, exchanges]) =>
    summarizeExchanges(name, id, exchanges),
  );
}
