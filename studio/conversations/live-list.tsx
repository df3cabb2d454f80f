import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatFilter, isAboutExchanges, parseFilter } from '../../spec/filter-words.js';
import { admin } from '../live/admin-client.js';
import { findingsByTask, others, tasks, updatesByTask } from '../live/live-state.js';
import { serializeRuns } from '../live/serialize-runs.js';
import { filterText } from '../selection.js';
import { ConversationList } from './conversation-list.js';
import { createListRows, listTasks } from './list-rows.js';
import { filterTasks } from './task-filter.js';

/** Minimum time between two searches in the journal, ms. */
const INTERVAL_MS = 500;
const MOST_TASKS = 20_000;

const allTasks = computed(() => [...tasks.value.values()].reverse());
/** The words about exchanges, as text, and the tasks that the mock finds for them. */
const searchedWords = computed(() => formatFilter(parseFilter(filterText.value).filter(isAboutExchanges)));
const matched = signal<{ words: string; ids: ReadonlySet<string> } | undefined>(undefined);

const rows = computed(() => {
  const found = findingsByTask.value;
  const shown = filterTasks(allTasks.value, found, () =>
    matched.value?.words === searchedWords.value ? matched.value.ids : undefined,
  );
  return createListRows(shown, found);
});

/** The tasks that the list shows, in its order: newest first. */
export const shownTasks = computed(() => listTasks(rows.value));

const search = serializeRuns(async () => {
  const words = searchedWords.value;
  if (words === '') return 0;
  const { tasks: found } = await admin
    .fetchTasks({ exchange: words, limit: MOST_TASKS })
    .catch(() => ({ tasks: [] }));
  matched.value = { words, ids: new Set(found.map(({ id }) => id)) };
  return INTERVAL_MS;
});

/** The list of a running mock or proxy. Words about exchanges are searched in its journal. */
export function LiveList({ withoutScenario }: { withoutScenario: string | undefined }) {
  const words = searchedWords.value;
  useEffect(search, [words, words !== '' && updatesByTask.value]);
  return (
    <ConversationList
      all={allTasks.value}
      rows={rows.value}
      found={findingsByTask.value}
      others={others.value.length}
      withoutScenario={withoutScenario}
    />
  );
}
