import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMock } from '../../index.js';
import { createTemporary } from './pack.js';

/** The mock lives in this process. */
const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');
/** Not among the packages of this project: hundreds come with them. */
const GENERATORS = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'orval@7.13.2',
];
const { directory, clear } = createTemporary();
afterAll(clear);

const mock = createMock({ clock: 'real', speed: 20 });
let baseUrl = '';
beforeAll(async () => {
  ({ baseUrl } = await mock.listen());
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  await run('npm', ['install', ...quiet, ...GENERATORS, 'typescript@5.9'], { cwd: directory });
});
afterAll(() => mock.close());

/** The commands of the page, in the order of its list. */
const COMMANDS = [
  ...readFileSync(join(ROOT, 'docs/build-a-client.md'), 'utf8').matchAll(
    /^- `npx -y ((?:openapi-typescript|@hey-api\/openapi-ts|orval) .*)`$/gm,
  ),
].map(([, command]) => command!);

/** A conversation with each: a task, its tool call, the reply, the end. `$` is the rest of the program. */
const CONVERSE = `
export async function converse(create, poll, reply) {
  const id = await create({ task: 'Tell the weather', custom_tools: [{ name: 'get_weather', description: 'Reports the weather', inputs: { type: 'object', properties: { city: { type: 'string' } } }, output: 'The weather' }] });
  let event_t = 0;
  for (;;) {
    const task = await poll(id, event_t);
    for (const event of task.events ?? []) {
      event_t = Math.max(event_t, event.timestamp);
      if (event.name === 'tool_call') await reply(id, { id: event.id, name: 'tool_call', payload: { code: 200, output: { temp_c: 21 } }, timestamp: Date.now() });
    }
    if (task.status === 'done') return console.log('done', task.output !== null);
  }
}
`;
const CONVERSE_TYPES = `
export function converse(
  create: (body: { task: string; custom_tools: { name: string; description: string; inputs: Record<string, unknown>; output: string }[] }) => Promise<string>,
  poll: (id: string, event_t: number) => Promise<{ status: string; output?: unknown; events?: { id: string; name: string; timestamp: number }[] | null }>,
  reply: (id: string, event: { id: string; name: 'tool_call'; payload: { code: 200; output: unknown }; timestamp: number }) => Promise<void>,
): Promise<void>;
`;

const PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-typescript': `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';
import { converse } from './converse.js';
const client = createClient<paths>({ baseUrl: BASE, headers: { apikey: 'openapi-fetch' } });
// The fields with a default may be left out.
await client.POST('/task', { body: { task: 'x' } });
await converse(
  async (body) => (await client.POST('/task', { body })).data!.r.id,
  async (task_id, event_t) => (await client.GET('/task/{task_id}', { params: { path: { task_id }, query: { event_t } } })).data!.r,
  async (task_id, body) => { await client.POST('/task/{task_id}/event', { params: { path: { task_id } }, body }); },
);
`,
  '@hey-api/openapi-ts': `
import { client } from './client/client.gen.js';
import { createTask, getTask, sendTaskEvent } from './client/index.js';
import { converse } from './converse.js';
client.setConfig({ baseUrl: BASE, auth: 'hey-api' });
await createTask({ body: { task: 'x' } });
await converse(
  async (body) => (await createTask({ body })).data!.r.id,
  async (task_id, event_t) => (await getTask({ path: { task_id }, query: { event_t } })).data!.r,
  async (task_id, body) => { await sendTaskEvent({ path: { task_id }, body }); },
);
`,
  orval: `
import { createTask, getTask, sendTaskEvent } from './api.js';
import { converse } from './converse.js';
// The generated functions have paths alone.
const { fetch } = globalThis;
globalThis.fetch = (input, init) => fetch(BASE + String(input), init);
const options = { headers: { apikey: 'orval' } };
await createTask({ task: 'x' }, options);
await converse(
  async (body) => {
    const created = await createTask(body, options);
    if (created.status !== 200) throw new Error(String(created.status));
    return created.data.r.id;
  },
  async (id, event_t) => {
    const polled = await getTask(id, { event_t }, options);
    if (polled.status !== 200 && polled.status !== 202) throw new Error(String(polled.status));
    return polled.data.r;
  },
  async (id, event) => { await sendTaskEvent(id, event, options); },
);
`,
};

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...{ strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
    ...{ lib: ['es2023', 'dom', 'dom.iterable'], skipLibCheck: true, noEmit: true },
  },
  files: ['program.ts'],
});

it.each(Object.entries(PROGRAMS))(
  '%s: its client compiles and holds a conversation',
  async (generator, program) => {
    const command = COMMANDS.find((each) => each.startsWith(`${generator} `))!;
    const home = join(directory, generator.replace('/', '-'));
    mkdirSync(home);
    writeFileSync(join(home, 'openapi.yaml'), readFileSync(join(ROOT, 'spec/openapi.yaml')));
    const tool = (name: string, args: string[]) =>
      run(join(directory, 'node_modules/.bin', name), args, { cwd: home });
    await tool(generator.split('/').at(-1)!, command.split(' ').slice(1));
    writeFileSync(join(home, 'tsconfig.json'), TSCONFIG);
    writeFileSync(join(home, 'converse.js'), CONVERSE);
    writeFileSync(join(home, 'converse.d.ts'), CONVERSE_TYPES);
    writeFileSync(join(home, 'program.ts'), program.replaceAll('BASE', JSON.stringify(`${baseUrl}/api/v1`)));
    writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
    await tool('tsc', ['-p', '.']).catch(({ stdout }) => expect(stdout).toBe(''));
    const tsx = join(ROOT, 'node_modules/.bin/tsx');
    expect(await run(tsx, ['program.ts'], { cwd: home })).toEqual({ stdout: 'done true\n', stderr: '' });
  },
);
