import { performance } from 'node:perf_hooks';
import { EventLog } from '../mock/engine/tasks/event-log.js';
import { Mock } from '../mock/mock.js';
import { getService, type MockService } from '../mock/service.js';
import type { BenchRow } from './table.js';

const POLLS = 300_000;
const LIVE_TASKS = 100_000;
const LONG_LOG = 1_000_000;
const READS = 200_000;

const buildRequest = (method: string, url: string, body: string | null = null) => ({
  method,
  url,
  headers: { apikey: 'bench', 'content-type': 'application/json' },
  body,
  loopback: true,
});

/** Without a port: polls a second, memory of many live tasks, reads at the end of a long log. */
export async function benchInProcess(): Promise<BenchRow[]> {
  return [await measurePolls(), ...(await measureLiveTasks()), await measureLongLog()];
}

async function createService(options = {}): Promise<MockService> {
  const mock = getService(new Mock(options));
  await mock.warmUp();
  return mock;
}

async function createTask(mock: MockService, body: object): Promise<string> {
  const response = await mock.pipeline.handle(buildRequest('POST', '/api/v1/task', JSON.stringify(body)));
  return JSON.parse(String(response.body)).r.id;
}

async function measurePolls(): Promise<BenchRow> {
  const mock = await createService();
  const id = await createTask(mock, { task: null });
  const poll = buildRequest('GET', `/api/v1/task/${id}?event_t=0`);
  for (let i = 0; i < 20_000; i++) mock.pipeline.handle(poll);
  const from = performance.now();
  for (let i = 0; i < POLLS; i++) mock.pipeline.handle(poll);
  const per_s = POLLS / ((performance.now() - from) / 1000);
  mock.stop();
  return {
    name: 'polls in process, one core',
    figure: `${Math.round(per_s).toLocaleString('en')}/s`,
    detail: `${POLLS.toLocaleString('en')} polls`,
    goal: '≥ 50,000/s',
    met: per_s >= 50_000,
  };
}

async function measureLiveTasks(): Promise<BenchRow[]> {
  let armed = 0;
  let most = 0;
  const timers = {
    set: (callback: () => void, delay: number) => {
      armed++;
      most = Math.max(most, armed);
      return setTimeout(() => {
        armed--;
        callback();
      }, delay);
    },
    clear: (timer: unknown) => {
      armed--;
      clearTimeout(timer as NodeJS.Timeout);
    },
  };
  // Time nearly stops, so that every timeline is pending when the memory is measured.
  const mock = await createService({ timers, speed: 0.000001, limits: { exchanges: 10 } });
  await createTask(mock, { task: 'Warm up' });
  const before = readHeapBytes();
  for (let i = 0; i < LIVE_TASKS; i++)
    mock.pipeline.handle(
      buildRequest('POST', '/api/v1/task', '{"task":"Wait for me","url":"https://example.com"}'),
    );
  const each_kib = (readHeapBytes() - before) / LIVE_TASKS / 1024;
  mock.stop();
  const tasks = `${LIVE_TASKS.toLocaleString('en')} live tasks with timelines pending`;
  return [
    {
      name: 'memory of a live task',
      figure: `${each_kib.toFixed(2)} KiB`,
      detail: tasks,
      goal: '≤ 4 KiB',
      met: each_kib <= 4,
    },
    {
      name: 'armed timers',
      figure: String(most),
      detail: `at most at any time, ${tasks}`,
      goal: '1',
      met: most === 1,
    },
  ];
}

function readHeapBytes(): number {
  if (!globalThis.gc) throw new Error('Run with --expose-gc.');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function measureLongLog(): Promise<BenchRow> {
  const mock = await createService();
  const measureRead = async (length: number) => {
    const id = await createTask(mock, { task: null });
    const task = [...mock.organisations.values()].map((each) => each.tasks.get(id)).find(Boolean)!;
    task.log = new EventLog(2 * LONG_LOG);
    for (let i = 0; i < length; i++)
      task.log.append({ id: `e${i}`, name: 'browser_action', payload: {} }, i + 1);
    task.version++;
    const last = task.log.last;
    // Two cursors in turn: the response is built each time instead of being cached.
    const near = [
      buildRequest('GET', `/api/v1/task/${id}?event_t=${last - 1}`),
      buildRequest('GET', `/api/v1/task/${id}?event_t=${last - 2}`),
    ];
    for (let i = 0; i < 20_000; i++) mock.pipeline.handle(near[i & 1]!);
    const from = performance.now();
    for (let i = 0; i < READS; i++) mock.pipeline.handle(near[i & 1]!);
    return (performance.now() - from) / READS;
  };
  const short = [await measureRead(10), await measureRead(10)];
  const long = [await measureRead(LONG_LOG), await measureRead(LONG_LOG)];
  const ratio = Math.min(...long) / Math.min(...short);
  mock.stop();
  return {
    name: 'poll at the end of a log of 1,000,000 events',
    figure: `${ratio.toFixed(2)} × one of 10 events`,
    detail: `${(Math.min(...long) * 1000).toFixed(1)} µs`,
    goal: '≤ 2 ×',
    met: ratio <= 2,
  };
}
