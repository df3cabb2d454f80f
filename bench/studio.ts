import { gzipSync } from 'node:zlib';
import { press } from './load.js';
import { startMock, type Target } from './servers.js';
import { median, type Row } from './table.js';

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_S = 3;
const KEY = { apikey: 'bench' };
/** What the browser asks for before studio shows anything. */
const FIRST_LOAD = ['/__studio', '/__studio/studio.css', '/__studio/studio.js'];

/** What a viewer of the stream costs the mock, and what the first load of studio is. */
export async function benchStudio(): Promise<Row[]> {
  const mock = await startMock();
  try {
    return [await compareViewers(mock), await measureFirstLoad(mock)];
  } finally {
    mock.stop();
  }
}

/** The mock is under full load, which is more than the 1,000 exchanges per second that the goal speaks of. */
async function compareViewers(mock: Target): Promise<Row> {
  const created = await fetch(`${mock.base_url}/api/v1/task`, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ task: null }),
  });
  const { id } = ((await created.json()) as { r: { id: string } }).r;
  const load = { method: 'GET' as const, path: `/api/v1/task/${id}?event_t=0`, headers: KEY };
  await press(mock, load, WARM_UP_S);
  const rounds: { without: number; viewed: number }[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const without = (await press(mock, load, SECONDS)).per_s;
    const viewer = await openViewer(mock);
    const viewed = (await press(mock, load, SECONDS)).per_s;
    bytes += await viewer.close();
    rounds.push({ without, viewed });
  }
  if (bytes === 0) throw new Error('The viewer received nothing.');
  const ratio = median(rounds.map(({ without, viewed }) => viewed / without));
  const rate = (name: 'without' | 'viewed') => Math.round(median(rounds.map((round) => round[name])));
  return {
    name: 'poll with one viewer of the stream',
    figure: `${ratio.toFixed(2)} of none`,
    detail: `${rate('viewed')}/s (none ${rate('without')}/s), ${Math.round(bytes / 1000 / ROUNDS / SECONDS)} kB/s of stream`,
    goal: '≥ 0.9',
    met: ratio >= 0.9,
  };
}

/** Reads the stream as fast as it comes. `close` returns the bytes received. */
async function openViewer(mock: Target): Promise<{ close(): Promise<number> }> {
  const stop = new AbortController();
  const response = await fetch(`${mock.base_url}/__admin/stream`, { signal: stop.signal });
  if (!response.ok) throw new Error(`The stream responded with ${response.status}.`);
  let bytes = 0;
  const reading = (async () => {
    const reader = response.body!.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    async close() {
      stop.abort();
      await reading;
      return bytes;
    },
  };
}

async function measureFirstLoad(mock: Target): Promise<Row> {
  const times: number[] = [];
  let size = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const bodies = await Promise.all(
      FIRST_LOAD.map(async (path) => {
        const response = await fetch(`${mock.base_url}${path}`);
        if (!response.ok) throw new Error(`${path} responded with ${response.status}.`);
        return Buffer.from(await response.arrayBuffer());
      }),
    );
    times.push(performance.now() - start);
    size = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000;
  }
  return {
    name: 'first load of studio',
    figure: `${size.toFixed(1)} kB gzip`,
    detail: `${median(times).toFixed(1)} ms for page, style sheet and script over HTTP, without the browser's work`,
    goal: '≤ 80 kB',
    met: size <= 80,
  };
}
