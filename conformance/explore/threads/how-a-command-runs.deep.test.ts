import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SMALL_CLIENT } from '../../../test/support/client/inline.js';
import { oneCall } from '../../../test/support/client/scenarios.js';
import { openTools, type SearchTools } from '../search-tools.js';
import { openCommandThreads } from './command-threads.js';

const directory = mkdtempSync(join(tmpdir(), 'threads-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What was said, and which of the runs after the first comparison were made in a process. */
async function runTwice(code: string, words: (file: string) => string[]) {
  const file = join(directory, 'client.mjs');
  writeFileSync(file, code);
  const command = words(file);
  const notes: string[] = [];
  const inProcess: string[] = [];
  const processes = await openTools({ kind: 'node', command }, 1);
  const watched: SearchTools = {
    ...processes,
    play: (scenario, signal) => {
      inProcess.push(scenario.name);
      return processes.play(scenario, signal);
    },
  };
  const search = {
    ...{ command, scenarios: [oneCall], seed: 1, jobs: 1, signal: new AbortController().signal },
    onNote: (text: string) => notes.push(text),
  };
  const tools = await openCommandThreads(search, watched);
  const compared = inProcess.length;
  const run = await tools.play({ ...oneCall, name: 'later' });
  await tools.play({ ...oneCall, name: 'later still' });
  await tools.close();
  return { notes, run, compared, inProcess: inProcess.slice(compared) };
}

const node = (file: string) => [process.execPath, file];

describe('a search with a Node.js command', () => {
  it('runs in threads, if the scenarios have the same results in both ways', async () => {
    const { notes, run, compared, inProcess } = await runTwice(SMALL_CLIENT, node);
    expect(notes).toEqual([expect.stringContaining('in worker threads')]);
    expect([compared, inProcess]).toEqual([1, []]);
    expect(run).toMatchObject({ kind: 'node', end: 'by-itself', line: { status: 'done' } });
  });

  it('runs in processes from the first run on that needs a process', async () => {
    const late = `if (process.env.TASKDOUBLE_SCENARIO === 'later') process.on('SIGTERM', () => {}); ${SMALL_CLIENT}`;
    const { notes, run, inProcess } = await runTwice(late, node);
    expect(notes.at(-1)).toBe("runs are made in processes: the client uses process.on('SIGTERM')");
    expect(inProcess).toEqual(['later', 'later still']);
    expect(run).toMatchObject({ end: 'by-itself', line: { status: 'done' } });
  });

  it('runs in processes if a thread has different results', async () => {
    // A thread has the number of the process that it belongs to.
    const code = `if (process.pid === ${process.pid}) process.exitCode = 4; ${SMALL_CLIENT}`;
    const { notes, inProcess } = await runTwice(code, node);
    expect(notes).toEqual([
      expect.stringMatching(/^runs are made in processes: .* is not the same in a thread/),
    ]);
    expect(inProcess).toEqual(['later', 'later still']);
  });

  it('runs in processes if the command is not "node FILE"', async () => {
    const { notes, compared } = await runTwice(SMALL_CLIENT, (file) => [
      process.execPath,
      '--no-warnings',
      file,
    ]);
    expect(notes).toEqual([expect.stringContaining('only "node FILE.mjs"')]);
    expect(compared).toBe(0);
  });
});
