/** Prints the lines and files of product code by module, studio apart: TypeScript without tests, examples of rules and generated files. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MODULES = ['spec', 'scenarios', 'mock', 'conformance', 'cli', 'index.ts', 'studio'];
const NOT_PRODUCT = /\.test\.tsx?$|\.examples\.ts$|\.json\.ts$|^(spec|scenarios)\/generated\//;

const files = execFileSync('git', ['ls-files', ...MODULES], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !NOT_PRODUCT.test(file));

const rows = new Map<string, { files: number; lines: number }>();
for (const file of files) {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1;
  const [module, folder] = file.split('/');
  for (const name of new Set([
    module!,
    file.split('/').length > 2 ? `${module}/${folder}` : module!,
    module === 'studio' ? 'total with studio' : 'total',
    'total with studio',
  ])) {
    const row = rows.get(name) ?? { files: 0, lines: 0 };
    rows.set(name, { files: row.files + 1, lines: row.lines + lines });
  }
}
for (const [name, { files: count, lines }] of [...rows].sort(([one], [other]) => (one < other ? -1 : 1)))
  console.log(`${name.padEnd(28)}${String(lines).padStart(7)} lines${String(count).padStart(5)} files`);
