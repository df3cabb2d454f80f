import type { ExchangeSummary } from '../../mock/admin/stream/exchange-summary.js';
import type { StreamEvents } from '../../mock/admin/stream/live-stream.js';
import type { StreamedFinding } from '../../mock/admin/stream/new-findings.js';
import type { TaskSummary } from '../../mock/control/views.js';
import {
  clocks,
  findingsById,
  gates,
  isOther,
  keys,
  lostCount,
  others,
  resetCount,
  rules,
  tasks,
  updatesByTask,
} from './live-state.js';

/** Exchanges kept for the list. Those of a task are loaded when it is selected. */
const MOST_EXCHANGES = 20_000;
export const MOST_TASKS = 20_000;

interface Batch {
  tasks: TaskSummary[];
  exchanges: ExchangeSummary[];
  findings: (StreamedFinding | StreamEvents['withdrawn'])[];
  resets: string[];
}

const createBatch = (): Batch => ({ tasks: [], exchanges: [], findings: [], resets: [] });
let batch = createBatch();
let isScheduled = false;

/** Applies everything that arrives between two frames at once: a fast mock must not freeze the page. */
function scheduleBatch(): void {
  if (isScheduled) return;
  isScheduled = true;
  // A page in the background has no frames.
  const schedule =
    document.visibilityState === 'visible' ? requestAnimationFrame : (go: () => void) => setTimeout(go, 200);
  schedule(() => {
    isScheduled = false;
    const ready = batch;
    batch = createBatch();
    applyBatch(ready);
  });
}

function applyBatch({ tasks: newTasks, exchanges, findings: found, resets }: Batch): void {
  if (resets.length > 0) removeOrganisations(new Set(resets));
  countUpdates([...newTasks.map(({ id }) => id), ...exchanges.flatMap(({ task }) => task ?? [])]);
  if (newTasks.length > 0) {
    const all = new Map(tasks.value);
    for (const task of newTasks) all.set(task.id, task);
    for (const id of [...all.keys()].slice(0, Math.max(0, all.size - MOST_TASKS))) all.delete(id);
    tasks.value = all;
  }
  if (found.length > 0) applyFindings(found);
  if (exchanges.length === 0) return;
  const fresh = exchanges.filter((each) => each.status !== undefined && isOther(each));
  if (fresh.length > 0) others.value = [...others.value, ...fresh].slice(-MOST_EXCHANGES);
}

function countUpdates(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const news = new Map(updatesByTask.value);
  for (const id of ids) news.set(id, (news.get(id) ?? 0) + 1);
  updatesByTask.value = news;
}

/** A finding that grows replaces the earlier one in its place. */
function applyFindings(found: Batch['findings']): void {
  const all = new Map(findingsById.value);
  for (const each of found) {
    const key = `${each.organisation} ${each.id}`;
    if ('rule' in each) all.set(key, each);
    else all.delete(key);
  }
  findingsById.value = all;
}

/** Tasks that were known when the stream was connected again, until its first event. */
let knownBefore: ReadonlySet<string> = new Set();

export function setKnownTasks(ids: Iterable<string>): void {
  knownBefore = new Set(ids);
}

function removeOrganisations(names: ReadonlySet<string>): void {
  resetCount.value++;
  const isKept = ({ organisation }: { organisation?: string }) => !names.has(organisation ?? '');
  const omitNames = <T>(map: ReadonlyMap<string, T>) =>
    new Map([...map].filter(([name]) => !names.has(name)));
  const gone = new Set([...tasks.value.values()].filter((each) => !isKept(each)).map(({ id }) => id));
  lostCount.value += [...gone].filter((id) => knownBefore.has(id)).length;
  tasks.value = new Map([...tasks.value].filter(([id]) => !gone.has(id)));
  others.value = others.value.filter(isKept);
  findingsById.value = new Map(
    [...findingsById.value].filter(([, each]) => each.organisation !== undefined && isKept(each)),
  );
  clocks.value = omitNames(clocks.value);
  rules.value = omitNames(rules.value);
  gates.value = omitNames(gates.value);
  keys.value = omitNames(keys.value);
}

/** A reset removes earlier events only. */
export function applyReset(organisation: string): void {
  applyBatch(batch);
  applyBatch({ ...createBatch(), resets: [organisation] });
  batch = createBatch();
}

/** Keeps the data of an event for the next frame. */
export const collect =
  <K extends keyof Batch>(name: K) =>
  (data: Batch[K][number]) => {
    (batch[name] as unknown[]).push(data);
    scheduleBatch();
  };

/** Tasks from the stream are newer. */
export function addOlderTasks(loaded: readonly TaskSummary[]): void {
  const known = new Set(batch.tasks.map(({ id }) => id));
  const older = loaded.filter(({ id }) => !known.has(id));
  tasks.value = new Map([...older.map((task) => [task.id, task] as const), ...tasks.value]);
  scheduleBatch();
}
