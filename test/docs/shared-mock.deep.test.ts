import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { endChildren, startChild } from '../support/children.js';
import { type StartedMock, startMock } from '../support/cli/command.js';
import { KeyProxy } from '../support/key-proxy.js';

const ROOT = join(import.meta.dirname, '../../docs/shared-mock');
const CONFIGURATION = readFileSync(join(ROOT, 'nginx.conf'), 'utf8');
const TOKEN = 'token-of-the-team';
const hasNginx = spawnSync('nginx', ['-v']).status === 0;
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-shared-'));
const servers: Server[] = [];

interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    template?: { spec: { containers: { args?: string[]; readinessProbe: object }[] } };
  };
}
const objects = parseAllDocuments(readFileSync(join(ROOT, 'kubernetes.yaml'), 'utf8')).map(
  (each) => each.toJS() as KubernetesObject,
);
const stateful = objects.find(({ kind }) => kind === 'StatefulSet')!;

let mocks: StartedMock[];
beforeAll(async () => {
  // As in the cluster, on this machine.
  const { args = [] } = stateful.spec!.template!.spec.containers[0]!;
  const own = { '--host': '127.0.0.1', '--port': '0', '--admin-token': TOKEN } as const;
  const flags = args.slice(1).map((arg, index, all) => own[all[index - 1] as keyof typeof own] ?? arg);
  mocks = await Promise.all([startMock(...flags, '--quiet'), startMock(...flags, '--quiet')]);
});
afterAll(async () => {
  for (const server of servers) server.close();
  await endChildren();
  rmSync(directory, { recursive: true, force: true });
});

async function startKeyProxy(ports: readonly number[]): Promise<number> {
  const proxy = new KeyProxy(ports);
  const server = createServer((message, response) => void proxy.handle(message, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function startNginx(ports: readonly number[]): Promise<number> {
  const port = await findFreePort();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join(' ');
  const text = CONFIGURATION.replace('http {', `http { access_log off; ${places}`)
    .replaceAll('127.0.0.1:4011', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:4012', `127.0.0.1:${ports[1]}`)
    .replace('listen 4010', `listen 127.0.0.1:${port}`);
  mkdirSync(join(directory, 'logs'), { recursive: true });
  writeFileSync(join(directory, 'nginx.conf'), text);
  const options = `daemon off; master_process off; error_log stderr; pid ${directory}/pid;`;
  startChild('nginx', ['-p', directory, '-c', join(directory, 'nginx.conf'), '-g', options], {
    stdio: 'inherit',
  });
  while (!(await canConnect(port))) await new Promise((resolve) => setImmediate(resolve));
  return port;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

describe.each([
  { name: 'a small proxy', start: startKeyProxy, is: true },
  { name: 'nginx', start: startNginx, is: hasNginx },
])('two mocks behind $name', ({ name, start, is }) => {
  let base: string;
  beforeAll(async () => {
    if (is) base = `http://127.0.0.1:${await start(mocks.map(({ port }) => port))}`;
  });

  const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'x-taskdouble-admin-token': TOKEN, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: () => JSON.parse(text) };
  };
  const create = async (headers: Record<string, string>) =>
    (await call('POST', '/api/v1/task', headers, { task: 'Find tea' })).json().r.id as string;
  const keys = Array.from({ length: 24 }, (_, index) => `${name}-${index}`.replaceAll(' ', '-'));
  /** How many tasks each mock has with the key. */
  const countTasks = (key: string) =>
    Promise.all(
      mocks.map(async ({ admin_url }) => {
        const headers = { 'x-taskdouble-admin-token': TOKEN };
        const response = await fetch(`${admin_url}/tasks?key=${key}`, { headers });
        return ((await response.json()) as { tasks: unknown[] }).tasks.length;
      }),
    );

  it.runIf(is)('keeps each key on one mock, and uses both', async () => {
    const places: number[] = [];
    for (const apikey of keys) {
      const id = await create({ apikey });
      const poll = () => call('GET', `/api/v1/task/${id}`, { apikey });
      expect([200, 202]).toContain((await poll()).status);
      expect([200, 202]).toContain(
        (await call('GET', `/api/v1/task/${id}`, { cookie: `apikey=${apikey}` })).status,
      );
      expect((await call('GET', `/api/v1/task/${id}`, { apikey: `${apikey}-other` })).status).toBe(404);
      const counts = await countTasks(apikey);
      expect(counts.toSorted()).toEqual([0, 1]);
      places.push(counts.indexOf(1));
    }
    expect(new Set(places).size).toBe(2);
  });

  it.runIf(is)('hands admin requests to the mock of the key, in the query or in the header', async () => {
    for (const [index, key] of keys.slice(0, 8).entries()) {
      const [query, headers] = index % 2 === 0 ? [`?key=${key}`, {}] : ['', { apikey: key }];
      const queued = await call('POST', `/__admin/scenarios/next${query}`, headers, {
        name: 'polling/one-shot',
      });
      expect(queued.status, queued.text).toBe(200);
      const id = await create({ apikey: key });
      const task = await call('GET', `/__admin/tasks/${id}${query}`, headers);
      expect(task.json()).toMatchObject({ scenario: 'polling/one-shot' });
      expect(
        (await call('GET', `/__admin/journal${query}`, headers)).json().exchanges.length,
      ).toBeGreaterThan(0);
    }
    const [first, second] = keys as [string, string];
    expect((await call('POST', `/__admin/reset?key=${first}`)).status).toBe(200);
    expect(await countTasks(first)).toEqual([0, 0]);
    expect((await countTasks(second)).toSorted().at(-1)).toBeGreaterThan(0);
  });

  it.runIf(is)('finds what a request without a key names, on whichever mock it is', async () => {
    for (const apikey of keys.slice(8, 16)) {
      const id = await create({ apikey });
      expect((await call('GET', `/live/${id}`)).status).toBe(200);
    }
    expect((await call('GET', '/live/there-is-none')).status).toBe(404);
    expect((await call('GET', '/openapi.yaml')).status).toBe(200);
    expect([401, 403]).toContain((await call('GET', '/api/v1/usage')).status);
  });

  it.runIf(is)('sends a request with a key to no other mock when the connection breaks', async () => {
    const [key] = keys.slice(-1) as [string];
    const [, before] = [await call('POST', `/__admin/reset?key=${key}`), await countTasks(key)];
    expect(before).toEqual([0, 0]);
    const rules = ['create', 'poll'].map((of) => ({ network: 'drop', side: 'response', of, times: 1 }));
    const added = await call('POST', `/__admin/network?key=${key}`, {}, { rules });
    expect(added.status, added.text).toBe(200);
    expect((await call('POST', '/api/v1/task', { apikey: key }, { task: 'a' })).status).toBe(502);
    // It was handled once, and its response was lost.
    expect((await countTasks(key)).toSorted()).toEqual([0, 1]);
    // nginx sends a GET again unless it is told not to.
    const listed = (await call('GET', '/api/v1/task', { apikey: key })).json().r;
    const { id } = (listed.tasks ?? listed)[0] as { id: string };
    expect((await call('GET', `/api/v1/task/${id}`, { apikey: key })).status).toBe(502);
  });
});

describe('docs/shared-mock', () => {
  it('has one configuration of nginx, with the servers of each place', () => {
    const map = objects.find(({ kind }) => kind === 'ConfigMap')!;
    const names = Array.from({ length: stateful.spec!.replicas! }, (_, index) => `mock-${index}.mocks:4010`);
    const text = map.data!['nginx.conf']!;
    for (const each of names) expect(text.split(`server ${each}`)).toHaveLength(3);
    expect(text.replaceAll(names[0]!, '127.0.0.1:4011').replaceAll(names[1]!, '127.0.0.1:4012')).toBe(
      CONFIGURATION,
    );
    expect(objects.map(({ kind }) => kind).sort()).toEqual(
      ['ConfigMap', 'Deployment', 'Service', 'Service', 'StatefulSet'].sort(),
    );
  });

  it('moves only the keys of a mock that is taken away', () => {
    const [all, fewer] = [new KeyProxy([1, 2, 3]), new KeyProxy([1, 2])];
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const moved = keys.filter((key) => all.findPort(key) !== fewer.findPort(key));
    expect(moved.length).toBeGreaterThan(50);
    expect(moved.every((key) => all.findPort(key) === 3)).toBe(true);
  });
});
