import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

interface CycloneDx {
  serialNumber: string;
  metadata: { timestamp: string };
}

/** The packages that users get, in CycloneDX, from the lockfile in `root`. npm draws the number and the time anew each time: these are derived. */
export function listMaterials(root: string, seconds: number): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const document = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as CycloneDx;
  document.metadata.timestamp = new Date(seconds * 1000).toISOString();
  document.serialNumber = '';
  document.serialNumber = `urn:uuid:${deriveUuid(JSON.stringify(document))}`;
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Version 8: its bits are free (RFC 9562). */
function deriveUuid(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
