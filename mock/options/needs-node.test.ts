import { afterEach, describe, expect, it, vi } from 'vitest';
import { Mock } from '../mock.js';
import { replayMock } from '../replay/replay-mock.js';
import { NeedsNode } from './needs-node.js';

/** Simulates an offline page: no process, and none of the modules that need Node.js can be fetched. */
const failImport = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('./files.js', failImport);
vi.mock('../serve/http.js', failImport);
vi.mock('../exchange/readers/read-recording.js', failImport);

afterEach(() => {
  vi.unstubAllGlobals();
});

async function readError(act: () => Promise<unknown>): Promise<string> {
  const { process: original } = globalThis;
  vi.stubGlobal('process', undefined);
  try {
    await act();
    return 'nothing';
  } catch (error) {
    expect(error).toBeInstanceOf(NeedsNode);
    return (error as Error).message;
  } finally {
    vi.stubGlobal('process', original);
  }
}

describe('without Node.js, functions that need it throw before any module is loaded', () => {
  it.each([
    [{ fixtures: './x.yaml' }, 'fixtures: "./x.yaml" is the path of a file, '],
    [{ scenarios: ['./x.yaml'] }, 'scenarios: "./x.yaml" is the path of a file, '],
    [{ dialect: 'strict' }, 'dialect: "strict" is the name of a file, '],
    [{ network: 'rules.yaml' }, 'network: "rules.yaml" is the path of a file, '],
  ])('%j', async (options, message) => {
    expect(await readError(() => new Mock(options).ready)).toContain(
      `${message}which requires Node.js; in a browser give `,
    );
  });

  it('ports and recordings', async () => {
    expect(await readError(() => new Mock().listen())).toMatch(
      /^mock\.listen\(\) opens a port, .* hand mock\.fetch/,
    );
    expect(await readError(() => replayMock([]).listen())).toContain('opens a port');
    expect(await readError(() => replayMock('x.jsonl').ready)).toMatch(
      /^replayMock: "x\.jsonl" is the path of a file/,
    );
  });
});
