import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { startChild } from '../support/children.js';
import { ROOT } from './pack.js';

const PACKAGING = join(ROOT, 'packaging');
const PORT = '4010';

interface Step {
  name: string;
  value: string;
}

/** The steps of the Dockerfile. There is no container engine in the tests: they are run one after another in a bare folder. */
const steps: Step[] = readFileSync(join(PACKAGING, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^([A-Z]+) (.*)$/.exec(line)!)
  .map(([, name, value]) => ({ name: name!, value: value! }));
const findStep = (name: string) => steps.find((step) => step.name === name)!.value;
const [, user, group] = /^(\d+):(\d+)$/.exec(findStep('USER'))!.map(Number);

const top = realpathSync(mkdtempSync(join(tmpdir(), 'taskdouble-image-')));
/** The file system of the image. */
const image = join(top, 'image');
let port: string;

/** Exec form, with paths in the folder and a free port of this machine alone. */
function readWords(value: string): string[] {
  const words = JSON.parse(value.replace(/^.*?(?=\[)/, '')) as string[];
  return words.map((word) =>
    word.replaceAll(PORT, port).replace('0.0.0.0', '127.0.0.1').replace(/^\//, `${image}/`),
  );
}

function createOptions() {
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'] };
  for (const { value } of steps.filter(({ name }) => name === 'ENV')) {
    const [name, path] = value.split('=') as [string, string];
    env[name] = image + path;
  }
  // Another user takes rights that tests may not have.
  const identity = process.getuid!() === 0 ? { uid: user!, gid: group! } : {};
  return { cwd: join(image, findStep('WORKDIR')), env, ...identity };
}

beforeAll(async () => {
  chmodSync(top, 0o755);
  const context = join(top, 'context');
  mkdirSync(context);
  copyFileSync(inject('oneFile'), join(context, 'taskdouble.mjs'));
  const home = join(image, findStep('WORKDIR'));
  mkdirSync(home, { recursive: true });
  if (process.getuid!() === 0) chownSync(home, user!, group!);
  for (const { value } of steps.filter(({ name }) => name === 'COPY')) {
    const [from, to] = value.split(' ') as [string, string];
    mkdirSync(dirname(join(image, to)), { recursive: true });
    copyFileSync(join(context, from), join(image, to));
  }
  port = String(await findFreePort());
});
afterAll(() => rmSync(top, { recursive: true }));

describe('the Dockerfile', () => {
  it('has a slim image, a user without rights, and the exec form, so that signals arrive', () => {
    expect(findStep('FROM')).toMatch(/^node:\d+-slim$/);
    expect(user).toBeGreaterThan(0);
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['COPY', 'EXPOSE', 'HEALTHCHECK', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD']),
    );
    expect(findStep('EXPOSE')).toBe(PORT);
  });

  it('unpacks, starts, is healthy, and ends at the signal', async () => {
    for (const { value } of steps.filter(({ name }) => name === 'RUN')) {
      const [command, ...args] = readWords(value);
      const { status, stderr } = spawnSync(command!, args, { ...createOptions(), encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    }
    const [cache] = steps
      .filter(({ name }) => name === 'ENV')
      .map(({ value }) => image + value.split('=')[1]);
    expect(existsSync(join(cache!, 'taskdouble'))).toBe(true);

    const [command, ...args] = [...readWords(findStep('ENTRYPOINT')), ...readWords(findStep('CMD'))];
    const child = startChild(command!, args, { ...createOptions(), stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout!, 'data');
    expect(await checkHealth()).toBe(0);
    await expectProbes();

    child.kill(findStep('STOPSIGNAL') as NodeJS.Signals);
    const [code, signal] = await once(child, 'exit');
    expect({ code, signal }).toEqual({ code: 143, signal: null });
    expect(await checkHealth()).toBe(1);
  });
});

async function checkHealth(): Promise<number> {
  const [command, ...args] = readWords(findStep('HEALTHCHECK'));
  const child = spawn(command!, args, { ...createOptions(), stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code;
}

interface Container {
  image: string;
  args: string[];
  ports: { name: string; containerPort: number }[];
  [probe: string]: unknown;
}

const manifests = parseAllDocuments(readFileSync(join(PACKAGING, 'kubernetes.yaml'), 'utf8'));
const [deployment, service] = manifests.map((document) => document.toJS());
const container = (): Container => deployment.spec.template.spec.containers[0];

/** Those that ask over the network get no key and no token: the paths must be open without. */
async function expectProbes(): Promise<void> {
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const { httpGet } = container()[probe] as { httpGet: { path: string; port: string } };
    expect(container().ports.map(({ name }) => name)).toContain(httpGet.port);
    // The admin API is closed to other names, as the probes of a cluster have them.
    const headers = { host: '10.0.0.1:4010' };
    const response = await fetch(`http://127.0.0.1:${port}${httpGet.path}`, { headers });
    expect(response.status, httpGet.path).toBe(200);
  }
}

describe('compose.yaml and kubernetes.yaml', () => {
  it('start the command of the image on its port', () => {
    const command: string[] = JSON.parse(findStep('CMD'));
    const { services } = parse(readFileSync(join(PACKAGING, 'compose.yaml'), 'utf8'));
    expect(services.mock.command.slice(0, command.length)).toEqual(command);
    expect(container().args.slice(0, command.length)).toEqual(command);
    expect(services.mock.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`]);
    expect(existsSync(join(PACKAGING, services.mock.build.context, '..', 'package.json'))).toBe(true);
    expect(
      realpathSync(join(PACKAGING, '../release', services.mock.build.dockerfile).replace('/release/..', '')),
    ).toBe(realpathSync(join(PACKAGING, 'Dockerfile')));
  });

  it('run as the user of the image, without rights, on a file system that cannot be written', () => {
    expect(manifests.flatMap(({ errors }) => errors)).toEqual([]);
    const { spec } = deployment.spec.template;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user, runAsGroup: group });
    expect(container()['securityContext']).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    });
    expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels);
    expect(container().ports[0]!.containerPort).toBe(Number(PORT));
  });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
