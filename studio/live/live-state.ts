import { computed, signal } from '@preact/signals';
import type { ConversationSummary } from '../../conformance/conversation/task-summary.js';
import type { Wire } from '../../mock/admin/admin-request.js';
import type { ExchangeSummary } from '../../mock/admin/stream/exchange-summary.js';
import type { StreamEvents } from '../../mock/admin/stream/live-stream.js';
import type { ClockView } from '../../mock/control/mock-clock.js';
import type { GateView } from '../../mock/control/views.js';
import type { ListedRule } from '../../mock/network/rule-book.js';
import type { Finding } from '../../spec/vocabulary.js';
import { admin, fetchAdmin } from './admin-client.js';

/** Exchanges that are kept for the lists; the journal of a task is asked for when it is selected. */
const MOST_EXCHANGES = 20_000;
const MOST_TASKS = 20_000;

export type LiveFinding = Finding & { organisation?: string };

/** `closed`: the mock is gone, or the stream broke; the page tries again. */
export const connection = signal<'connecting' | 'open' | 'closed'>('connecting');
/** By id, in the order in which they became known. */
export const tasks = signal<ReadonlyMap<string, ConversationSummary>>(new Map());
/** Requests without a task, and refused ones; the newest last. */
export const others = signal<readonly ExchangeSummary[]>([]);
export const clocks = signal<ReadonlyMap<string, Wire<ClockView> & { receivedAt: number }>>(new Map());
export const rules = signal<ReadonlyMap<string, readonly ListedRule[]>>(new Map());
export const gates = signal<ReadonlyMap<string, Wire<GateView>>>(new Map());
export const findings = signal<readonly LiveFinding[]>([]);
/** Events by task that the stream has brought since the page was opened: a change of the number means news. */
export const updatesByTask = signal<ReadonlyMap<string, number>>(new Map());
/** Requests without a task, or refused, that were left out because there were too many at once. */
export const dropped = signal(0);
export const isFollowing = signal(true);
/** Real time, ms, for what shows ages. */
const wall = signal(Date.now());
const TICK_MS = 1000;
/** After a stream that broke, ms. */
const RETRY_MS = 1000;

/** What the clock of an organisation shows now, ms: the stream sends a clock when it is changed, not when time passes. */
export function readNow(organisation: string): number | undefined {
  const clock = clocks.value.get(organisation);
  if (!clock) return undefined;
  return clock.mode === 'real' || clock.mode === 'eager'
    ? clock.now + Math.max(0, wall.value - clock.receivedAt) * clock.speed
    : clock.now;
}

export const findingsByTask = computed(() => {
  const found = new Map<string, LiveFinding[]>();
  for (const finding of findings.value) {
    const { task } = finding;
    if (task !== undefined) found.set(task, [...(found.get(task) ?? []), finding]);
  }
  return found;
});

/** A request that no list of tasks shows: it has no task, or it was refused. */
export function isOther({ task, status = 200 }: Pick<ExchangeSummary, 'task' | 'status'>): boolean {
  return task === undefined || [400, 401, 404, 405, 413, 422, 429].includes(status);
}

interface Batch {
  tasks: ConversationSummary[];
  exchanges: ExchangeSummary[];
  findings: LiveFinding[];
  resets: string[];
}

const createBatch = (): Batch => ({ tasks: [], exchanges: [], findings: [], resets: [] });
let batch = createBatch();
let isScheduled = false;

/** Everything that arrives between two frames is taken up together: a fast mock must not freeze the page. */
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
  if (found.length > 0) addFindings(found);
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

/** The findings that are known, as JSON: a stream that connects again sends them again. */
const knownFindings = new Set<string>();

function addFindings(found: readonly LiveFinding[]): void {
  const fresh = found.filter((each) => {
    const before = knownFindings.size;
    return knownFindings.add(JSON.stringify(each)).size > before;
  });
  if (fresh.length > 0) findings.value = [...findings.value, ...fresh];
}

function removeOrganisations(names: ReadonlySet<string>): void {
  const isKept = ({ organisation }: { organisation?: string }) => !names.has(organisation ?? '');
  const omitNames = <T>(map: ReadonlyMap<string, T>) =>
    new Map([...map].filter(([name]) => !names.has(name)));
  const gone = new Set([...tasks.value.values()].filter((each) => !isKept(each)).map(({ id }) => id));
  tasks.value = new Map([...tasks.value].filter(([id]) => !gone.has(id)));
  others.value = others.value.filter(isKept);
  findings.value = [];
  knownFindings.clear();
  clocks.value = omitNames(clocks.value);
  rules.value = omitNames(rules.value);
  gates.value = omitNames(gates.value);
}

const collect =
  <K extends keyof Batch>(name: K) =>
  (data: Batch[K][number]) => {
    (batch[name] as unknown[]).push(data);
    scheduleBatch();
  };

/** What each event of the stream does. */
const EVENTS: { readonly [Name in keyof StreamEvents]: (data: StreamEvents[Name]) => void } = {
  task: collect('tasks'),
  exchange: collect('exchanges'),
  finding: collect('findings'),
  reset: ({ organisation }) => {
    // What came before it is gone, what comes after it stays.
    applyBatch(batch);
    batch = { ...createBatch(), resets: [organisation] };
    applyBatch(batch);
    batch = createBatch();
  },
  clock: (clock) => {
    clocks.value = new Map(clocks.value).set(clock.organisation, { ...clock, receivedAt: Date.now() });
  },
  network: ({ organisation, rules: all }) => {
    rules.value = new Map(rules.value).set(organisation, all);
  },
  gates: (view) => {
    gates.value = new Map(gates.value).set(view.organisation, view);
  },
  dropped: (data) => {
    if ('others' in data) dropped.value += data.others;
  },
};

/** Connects to the stream and keeps the signals up to date. Returns what ends it. */
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

/** Reads the stream; where it breaks, goes on after the last event that was read. */
async function followStream(signal: AbortSignal): Promise<void> {
  let position = '';
  while (!signal.aborted) {
    try {
      const response = await fetchAdmin('/stream', { signal, headers: { 'last-event-id': position } });
      connection.value = 'open';
      loadTasks();
      for await (const { name, data, id } of readEvents(response.body!)) {
        EVENTS[name as keyof StreamEvents]?.(JSON.parse(data) as never);
        position = id ?? position;
      }
    } catch {
      // The mock is gone or refuses: the page shows that it is not connected.
    }
    if (signal.aborted) return;
    connection.value = 'closed';
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** The stream sends tasks when something happens to them: the others come from the list. */
function loadTasks(): void {
  admin
    .fetchTasks({ limit: MOST_TASKS })
    .then(({ tasks: all }) => {
      const known = new Set(batch.tasks.map(({ id }) => id));
      const inOrder = all.reverse().filter(({ id }) => !known.has(id));
      // What the stream has sent meanwhile is newer.
      tasks.value = new Map([...inOrder.map((task) => [task.id, task] as const), ...tasks.value]);
      scheduleBatch();
    })
    .catch(() => {});
}

/** An event of a stream: its name, its data as JSON, and the position after it, where it has one. */
interface StreamEvent {
  name: string;
  data: string;
  id: string | undefined;
}

/**
 * Server-sent events as the admin API writes them, until the stream ends. `EventSource` cannot send a token; `fetch` can.
 */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) yield toEvent(block);
  }
}

function toEvent(block: string): StreamEvent {
  const event: StreamEvent = { name: '', data: '', id: undefined };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    const [field, value] = [line.slice(0, colon), line.slice(colon + 2)];
    if (field === 'event') event.name = value;
    else if (field === 'data') event.data = value;
    else if (field === 'id') event.id = value;
  }
  return event;
}
