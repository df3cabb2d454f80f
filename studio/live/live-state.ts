import { computed, signal } from '@preact/signals';
import type { Wire } from '../../mock/admin/admin-request.js';
import type { ExchangeSummary } from '../../mock/admin/stream/exchange-summary.js';
import type { StreamEvents } from '../../mock/admin/stream/live-stream.js';
import type { StreamedFinding } from '../../mock/admin/stream/new-findings.js';
import type { GateView } from '../../mock/control/gates.js';
import type { KeyView } from '../../mock/control/keys.js';
import type { ClockView } from '../../mock/control/mock-clock.js';
import type { TaskSummary } from '../../mock/control/views.js';
import type { ListedRule } from '../../mock/network/rule-book.js';
import { admin, fetchAdmin } from './admin-client.js';
import { readEvents } from './read-events.js';

/** Exchanges kept for the list. Those of a task are loaded when it is selected. */
const MOST_EXCHANGES = 20_000;
const MOST_TASKS = 20_000;

/** `closed`: the mock has stopped, or the stream broke; the page connects again. */
export const connection = signal<'connecting' | 'open' | 'closed'>('connecting');
/** Number of tasks that were loaded so far; undefined when all are. */
export const loading = signal<{ count: number } | undefined>({ count: 0 });
/** While keys wait for the rules. */
export const judging = signal<StreamEvents['judging'] | undefined>(undefined);
/** By id, in order of arrival. */
export const tasks = signal<ReadonlyMap<string, TaskSummary>>(new Map());
/** Requests without a task and refused requests, oldest first. */
export const others = signal<readonly ExchangeSummary[]>([]);
export const clocks = signal<ReadonlyMap<string, Wire<ClockView> & { receivedAt: number }>>(new Map());
export const rules = signal<ReadonlyMap<string, readonly ListedRule[]>>(new Map());
/** Undefined if the mock was started without a client. */
export const clientRuns = signal<StreamEvents['client'] | undefined>(undefined);
/** By organisation. */
export const keys = signal<ReadonlyMap<string, KeyView>>(new Map());
export const gates = signal<ReadonlyMap<string, Wire<GateView>>>(new Map());
const findingsById = signal<ReadonlyMap<string, StreamedFinding>>(new Map());
export const findings = computed(() => [...findingsById.value.values()]);
/** Events of the stream per task: a new number means news. */
export const updatesByTask = signal<ReadonlyMap<string, number>>(new Map());
/** Number of other requests that the stream left out because there were too many. */
export const dropped = signal(0);
/** Views stay at their end while exchanges arrive. */
export const isFollowing = signal(true);
/** Conversations that a restart of the mock removed. */
export const lostCount = signal(0);
/** Number of resets. */
export const resetCount = signal(0);
/** Real time, ms. */
const wall = signal(Date.now());
const TICK_MS = 1000;
/** Pause before the page connects again, ms. */
const RETRY_MS = 1000;

/** The time of an organisation, ms. Computed, because the stream sends a clock only when it is changed. */
export function readNow(organisation: string): number | undefined {
  const clock = clocks.value.get(organisation);
  if (!clock) return undefined;
  return clock.mode === 'real' || clock.mode === 'eager'
    ? clock.now + Math.max(0, wall.value - clock.receivedAt) * clock.speed
    : clock.now;
}

export const findingsByTask = computed(() => {
  const found = new Map<string, StreamedFinding[]>();
  for (const finding of findings.value) {
    if (finding.task === undefined) continue;
    const those = found.get(finding.task);
    if (those) those.push(finding);
    else found.set(finding.task, [finding]);
  }
  return found;
});

/** The request has no task, or was refused. */
export function isOther({ task, status = 200 }: Pick<ExchangeSummary, 'task' | 'status'>): boolean {
  return task === undefined || [400, 401, 404, 405, 413, 422, 429].includes(status);
}

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

const collect =
  <K extends keyof Batch>(name: K) =>
  (data: Batch[K][number]) => {
    (batch[name] as unknown[]).push(data);
    scheduleBatch();
  };

const EVENTS: { readonly [Name in keyof StreamEvents]: (data: StreamEvents[Name]) => void } = {
  task: collect('tasks'),
  exchange: collect('exchanges'),
  finding: collect('findings'),
  withdrawn: collect('findings'),
  reset: ({ organisation }) => {
    // A reset removes earlier events only.
    applyBatch(batch);
    batch = { ...createBatch(), resets: [organisation] };
    applyBatch(batch);
    batch = createBatch();
    // What is loaded may be about the time before the reset.
    void loadTasks();
  },
  clock: (clock) => {
    clocks.value = new Map(clocks.value).set(clock.organisation, { ...clock, receivedAt: Date.now() });
  },
  network: ({ organisation, rules: all }) => {
    rules.value = new Map(rules.value).set(organisation, all);
  },
  key: (view) => {
    keys.value = new Map(keys.value).set(view.organisation, view);
  },
  gates: (view) => {
    gates.value = new Map(gates.value).set(view.organisation, view);
  },
  judging: (progress) => {
    judging.value = progress.judged < progress.total ? progress : undefined;
  },
  client: (runs) => {
    clientRuns.value = runs;
  },
  dropped: (data) => {
    if ('others' in data) dropped.value += data.others;
  },
};

/** Connects to the stream and updates the signals. Returns a function that disconnects. */
export function connect(): () => void {
  const stop = new AbortController();
  void followStream(stop.signal);
  const ticking = setInterval(() => {
    wall.value = Date.now();
  }, TICK_MS);
  return () => {
    clearInterval(ticking);
    stop.abort();
  };
}

/** Reads the stream. If it breaks, connects again and continues after the last event. */
async function followStream(signal: AbortSignal): Promise<void> {
  let position = '';
  while (!signal.aborted) {
    try {
      const response = await fetchAdmin('/stream', { signal, headers: { 'last-event-id': position } });
      connection.value = 'open';
      if (position !== '') knownBefore = new Set(tasks.value.keys());
      // A new stream sends all findings again, but not which were withdrawn meanwhile.
      findingsById.value = new Map();
      judging.value = undefined;
      clientRuns.value = undefined;
      void loadTasks();
      for await (const { name, data, id } of readEvents(response.body!)) {
        // Only a new mock resets what an earlier one has sent.
        if (name in EVENTS && name !== 'reset') knownBefore = new Set();
        EVENTS[name as keyof StreamEvents]?.(JSON.parse(data) as never);
        position = id ?? position;
      }
    } catch {
      // The page shows that it is not connected.
    }
    if (signal.aborted) return;
    connection.value = 'closed';
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Tasks per request. */
const PAGE = 500;

/** Number of the latest call of `loadTasks`. */
let loadNumber = 0;

/** Loads all tasks, newest first: the stream sends only tasks that change. Ends when it is called again. Never rejects. */
async function loadTasks(): Promise<void> {
  const number = ++loadNumber;
  let before: string | undefined;
  loading.value = { count: 0 };
  try {
    for (let count = 0, more = true; more && count < MOST_TASKS; ) {
      const page = await admin.fetchTasks({ limit: PAGE, ...(before !== undefined && { before }) });
      if (number !== loadNumber) return;
      addOlderTasks(page.tasks.toReversed());
      count += page.tasks.length;
      loading.value = { count };
      before = page.tasks.at(-1)?.id;
      more = page.more && before !== undefined;
    }
  } catch {
    // A task that was removed meanwhile: the stream sends what changes.
  }
  if (number === loadNumber) loading.value = undefined;
}

function addOlderTasks(loaded: readonly TaskSummary[]): void {
  // Tasks from the stream are newer.
  const known = new Set(batch.tasks.map(({ id }) => id));
  const older = loaded.filter(({ id }) => !known.has(id));
  tasks.value = new Map([...older.map((task) => [task.id, task] as const), ...tasks.value]);
  scheduleBatch();
}
