import type { Exchange } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';

/** Which exchanges to read. All given parts must hold. */
export interface JournalQuery {
  key?: string;
  /** Id of the task they are about. */
  task?: string;
  /** `create`, `poll`, `reply`, `action`, `cancel`, or an operation id. */
  kind?: string;
  /** Only those with a greater `seq`. */
  since?: number;
  /** At most so many: the first ones where `since` is given, else the last ones. */
  limit?: number;
}

/** Oldest first, organisation by organisation; keys redacted. */
export function readJournal(
  organisations: readonly Organisation[],
  { task, kind, since, limit }: JournalQuery,
): Exchange[] {
  let found = organisations.flatMap(({ journal }) => journal.read(task));
  if (kind !== undefined) found = found.filter((exchange) => exchange.kind === kind);
  if (since !== undefined) found = found.filter((exchange) => exchange.seq > since);
  if (limit === undefined || found.length <= limit) return found;
  return since === undefined ? found.slice(found.length - limit) : found.slice(0, limit);
}
