import { type BenchServer, startMock } from './servers.js';
import { type BenchRow, computeMedian } from './table.js';

const SCRIPTS = 30;
const POLLS = 2000;
const ROUNDS = 15;
const JSON_TYPE = { 'content-type': 'application/json' };
/** Of about 4 kB each. */
const PLAIN_RULES = Array.from({ length: 60 }, () => '- { network: fail, status: 503, of: poll }').join('\n');
const HOSTILE_RULES = [
  '- '.repeat(2000),
  '['.repeat(4000),
  '{"a":'.repeat(800),
  '? '.repeat(2000),
  '!!map '.repeat(700),
];

/** What hostile inputs cost, beside harmless ones. */
export async function benchHostile(): Promise<BenchRow[]> {
  const mock = await startMock();
  try {
    return [await measureYaml(mock), await measureScripts(mock)];
  } finally {
    mock.stop();
  }
}

async function measureYaml({ base_url }: BenchServer): Promise<BenchRow> {
  const put = async (body: string, status: number) => {
    const start = performance.now();
    const response = await fetch(`${base_url}/__admin/network`, { method: 'PUT', body });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${response.status}: ${text.slice(0, 200)}`);
    return performance.now() - start;
  };
  const rounds: { plain: number; hostile: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const each of HOSTILE_RULES)
      rounds.push({ plain: await put(PLAIN_RULES, 200), hostile: await put(each, 422) });
  const plain = computeMedian(rounds.map((each) => each.plain));
  const hostile = Math.max(
    ...HOSTILE_RULES.map((_, at) =>
      computeMedian(rounds.filter((__, n) => n % HOSTILE_RULES.length === at).map((each) => each.hostile)),
    ),
  );
  return {
    name: '4 kB of hostile YAML',
    figure: `${(hostile / plain).toFixed(2)} × 4 kB of rules`,
    detail: `the slowest of ${HOSTILE_RULES.length}: ${hostile.toFixed(1)} ms (rules ${plain.toFixed(1)} ms)`,
    goal: '≤ 2 ×',
    met: hostile / plain <= 2,
  };
}

/** Polls of another key while scripts run that end by their limits alone. */
async function measureScripts({ base_url }: BenchServer): Promise<BenchRow> {
  const send = (apikey: string, path: string, body?: unknown) =>
    fetch(`${base_url}/api/v1${path}`, {
      headers: { apikey, ...JSON_TYPE },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const createSession = async (apikey: string): Promise<string> => {
    const { r } = (await (await send(apikey, '/task', { task: null })).json()) as { r: { id: string } };
    return r.id;
  };
  const other = await createSession('polls');
  const poll = async () => {
    const start = performance.now();
    await (await send('polls', `/task/${other}?event_t=0`)).text();
    return performance.now() - start;
  };
  const alone = await repeatMeasurement(poll, POLLS);
  let left = SCRIPTS;
  for (let n = 0; n < SCRIPTS; n++) {
    const apikey = `hostile-${n}`;
    const payload = {
      name: 'evaluate_js',
      input: { js: n % 2 === 0 ? 'for (;;) await 0' : 'while (true) {}' },
    };
    const event = { id: `e${n}`, name: 'browser_action', payload, timestamp: 1 };
    void send(apikey, `/task/${await createSession(apikey)}/event`, event).then(() => left--);
  }
  const loaded: number[] = [];
  while (left > 0) loaded.push(await poll());
  const [p99, quiet] = [computePercentile(loaded, 0.99), computePercentile(alone, 0.99)];
  return {
    name: `polls beside ${SCRIPTS} hostile scripts`,
    figure: `p99 ${p99.toFixed(1)} ms`,
    detail: `${loaded.length} polls, the slowest ${Math.max(...loaded).toFixed(0)} ms (alone p99 ${quiet.toFixed(1)} ms)`,
    goal: '≤ 50 ms',
    met: p99 <= 50,
  };
}

async function repeatMeasurement(measure: () => Promise<number>, count: number): Promise<number[]> {
  const measured: number[] = [];
  while (measured.length < count) measured.push(await measure());
  return measured;
}

function computePercentile(values: readonly number[], part: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * part)]!;
}
