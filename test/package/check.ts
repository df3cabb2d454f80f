/**
 * Looks at the packed package with publint and with "are the types wrong", both as strict as they get: `npm run check:package`.
 * Prints what they say; exit code 1 when one of them has a complaint.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { entries } from './entries.js';
import { createTemporary, pack, ROOT } from './pack.js';

const { directory, clear } = createTemporary();
try {
  const { tarball, size, unpacked, files } = pack(directory);
  const formatKb = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  process.stdout.write(`${formatKb(size)} packed, ${formatKb(unpacked)} unpacked, ${files.length} files\n`);

  const documents = entries
    .filter(({ file }) => /\.ya?ml$/.test(file))
    .map(({ specifier }) => specifier.replace('taskdouble/', ''));
  const passed = [
    run('publint', ['run', tarball, '--strict']),
    // The package is made of ES modules alone, on purpose: whoever writes CommonJS takes `import()`. So resolution by
    // `require` and by Node.js 10, which know no such package, are left out. YAML files are found, not imported.
    run('attw', [
      tarball,
      '--profile',
      'esm-only',
      '--no-definitely-typed',
      '--exclude-entrypoints',
      ...documents,
    ]),
  ];
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  clear();
}

function run(tool: string, args: string[]): boolean {
  const { status, error } = spawnSync(join(ROOT, 'node_modules/.bin', tool), args, { stdio: 'inherit' });
  if (error) throw error;
  return status === 0;
}
