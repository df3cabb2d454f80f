import type { StreamEvents } from '../../mock/admin/stream/live-stream.js';
import { admin, fetchAdmin } from './admin-client.js';
import { addOlderTasks, applyReset, collect, MOST_TASKS, setKnownTasks } from './batches.js';
import {
  clientRuns,
  clocks,
  connection,
  dropped,
  findingsById,
  gates,
  judging,
  keys,
  loading,
  rules,
  tasks,
  wall,
} from './live-state.js';
import { readEvents } from './read-events.js';

const TICK_MS = 1000;
/** Pause before the page connects again, ms. */
const RETRY_MS = 1000;

const EVENTS: { readonly [Name in keyof StreamEvents]: (data: StreamEvents[Name]) => void } = {
  task: collect('tasks'),
  exchange: collect('exchanges'),
  finding: collect('findings'),
  withdrawn: collect('findings'),
  reset: ({ organisation }) => {
    applyReset(organisation);
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
      if (position !== '') setKnownTasks(tasks.value.keys());
      // A new stream sends all findings again, but not which were withdrawn meanwhile.
      findingsById.value = new Map();
      judging.value = undefined;
      clientRuns.value = undefined;
      void loadTasks();
      for await (const { name, data, id } of readEvents(response.body!)) {
        // Only a new mock resets what an earlier one has sent.
        if (name in EVENTS && name !== 'reset') setKnownTasks([]);
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
