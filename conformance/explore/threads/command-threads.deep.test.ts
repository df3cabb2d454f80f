import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadLibrary } from '../../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { judgeRun } from '../../client/judge/verdict.js';
import { play } from '../../client/run/play.js';
import { ClientThreads } from '../../client/run/threads/client-threads.js';
import type { ClientRun } from '../../client/types.js';
import { findThreadDifference } from './command-threads.js';

interface Entry {
  client: string;
  scenario: string;
}

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');
const { buggy } = JSON.parse(readFileSync(join(CLIENTS, 'catalogue.json'), 'utf8')) as { buggy: Entry[] };
const library = await loadLibrary();
/** One of so many clients with a bug: each starts threads and a process. */
const SAMPLE = 10;
let opened: ClientThreads | undefined;
afterAll(() => opened?.close());

describe('a client with a bug has the same findings in a thread as in a process', () => {
  it.each(buggy.filter((_, index) => index % SAMPLE === 0))(
    '$client in $scenario',
    async ({ client: name, scenario: asked }) => {
      const file = join(CLIENTS, `buggy/${name}.mjs`);
      const scenario = library.find((each) => each.name === asked)!;
      const client = { kind: 'node', command: [process.execPath, file] } as const;
      const threads = new ClientThreads(file, 0);
      opened = threads;
      const needs: string[] = [];
      const [inThread, inProcess] = await Promise.all([
        play(scenario, client, { start: threads.start((what) => needs.push(what)) }),
        play(scenario, client),
      ]);
      expect(needs).toEqual([]);
      // When a client that closes a connection is seen to do so varies between two processes, too.
      const closes = inProcess.trace.some((entry) => entry.what === 'response' && entry.status === 0);
      const rules = (run: ClientRun) => judgeRun(run).map(({ rule }) => rule);
      if (closes) expect(rules(inThread)).toEqual(rules(inProcess));
      else expect(findThreadDifference(inThread, inProcess)).toBeUndefined();
      expect(judgeRun(inThread)).not.toEqual([]);
    },
  );
});
