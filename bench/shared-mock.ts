import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type BenchServer, readMemoryMib, startMock } from './servers.js';
import type { BenchRow } from './table.js';

const KEYS = 10_000;
const CONNECTIONS = 5_000;
/** Requests at the same time. */
const AT_ONCE = 32;

/** What one process of a mock that a team shares holds: organisations, each with a finished task, and open connections. */
export async function benchSharedMock(): Promise<BenchRow[]> {
  const mock = await startMock('--clock', 'skipping');
  try {
    await useKeys(mock, 'warm', 500);
    const before = readMemoryMib(mock.process.pid!);
    await useKeys(mock, 'key', KEYS);
    const held = readMemoryMib(mock.process.pid!);
    const connected = await measureConnections(mock);
    return [describeKeys(before, held), connected];
  } finally {
    mock.stop();
  }
}

function describeKeys(before: number, held: number): BenchRow {
  const each = ((held - before) * 1024) / KEYS;
  return {
    name: 'memory of an organisation',
    figure: `${each.toFixed(0)} KiB`,
    detail: `${KEYS.toLocaleString('en')} keys, each with a task polled to its end; ${before.toFixed(0)} → ${held.toFixed(0)} MiB`,
    goal: '≤ 64 KiB',
    met: each <= 64,
  };
}

/** Creates a task with each key, and polls it to its end. */
async function useKeys({ base_url }: BenchServer, name: string, keys: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const numbers = Array.from({ length: keys }, (_, index) => index).values();
  const worker = async () => {
    for (const number of numbers) {
      const headers = { apikey: `${name}-${number}`, 'content-type': 'application/json' };
      const created = await send(agent, base_url, 'POST', '/task', headers, '{"task":"Find tea"}');
      const { id } = (JSON.parse(created.body) as { r: { id: string } }).r;
      let { status } = created;
      do ({ status } = await send(agent, base_url, 'GET', `/task/${id}?event_t=0`, headers));
      while (status === 202);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
}

function send(
  agent: Agent,
  base_url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${base_url}/api/v1${path}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body: text }));
    });
    sent.on('error', reject).end(body);
  });
}

/** Connections that stay open after a response, as those of clients that poll. */
async function measureConnections({ base_url, process: { pid } }: BenchServer): Promise<BenchRow> {
  const { port } = new URL(base_url);
  const before = readMemoryMib(pid!);
  const sockets: Socket[] = [];
  let refused = 0;
  for (let number = 0; number < CONNECTIONS; number++) {
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => refused++);
    await once(socket, 'connect');
    socket.write(`GET /api/v1/usage HTTP/1.1\r\nhost: a\r\napikey: key-${number % KEYS}\r\n\r\n`);
    await once(socket, 'data');
  }
  const held = readMemoryMib(pid!);
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.destroy();
  return {
    name: 'memory of an open connection',
    figure: `${(((held - before) * 1024) / CONNECTIONS).toFixed(0)} KiB`,
    detail: `${open.toLocaleString('en')} of ${CONNECTIONS.toLocaleString('en')} open at the same time, ${refused} refused; ${before.toFixed(0)} → ${held.toFixed(0)} MiB`,
    goal: 'all open',
    met: open === CONNECTIONS,
  };
}
