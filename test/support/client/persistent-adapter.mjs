/**
 * A persistent adapter. argv: the handshake as JSON, then a fault that it has in a scenario of this name: `fault`.
 * With isolation `process` each job is a Node.js process of the client (default: reference), on virtual time if the job names a server.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PRELOAD = new URL('../../../dist/mock/virtual-time/preload.js', import.meta.url).href;
const [, , handshake = '{}', fault = '', client = 'reference'] = process.argv;
const CLIENT = new URL(`../../../fixtures/clients/${client}.mjs`, import.meta.url);
const { isolation } = JSON.parse(handshake);
const { run } = await import(CLIENT.href);

const print = (message) => console.log(`taskdouble:${JSON.stringify(message)}`);
const hang = () => new Promise(() => setInterval(() => {}, 1000));
let child;

const FAULTS = {
  crash: () => {
    console.error('Error: no luck');
    process.exit(3);
  },
  exit: () => process.exit(0),
  signal: () => process.kill(process.pid, 'SIGKILL'),
  hang,
  'no JSON': () => console.log('taskdouble:All is well.'),
  'unknown id': () => print({ id: 'no-such', result: {} }),
  'no result': ({ id }) => {
    console.log('All is well.');
    print({ id, exit_code: 0 });
  },
  'left behind': async (job) => print({ ...(await work(job)), left_behind: 2 }),
  twice: async (job) => {
    const report = await work(job);
    print(report);
    print(report);
  },
  'exit afterwards': async (job) => {
    process.stdout.write(`\ntaskdouble:${JSON.stringify(await work(job))}\n`, () => process.exit(0));
  },
  flood: () => {
    const more = () => process.stdout.write(`${'y'.repeat(65536)}\n`, more);
    more();
  },
};

async function runFunction({ base_url: baseUrl, api_key: apiKey, scenario, job }) {
  const { signal } = new AbortController();
  try {
    const result = await run({ baseUrl, apiKey, fetch, signal, scenario, job });
    const isFine =
      !result.error && result.status === 'done' && result.results.every(({ code }) => code === 200);
    return { result, exit_code: isFine ? 0 : 1 };
  } catch (error) {
    return { exit_code: 1, stderr: String(error) };
  }
}

function runProcess({ base_url, api_key, scenario, job, time }) {
  const env = {
    ...process.env,
    TASKDOUBLE_BASE_URL: base_url,
    TASKDOUBLE_API_KEY: api_key,
    TASKDOUBLE_SCENARIO: scenario,
    TASKDOUBLE_JOB: JSON.stringify(job),
    ...(time && { TASKDOUBLE_TIME: JSON.stringify(time), NODE_OPTIONS: `--import=${PRELOAD}` }),
  };
  const command =
    scenario === 'fault' && fault === 'child hangs'
      ? ['-e', 'setInterval(() => {}, 1000)']
      : [fileURLToPath(CLIENT)];
  child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', (exit_code, signal) => {
      const last = stdout.trimEnd().split('\n').at(-1);
      resolve({ exit_code, signal, stderr, ...(last !== '' && { result: JSON.parse(last) }) });
    });
  });
}

async function work(message) {
  const { id, other_job: other } = message;
  const stderr = `pid ${process.pid}`;
  if (isolation === 'process') return { id, ...(await runProcess(message)), stderr };
  if (!other) return { id, stderr, ...(await runFunction(message)) };
  const first = runFunction(other);
  if (other.starts === 'before') await first;
  return { id, stderr, ...(await runFunction(message)), other: await first };
}

console.log('The adapter starts.');
print(JSON.parse(handshake));
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cancel !== undefined) child?.kill('SIGKILL');
  else if (message.scenario === 'fault' && fault in FAULTS) FAULTS[fault](message);
  else work(message).then(print);
}
