import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface CycloneDx {
  serialNumber: string;
  metadata: { timestamp: string };
}

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  devDependencies?: unknown;
}

/**
 * The packages that users get, in CycloneDX, from the lockfile in `root`. npm draws the number and the time anew each time: these are
 * derived.
 */
export function listMaterials(
  root: string,
  { temporary, seconds }: { temporary: string; seconds: number },
): string {
  // npm names the package after its directory.
  const directory = join(mkdtempSync(join(temporary, 'materials-')), 'taskdouble');
  mkdirSync(directory);
  writeRuntimeLock(root, directory);
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const document = JSON.parse(execFileSync('npm', args, { cwd: directory, encoding: 'utf8' })) as CycloneDx;
  document.metadata.timestamp = new Date(seconds * 1000).toISOString();
  document.serialNumber = '';
  document.serialNumber = `urn:uuid:${deriveUuid(JSON.stringify(document))}`;
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Without development: `npm sbom --omit dev` also leaves out packages that users get and a development package needs, too. */
function writeRuntimeLock(root: string, directory: string): void {
  const { devDependencies: _, ...manifest } = readJson(join(root, 'package.json'));
  const lock = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> };
  const runtime = Object.entries(lock.packages).filter(
    ([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer,
  );
  const packages = Object.fromEntries(runtime);
  delete packages['']!.devDependencies;
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Version 8: its bits are free (RFC 9562). */
function deriveUuid(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
