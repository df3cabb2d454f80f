import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIOME = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));

/** As the formatter of the repository writes it. `name` says by its ending what it is. */
export function formatText(text: string, name: string): string {
  return execFileSync(BIOME, ['format', `--stdin-file-path=${name}`], { input: text, encoding: 'utf8' });
}
