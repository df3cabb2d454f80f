import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, computeMedian } from './table.js';

const COMMAND = 'dist/command/main.js';
const [FEW, MANY] = [8000, 50_000];
const ROUNDS = 3;
/** How much longer the many may take than the few. */
const MOST = 8;

/** `view` of a journal of one task with a call in every second poll: small and large, in turns. */
export async function benchView(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-bench-'));
  try {
    const out = join(directory, 'page.html');
    const times = [FEW, MANY].map((count) => {
      const file = join(directory, `${count}.jsonl`);
      writeFileSync(file, writeJournal(count));
      return { file, ms: [] as number[] };
    });
    for (let round = 0; round < ROUNDS; round++) {
      for (const { file, ms } of times) {
        const start = performance.now();
        const { status } = spawnSync(process.execPath, [COMMAND, 'view', file, '--out', out], {
          stdio: 'ignore',
        });
        if (status !== 0) throw new Error(`view of ${file} ended with ${status}`);
        ms.push(performance.now() - start);
      }
    }
    const [few, many] = times.map(({ ms }) => computeMedian(ms)) as [number, number];
    return [
      {
        name: `view of ${MANY} exchanges`,
        figure: `${(many / few).toFixed(1)} × that of ${FEW}`,
        detail: `${(many / 1000).toFixed(1)} s and ${(few / 1000).toFixed(1)} s, medians of ${ROUNDS}; one task, a call in every second poll`,
        goal: `≤ ${MOST} ×`,
        met: many <= few * MOST,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function writeJournal(count: number): string {
  const lines: string[] = [];
  let at = Date.UTC(2026, 0, 1);
  const add = (method: string, path: string, sent: object | undefined, status: number, r: object) => {
    at += 1000;
    const headers = { 'content-type': 'application/json' };
    const [kind, operation] =
      method === 'GET'
        ? ['poll', 'getTask']
        : path === '/task'
          ? ['create_task', 'createTask']
          : ['send_event', 'sendTaskEvent'];
    lines.push(
      JSON.stringify({
        ...{ seq: lines.length + 1, kind, operation, organisation: 'org' },
        request: {
          ...{ method, url: `/api/v1${path}`, headers: { apikey: '[redacted]', ...headers }, at },
          ...(sent && { body: JSON.stringify(sent) }),
        },
        response: { status, headers, body: JSON.stringify({ r }), at: at + 3 },
      }),
    );
  };
  const task = { id: 'task', status: 'running', live_url: null, recording_url: null, output: null };
  const tool = { name: 'get_weather', description: 'Weather', inputs: { type: 'object' }, output: 'Text' };
  add('POST', '/task', { task: 'Look up the weather', custom_tools: [tool] }, 202, task);
  let timestamp = 0;
  while (lines.length < count) {
    const before = timestamp;
    timestamp = at + 1000;
    const event = { id: `call-${lines.length}`, name: 'tool_call', timestamp };
    const call = { ...event, payload: { name: tool.name, input: { city: 'Kyiv' } } };
    add('GET', `/task/task?event_t=${before}`, undefined, 202, { ...task, events: [call] });
    add('POST', '/task/task/event', { ...event, payload: { code: 200, output: 'warm' } }, 201, event);
  }
  return `${lines.join('\n')}\n`;
}
