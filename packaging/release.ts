/**
 * Writes the files of a release into `release/`: `npm run release`. The same commit gives the same bytes.
 *
 *     npm run release -- --without executable     leaves out the executables, which bring Node.js from the registry (60 MB each)
 *     npm run release -- --out DIRECTORY
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listMaterials } from './bill-of-materials.js';
import { ARCHITECTURES, buildExecutable } from './executable.js';
import { buildOneFile } from './one-file/build-one-file.js';
import { openPackage, ROOT } from './open-package.js';
import { packPackage } from './pack.js';
import { readNewestSection } from './release-notes.js';
import { buildWheel } from './wheel.js';

const OPTIONAL = ['executable', 'wheel'] as const;
const CHECKSUMS = 'SHA256SUMS';

const { values } = parseArgs({
  options: {
    without: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join(ROOT, 'release') },
  },
});
const unknown = values.without.find((name) => !OPTIONAL.includes(name as (typeof OPTIONAL)[number]));
if (unknown !== undefined) throw new Error(`--without: expected ${OPTIONAL.join(' or ')}; found ${unknown}.`);

const temporary = mkdtempSync(join(tmpdir(), 'taskdouble-release-'));
try {
  await writeRelease(resolve(values.out), readCommitTime());
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function writeRelease(out: string, seconds: number): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const write = (name: string, content: string) => writeFileSync(join(out, name), content);

  print('tarball');
  // With another NODE_ENV, studio would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { tarball } = packPackage(ROOT, { out, temporary, env });
  print('one file');
  const { code, licenses } = await buildOneFile(openPackage(tarball, join(temporary, 'one-file')));
  write('taskdouble.mjs', code);
  write('THIRD-PARTY-LICENSES.txt', licenses);
  for (const architecture of values.without.includes('executable') ? [] : ARCHITECTURES) {
    const name = `taskdouble-linux-${architecture}`;
    print(architecture === process.arch ? name : `${name}, which is not run here`);
    buildExecutable(code, { architecture, out: join(out, name), temporary: join(temporary, 'executable') });
  }
  if (!values.without.includes('wheel')) {
    const reason = buildWheel(join(ROOT, 'python'), { out, temporary, seconds });
    print(reason === undefined ? 'wheel' : `no wheel: ${reason}`);
  }
  print('bill of materials, notes, checksums');
  write('taskdouble.cdx.json', listMaterials(ROOT, { temporary, seconds }));
  write('RELEASE-NOTES.md', readNewestSection(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')));
  write(CHECKSUMS, sumFiles(out));
}

/** As `sha256sum --check` reads them. */
function sumFiles(directory: string): string {
  const lines = readdirSync(directory)
    .filter((name) => name !== CHECKSUMS)
    .sort()
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(directory, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    });
  return lines.join('');
}

/** Seconds since 1970: `SOURCE_DATE_EPOCH`, or the time of the commit. */
function readCommitTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const text = given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' });
  const seconds = Number(text.trim());
  if (text.trim() === '' || !Number.isInteger(seconds))
    throw new Error(`SOURCE_DATE_EPOCH: expected seconds since 1970, found ${JSON.stringify(text)}.`);
  return seconds;
}

function print(step: string): void {
  process.stdout.write(`${step}\n`);
}
