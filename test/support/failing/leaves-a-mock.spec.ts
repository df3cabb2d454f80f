import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { endChildren, startChild } from '../children.js';

/**
 * A test that fails, or never ends, while its mock runs. As with npx, a shell starts the mock. The address of the mock is written
 * to the file SAID.
 */
const MAIN = join(import.meta.dirname, '../../../dist/command/main.js');
const { SAID, HANGS } = process.env;
if (HANGS === undefined) afterEach(endChildren);

it('fails while a mock runs', async () => {
  const script = `node '${MAIN}' mock --port 0 --json --quiet; exit $?`;
  const child = startChild('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  for await (const chunk of child.stdout!.setEncoding('utf8')) {
    writeFileSync(SAID!, chunk);
    break;
  }
  if (HANGS !== undefined) await new Promise(() => {});
  expect('actual').toBe('expected');
});
