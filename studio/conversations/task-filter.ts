import type { TaskSummary } from '../../mock/control/views.js';
import {
  type FilterWord,
  isAboutExchanges,
  matchesFilter,
  matchesSome,
  parseFilter,
  type ReadFilterField,
} from '../../spec/filter-words.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { describeKey } from '../parts/key-name.js';
import { filterStatus, filterText, onlyFindings } from '../selection.js';

type FindingsByTask = ReadonlyMap<string, readonly Finding[]>;
/** The tasks that have an exchange for each of the words; undefined while they are not known. */
type FindByExchanges = (words: readonly FilterWord[]) => ReadonlySet<string> | undefined;

/** Tasks that match the filters. `found`: findings by task id. `findByExchanges`: for words about exchanges. */
export function filterTasks<T extends TaskSummary>(
  all: readonly T[],
  found: FindingsByTask,
  findByExchanges: FindByExchanges,
): T[] {
  const words = parseFilter(filterText.value);
  const ofTask = words.filter((word) => !isAboutExchanges(word));
  const ofExchanges = words.filter(isAboutExchanges);
  const known = ofExchanges.length > 0 ? findByExchanges(ofExchanges) : undefined;
  const status = filterStatus.value;
  return all.filter(
    (task) =>
      (status === '' || task.status === status) &&
      (!onlyFindings.value || found.has(task.id)) &&
      (known === undefined || known.has(task.id)) &&
      (ofTask.length === 0 || matchesTask(ofTask, task, found)),
  );
}

function matchesTask(words: readonly FilterWord[], task: TaskSummary, found: FindingsByTask): boolean {
  const { id, title, status, kind, scenario, organisation } = task;
  return matchesFilter(words, (field) => {
    switch (field) {
      case 'status':
        return [status];
      case 'kind':
        return [kind];
      case 'rule':
        return (found.get(id) ?? []).map(({ rule }) => rule);
      case 'key':
        return [describeKey(organisation)];
      case 'scenario':
        return [scenario ?? undefined];
      case 'id':
        return [id];
      default:
        return [`${id} ${title} ${scenario ?? ''} ${describeKey(organisation)}`];
    }
  });
}

/** The tasks of a file that have an exchange for each word. */
export function findByExchanges(
  words: readonly FilterWord[],
  byTask: ReadonlyMap<string, readonly Exchange[]>,
): ReadonlySet<string> {
  const found = [...byTask].filter(([, exchanges]) => matchesSome(words, exchanges.map(readExchangeFields)));
  return new Set(found.map(([id]) => id));
}

const readExchangeFields =
  ({ kind, request, response }: Exchange): ReadFilterField =>
  (field) => {
    if (field === 'status') return [response?.status ?? 'lost'];
    if (field === 'kind') return [kind];
    return field === 'url' ? [request.url] : [request.body, response?.body];
  };
