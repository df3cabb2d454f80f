import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listMaterials } from '../../packaging/bill-of-materials.js';
import { buildExecutable } from '../../packaging/executable.js';
import { readNewestSection } from '../../packaging/release-notes.js';
import { buildWheel } from '../../packaging/wheel.js';
import { createEnvironment } from './environment.js';
import { copyRepository, ROOT } from './pack.js';

const SECONDS = 1_767_225_600;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const top = realpathSync(mkdtempSync(join(tmpdir(), 'taskdouble-release-test-')));
const out = join(top, 'elsewhere/release');
const read = (name: string) => readFileSync(join(out, name));
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const code = readFileSync(inject('oneFile'), 'utf8');

beforeAll(() => {
  const sources = join(top, 'elsewhere/sources');
  copyRepository(sources);
  const args = [
    join(ROOT, 'node_modules/.bin/tsx'),
    'packaging/release.ts',
    '--out',
    out,
    '--without',
    'executable',
  ];
  const env = { ...createEnvironment(), SOURCE_DATE_EPOCH: String(SECONDS) };
  const { status, stderr } = spawnSync('node', args, { cwd: sources, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  // It builds the package, which takes long on a busy machine.
}, 900_000);
afterAll(() => rmSync(top, { recursive: true }));

describe('npm run release', () => {
  it('writes all files, and their checksums', () => {
    const wheels = process.env['CI_PYTHON'] ? [`taskdouble-${version}-py3-none-any.whl`] : [];
    const files = readdirSync(out);
    expect(files.sort()).toEqual(
      expect.arrayContaining([
        ...['RELEASE-NOTES.md', 'SHA256SUMS', 'THIRD-PARTY-LICENSES.txt', `taskdouble-${version}.tgz`],
        ...['taskdouble.cdx.json', 'taskdouble.mjs', ...wheels],
      ]),
    );
    const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
      cwd: out,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(files.length - 1);
  });

  it('gives the same bytes in another folder', () => {
    expect(hash(read(`taskdouble-${version}.tgz`))).toBe(hash(readFileSync(inject('packed').tarball)));
    expect(hash(read('taskdouble.mjs'))).toBe(hash(code));
    expect(read('taskdouble.cdx.json').toString()).toBe(
      listMaterials(ROOT, { temporary: top, seconds: SECONDS }),
    );
  });

  it('gives the same wheel in another folder', ({ skip }) => {
    const settings = {
      out: join(top, 'wheel'),
      temporary: mkdtempSync(join(top, 'wheel-')),
      seconds: SECONDS,
    };
    const reason = buildWheel(join(ROOT, 'python'), settings);
    skip(reason !== undefined && !process.env['CI_PYTHON'], reason);
    const [name] = readdirSync(settings.out);
    expect(hash(read(name!))).toBe(hash(readFileSync(join(settings.out, name!))));
  });

  it('names every package that users get, and its license', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages as Record<
      string,
      { version: string; dev?: boolean; devOptional?: boolean; peer?: boolean }
    >;
    const runtime = Object.entries(lock)
      .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
    const { components, metadata, serialNumber } = JSON.parse(read('taskdouble.cdx.json').toString());
    expect(components.map((each: { 'bom-ref': string }) => each['bom-ref']).sort()).toEqual(runtime.sort());
    expect(metadata.component.name).toBe('taskdouble');
    expect(metadata.timestamp).toBe('2026-01-01T00:00:00.000Z');
    expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const licenses = read('THIRD-PARTY-LICENSES.txt').toString();
    for (const each of runtime) expect(licenses).toContain(`\n${each.replace(/@([^@]*)$/, ' $1')} (`);
  });

  it('has the newest section of the changelog as its notes', () => {
    expect(read('RELEASE-NOTES.md').toString()).toMatch(/^## \d+\.\d+\.\d+.*\n\n- /);
    expect(readNewestSection('# Changelog\n\n## 2.0.0\n\n- new\n\n## 1.0.0\n\n- old\n')).toBe(
      '## 2.0.0\n\n- new\n',
    );
    expect(() => readNewestSection('# Changelog\n')).toThrow('CHANGELOG.md has no section');
  });
});

it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the executable runs without Node.js, starts itself, and prints how it was started',
  ({ skip }) => {
    const folder = join(top, 'executable');
    mkdirSync(folder);
    const path = join(folder, 'taskdouble-linux-x64');
    try {
      buildExecutable(code, { architecture: 'x64', out: path, temporary: join(top, 'node') });
    } catch (error) {
      skip(/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/.test(String(error)), 'no registry');
      throw error;
    }
    const run = (args: readonly string[], input = '') => {
      const env = { HOME: folder, PATH: '/nowhere' };
      const { stdout, stderr } = spawnSync('./taskdouble-linux-x64', args, {
        cwd: folder,
        env,
        input,
        encoding: 'utf8',
      });
      return stdout + stderr;
    };
    expect(run(['--version'])).toBe(`${version}\n`);
    expect(run(['client', '--init', 'python'])).toContain(
      '  ./taskdouble-linux-x64 client -- python3 adapter.py\n',
    );
    writeFileSync(join(folder, 'client.mjs'), 'export async function run() {}\n');
    const searched = run(['explore', '--function', 'client.mjs', '--jobs', '2', '--schedules', '20']);
    expect(searched).toContain('client.mjs');
    expect(searched).not.toContain('fault of taskdouble');
  },
);
