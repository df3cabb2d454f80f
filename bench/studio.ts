import { gzipSync } from 'node:zlib';
import { applyLoad, type LoadMeasurement, type LoadRequest } from './load.js';
import { benchReportPage } from './report-page.js';
import { type BenchServer, startMock } from './servers.js';
import { type BenchRow, computeMedian } from './table.js';

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_S = 3;
/** After a viewer has come: the first batch holds what was there before. */
const FIRST_BATCH_MS = 1000;
/** Of the load that the goal speaks of. */
const EXCHANGES_PER_S = 1000;
const KEY = { apikey: 'bench' };
/** Files that the browser loads before studio shows anything. */
const FIRST_LOAD = ['/__studio', '/__studio/studio.css', '/__studio/studio.js'];

/** What a viewer of the stream costs the mock, and what the first load of studio is. */
export async function benchStudio(): Promise<BenchRow[]> {
  const mock = await startMock();
  try {
    const created = await fetch(`${mock.base_url}/api/v1/task`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ task: null }),
    });
    const { id } = ((await created.json()) as { r: { id: string } }).r;
    const poll: LoadRequest = { method: 'GET', path: `/api/v1/task/${id}?event_t=0`, headers: KEY };
    await applyLoad(mock, poll, WARM_UP_S);
    return [
      buildGivenLoadRow(await compareViewers(mock, { ...poll, per_s: EXCHANGES_PER_S })),
      buildFullLoadRow(await compareViewers(mock, poll)),
      await measureFirstLoad(mock),
      ...(await benchReportPage()),
    ];
  } finally {
    mock.stop();
  }
}

interface ViewerRound {
  without: LoadMeasurement;
  viewed: LoadMeasurement;
  /** Of the stream, per second. */
  kB_per_s: number;
}

/** Rounds side by side, without and with a viewer. */
async function compareViewers(mock: BenchServer, load: LoadRequest): Promise<ViewerRound[]> {
  const rounds: ViewerRound[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = await applyLoad(mock, load, SECONDS);
    const viewer = await openViewer(mock);
    await new Promise((resolve) => setTimeout(resolve, FIRST_BATCH_MS));
    const before = viewer.bytes;
    const viewed = await applyLoad(mock, load, SECONDS);
    const kB_per_s = (viewer.bytes - before) / 1000 / SECONDS;
    await viewer.close();
    if (kB_per_s === 0) throw new Error('The viewer received nothing.');
    rounds.push({ without, viewed, kB_per_s });
  }
  return rounds;
}

const computeRoundMedian = (rounds: readonly ViewerRound[], of: (round: ViewerRound) => number) =>
  computeMedian(rounds.map(of));

/** The mock has one thread: the share of a core that a viewer takes is the share of the polls per second that it costs. */
function buildGivenLoadRow(rounds: readonly ViewerRound[]): BenchRow {
  const computeShare = ({ per_s, cpu_us }: LoadMeasurement) => (per_s * cpu_us) / 10_000;
  const cost = computeRoundMedian(
    rounds,
    ({ without, viewed }) => computeShare(viewed) - computeShare(without),
  );
  const [viewed, without] = (['viewed', 'without'] as const).map((name) =>
    computeRoundMedian(rounds, (round) => computeShare(round[name])).toFixed(1),
  );
  const rate = Math.round(computeRoundMedian(rounds, (round) => round.viewed.per_s));
  return {
    name: `one viewer of the stream, at ${EXCHANGES_PER_S.toLocaleString('en')} polls/s`,
    figure: `${cost.toFixed(1)} % of a core`,
    detail: `${rate}/s take ${viewed} % of a core (none ${without} %), ${computeStreamRate(rounds)} kB/s of stream`,
    goal: '≤ 10 %',
    met: cost <= 10,
  };
}

/** In CPU time for each poll: a machine with other work has the same ratio. */
function buildFullLoadRow(rounds: readonly ViewerRound[]): BenchRow {
  const ratio = computeRoundMedian(rounds, ({ without, viewed }) => without.cpu_us / viewed.cpu_us);
  const computeRate = (name: 'without' | 'viewed') =>
    Math.round(computeRoundMedian(rounds, (round) => round[name].per_s));
  const formatCpu = (name: 'without' | 'viewed') =>
    computeRoundMedian(rounds, (round) => round[name].cpu_us).toFixed(1);
  return {
    name: 'poll with one viewer of the stream',
    figure: `${ratio.toFixed(2)} of none`,
    detail: `${formatCpu('viewed')} µs of CPU each (none ${formatCpu('without')} µs), ${computeRate('viewed')}/s (none ${computeRate('without')}/s), ${computeStreamRate(rounds)} kB/s of stream`,
    goal: '≥ 0.9',
    met: ratio >= 0.9,
  };
}

function computeStreamRate(rounds: readonly ViewerRound[]): number {
  return Math.round(computeRoundMedian(rounds, ({ kB_per_s }) => kB_per_s));
}

/** Reads the stream as fast as it comes. `bytes`: received so far. */
async function openViewer(mock: BenchServer): Promise<{ readonly bytes: number; close(): Promise<void> }> {
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
    get bytes() {
      return bytes;
    },
    async close() {
      stop.abort();
      await reading;
    },
  };
}

async function measureFirstLoad(mock: BenchServer): Promise<BenchRow> {
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
    detail: `${computeMedian(times).toFixed(1)} ms for page, style sheet and script over HTTP, without the browser's work`,
    goal: '≤ 90 kB',
    met: size <= 90,
  };
}
