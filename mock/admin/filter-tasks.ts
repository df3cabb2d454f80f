import { isAboutExchanges, matchesSome, parseFilter, type ReadFilterField } from '../../spec/filter-words.js';
import { quote } from '../../spec/show.js';
import type { Organisation } from '../engine/organisation.js';
import type { JournalEntry } from '../exchange/journal-entry.js';
import { AdminError } from './admin-request.js';

const NONE: ReadonlySet<number> = new Set();

/**
 * True for tasks that have an exchange for each word of `filter`: `status:5xx kind:reply body:temp_c`. Without a filter, true for all.
 * Throws AdminError if a word is not about exchanges.
 */
export function createTaskFilter(
  organisations: Iterable<Pick<Organisation, 'journal'>>,
  filter: string | undefined,
): (task: { id: string }) => boolean {
  if (filter === undefined) return () => true;
  const words = parseFilter(filter);
  const wrong = words.find((word) => !isAboutExchanges(word));
  if (wrong)
    throw new AdminError(
      422,
      `exchange: ${quote(wrong.value)} is not about exchanges: use status:5xx, kind:reply, body:TEXT or url:TEXT.`,
    );
  const byTask = new Map<string, ReadFilterField[]>();
  for (const { journal } of organisations)
    for (const entry of journal.since(0, NONE)) {
      if (entry.task === undefined) continue;
      const those = byTask.get(entry.task);
      if (those) those.push(readEntryFields(entry));
      else byTask.set(entry.task, [readEntryFields(entry)]);
    }
  return ({ id }) => matchesSome(words, byTask.get(id) ?? []);
}

const readEntryFields =
  ({ status, kind, url, body, responseBody }: JournalEntry): ReadFilterField =>
  (field) => {
    if (field === 'status') return [status || 'lost'];
    if (field === 'kind') return [kind];
    return field === 'url' ? [url] : [body, responseBody];
  };
